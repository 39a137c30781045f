import BabyBasicsAPI
import FoundationEssentials
import Postgres

/// What one person is told on all devices.
struct PushMessage: Sendable, Equatable {
    /// Whoever sends it need not know it: a newer release may have others.
    struct Kind: RawRepresentable, Hashable, Sendable, PostgresValue {
        let rawValue: String
        static let reminder = Kind(rawValue: "reminder")
        static let dose = Kind(rawValue: "dose")
        static let told = Kind(rawValue: "told")
    }

    /// How soon a phone that sleeps is to hear of it (RFC 8030, 5.3).
    enum Urgency: String, Sendable, PostgresValue {
        case low
        case normal
        case high
    }

    /// At most 64 characters of ASCII. Of several with one tag the newest is shown.
    var tag: String
    var title: String
    var body: String
    var kind: Kind
    var familyID: FamilyID
    var childID: ChildID?
    /// As the wire names it; for what is logged by a tap.
    var eventKind: String?
    /// Of the plan whose dose is given by a tap.
    var planID: UUID?
    var urgency = Urgency.normal
    /// It is not true any longer.
    var expiresAt: Timestamp
}

/// Has people told, in the transaction of whoever knows. After its commit: `services.pushSender?.wake()`.
enum Pushes {
    /// One push for each of a user's devices, in the place of what waits with the same tag.
    ///
    /// - Parameter clock: the moment by the clock that the workers share, from which on it may be sent.
    static func insert(_ message: PushMessage, for user: UserID, at clock: SQL) -> SQL {
        precondition((1...64).contains(message.tag.utf8.count) && message.tag.utf8.allSatisfy { 0x21..<0x7f ~= $0 })
        return """
            insert into pushes (id, device_id, user_id, family_id, service, tag, title, body, kind, child_id, event_kind,
                plan_id, urgency, expires_at, created_at, due_at)
            select gen_random_uuid(), d.id, d.user_id, \(message.familyID), d.service, \(message.tag), \(message.title),
                \(message.body), \(message.kind), \(message.childID), \(message.eventKind), \(message.planID),
                \(message.urgency), \(message.expiresAt), \(fragment: clock), \(fragment: clock)
            from devices d where d.user_id = \(user)
            order by d.id for key share
            on conflict (device_id, tag) do update
            set id = excluded.id, user_id = excluded.user_id, family_id = excluded.family_id,
                service = excluded.service, title = excluded.title, body = excluded.body, kind = excluded.kind,
                child_id = excluded.child_id, event_kind = excluded.event_kind, plan_id = excluded.plan_id,
                urgency = excluded.urgency, expires_at = excluded.expires_at, created_at = excluded.created_at,
                attempts = 0, due_at = case when pushes.is_being_sent then pushes.due_at else excluded.due_at end
            """
    }

    /// What is not true any more is not sent.
    static func withdraw(tag: String, for user: UserID) -> SQL {
        """
        delete from pushes p using devices d
        where d.user_id = \(user) and p.device_id = d.id and p.tag = \(tag)
        """
    }
}
