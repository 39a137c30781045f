import BabyBasicsAPI
import FoundationEssentials
import Postgres

/// A claimed row of `pushes`, and the device that it is for.
struct WaitingPush: Sendable {
    let claim: DueRows.Claim
    /// Whether it is to be sent still: it is no later than it says, the device's session lives, its user is a member, and its child is there.
    let isTrue: Bool
    /// Of one that is sent again: when the quiet hours end that have begun meanwhile. Whoever writes a push has looked at them.
    let quietUntil: Timestamp?
    let service: String
    let message: PushMessage
    let device: DeviceID
    let address: String
    let p256dh: [UInt8]?
    let auth: [UInt8]?
    let pushKey: String?
    let environment: AppleDevice.Environment?

    init(_ row: inout Row) throws {
        claim = try DueRows.Claim(&row)
        isTrue = try row.next()
        quietUntil = try row.next()
        service = try row.next()
        message = try PushMessage(&row)
        device = try row.next()
        address = try row.next()
        p256dh = try row.next()
        auth = try row.next()
        pushKey = try row.next()
        environment = try row.next()
    }

    /// Claims of each service the rows that are due for longest, as many as there is room for. Citus takes it, too, as what is changed is
    /// joined to `due` alone.
    static func claim(_ room: [(service: String, rows: Int)], at clock: SQL, now: Timestamp) -> SQL {
        """
        with due as (
            select p.id,
                p.expires_at > \(now) and s.id is not null and m.user_id is not null
                    and (p.child_id is null or c.id is not null) as is_true,
                case when p.attempts > 0 then \(fragment: QuietHours.end(at: "\(now)")) end as quiet_until,
                d.id as device, d.address, d.p256dh, d.auth, d.push_key, d.environment
            from unnest(\(room.map(\.service)), \(room.map(\.rows))) r (service, rows)
                cross join lateral (
                    select id, device_id, user_id, family_id, child_id, attempts, expires_at from pushes
                    where service = r.service and due_at <= \(fragment: clock) order by due_at limit r.rows
                    for update skip locked
                ) p
                join devices d on d.id = p.device_id
                join users u on u.id = p.user_id
                left join sessions s on s.id = d.session_id and s.user_id = p.user_id and s.expires_at > \(now)
                    and s.created_at > \(now.adding(.zero - SessionLifetime.absolute))
                left join \(fragment: Members.current("m", at: now))
                    on m.family_id = p.family_id and m.user_id = p.user_id
                left join children c on c.family_id = p.family_id and c.id = p.child_id
        )
        update pushes p
        set due_at = \(fragment: clock) + \(unescaped: DueRows.lease), attempts = attempts + 1, is_being_sent = true
        from due where p.id = due.id
        returning p.id, p.attempts, p.created_at, due.is_true, due.quiet_until, p.service,
            p.tag, p.title, p.body, p.kind, p.family_id, p.child_id, p.event_kind, p.plan_id, p.urgency, p.expires_at,
            due.device, due.address, due.p256dh, due.auth, due.push_key, due.environment
        """
    }
}

extension PushMessage {
    init(_ row: inout Row) throws {
        self.init(
            tag: try row.next(), title: try row.next(), body: try row.next(), kind: try row.next(),
            familyID: try row.next(), childID: try row.next(), eventKind: try row.next(), planID: try row.next(),
            urgency: try row.next(), expiresAt: try row.next())
    }
}

/// What became of a claim.
struct SettledPush: Sendable {
    enum Fate: Sendable, Equatable {
        /// It is not to be sent any more.
        case removed
        case postponed(by: Duration)
        /// Nor is anything else to that device.
        case deviceGone
    }

    let claim: DueRows.Claim
    let device: DeviceID
    let address: String
    let tag: String
    let fate: Fate

    init(_ push: WaitingPush, _ fate: Fate) {
        claim = push.claim
        device = push.device
        address = push.address
        tag = push.message.tag
        self.fate = fate
    }

    /// Writes down what became of some, for those that nobody else has claimed since. A newer message that has taken the place of one
    /// meanwhile may be sent from now on.
    static func settle(_ pushes: [SettledPush], at clock: SQL) -> SQL {
        let delays = pushes.map { push in
            if case .postponed(let delay) = push.fate { delay.microseconds } else { Int64(-1) }
        }
        return """
            with done as (
                select * from unnest(\(pushes.map(\.claim.id)), \(pushes.map(\.claim.attempts)),
                    \(pushes.map(\.device.uuid)), \(pushes.map(\.tag)), \(delays)) d (id, attempts, device_id, tag, delay)
            ), removed as (
                delete from pushes p using done d where p.id = d.id and p.attempts = d.attempts and d.delay < 0
            )
            update pushes p
            set is_being_sent = false,
                due_at = \(fragment: clock) + greatest(0, case when p.id = d.id then d.delay end) * interval '1 microsecond'
            from done d
            where p.device_id = d.device_id and p.tag = d.tag
                and (p.id = d.id and p.attempts = d.attempts and d.delay >= 0 or p.id <> d.id and p.attempts = 0)
            """
    }

    /// Removes the devices that are no more, unless they have another address by now.
    static func removal(of gone: [SettledPush]) -> SQL {
        """
        delete from devices d using unnest(\(gone.map(\.device.uuid)), \(gone.map(\.address))) g (id, address)
        where d.id = g.id and d.address = g.address
        """
    }
}
