import BabyBasicsAPI
import FoundationEssentials
import JSON
import Postgres

/// A webhook that this worker calls, and nobody else: a claimed row of `webhooks`.
struct ClaimedWebhook: Sendable {
    let id: WebhookID
    let attempts: Int32
    let family: FamilyID
    let familyName: String
    let url: String
    let secret: WebhookSecret

    init(_ row: inout Row) throws {
        id = try row.next()
        attempts = try row.next()
        family = try row.next()
        familyName = try row.next()
        url = try row.next()
        secret = WebhookSecret(bytes: try row.next())
    }

    /// Claims the webhooks that are due for longest, of those for which something waits. Citus takes it, too, as no recursive query stands
    /// in front of the change, and nothing is joined to what is changed.
    static func claim(atMost count: Int, at clock: SQL) -> SQL {
        """
        update webhooks h
        set due_at = \(fragment: clock) + \(unescaped: DueRows.lease), attempts = attempts + 1, is_being_called = true
        where h.id = any (array(
            with \(fragment: WebhookQueue.waiting)
            select h.id from waiting w join webhooks h on h.id = w.webhook_id
            where h.is_active and h.due_at <= \(fragment: clock) order by h.due_at limit \(count)
            for update of h skip locked
        ))
        returning h.id, h.attempts, h.family_id, (select f.name from families f where f.id = h.family_id), h.url,
            h.secret
        """
    }

    /// What holds for the row as long as the claim is good: whoever claims, changes or turns off a webhook counts on.
    var isMine: SQL { "family_id = \(family) and id = \(id) and attempts = \(attempts)" }

    /// Gives the webhook back, to be called again after some time.
    func release(after delay: Duration = .zero, at clock: SQL) -> SQL {
        """
        update webhooks
        set due_at = \(fragment: clock) + \(delay.microseconds) * interval '1 microsecond', is_being_called = false
        where \(fragment: isMine)
        """
    }

    /// The first of what waits, in its order.
    func calls(atMost count: Int64) -> SQL {
        """
        select d.id, d.type, d.created_at, d.attempts, c.name, \(unescaped: EventRow.columns)
        from webhook_deliveries d join children c on c.family_id = d.family_id and c.id = d.child_id
            cross join lateral jsonb_populate_record(null::events, d.event) e
        where d.family_id = \(family) and d.webhook_id = \(id) and d.is_waiting
        order by d.revision limit \(count)
        """
    }

    /// Notes that a call was taken, be it that somebody else has the webhook by now; answers whether the claim is still good, for another while.
    func delivered(_ call: WebhookCall, status: Int, at clock: SQL) -> SQL {
        """
        with mine as (
            update webhooks set due_at = \(fragment: clock) + \(unescaped: DueRows.lease) where \(fragment: isMine) returning id
        ), noted as (
            update webhook_deliveries
            set is_waiting = false, delivered_at = \(fragment: clock), attempts = attempts + 1, tried_at = \(fragment: clock),
                status = \(Int32(status)), failure = null
            where family_id = \(family) and id = \(call.id)
        )
        select exists (select from mine)
        """
    }

    /// Notes that a call was not taken, and gives the webhook back.
    func failed(_ call: WebhookCall, _ failure: WebhookFailure, retryAfter delay: Duration, at clock: SQL) -> SQL {
        """
        with mine as (\(fragment: release(after: delay, at: clock)) returning id)
        update webhook_deliveries
        set attempts = attempts + 1, tried_at = \(fragment: clock), status = \(failure.status.map { Int32($0) }),
            failure = \(failure.reason)
        from mine where family_id = \(family) and webhook_deliveries.id = \(call.id) and is_waiting
        """
    }
}

/// One call that waits.
struct WebhookCall: Sendable {
    let id: DeliveryID
    let type: String
    let createdAt: Timestamp
    /// How often it was tried.
    let attempts: Int
    let childName: String
    var event: StoredEvent

    /// Nil for an event that only a newer release knows.
    init?(_ row: inout Row) throws {
        id = try row.next()
        type = try row.next()
        createdAt = try row.next()
        attempts = Int(try row.next(Int32.self))
        childName = try row.next()
        let kind = Int(try row.next(Int16.self))
        guard kind < EventKind.all.count else {
            row.skip(EventRow.columnCount - 1)
            return nil
        }
        event = try StoredEvent(number: kind, &row)
    }

    /// What the receiver gets.
    func body(of webhook: ClaimedWebhook) -> [UInt8] {
        WrittenJSON {
            $0.object {
                $0.member("type", type)
                $0.member("timestamp", createdAt)
                $0.member(
                    "data",
                    object: {
                        $0.member("kind", event.kind.name)
                        $0.member("event", event)
                        $0.member(
                            "child",
                            object: {
                                $0.member("id", event.childID)
                                $0.member("name", childName)
                            })
                        $0.member(
                            "family",
                            object: {
                                $0.member("id", webhook.family)
                                $0.member("name", webhook.familyName)
                            })
                    })
            }
        }.bytes
    }

    /// When it is tried again after one more failure: after 5 s, 30 s, 2 and 10 minutes, then every hour for a day; nil where that is over.
    var delay: Duration? {
        let first = [5, 30, 120, 600]
        if attempts < first.count { return .seconds(first[attempts]) }
        return attempts < first.count + 24 ? .seconds(3600) : nil
    }
}

/// Why a call was not taken.
struct WebhookFailure: Sendable {
    /// Of the answer, where there was one.
    let status: Int?
    let reason: String?
}
