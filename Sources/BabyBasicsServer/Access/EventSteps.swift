import BabyBasicsAPI
import Postgres

/// A change of events where families are spread over several machines (Citus), which gathers on one machine what a statement with several
/// writes has between them, and sends on as it is what writes to one table. So it is a transaction: the feed, which is the family's lock; a
/// look at the caller under that lock, as who is removed is removed under it too; then each write.
struct EventSteps: Sendable {
    fileprivate let feed: CallersSQL
    fileprivate let caller: CallersSQL
    fileprivate let write: PreparedSQL
    fileprivate let log: PreparedSQL?
    fileprivate let told: PreparedSQL
    fileprivate let called: PreparedSQL

    /// As in `EventChange`; what the steps before have found comes behind its values.
    init(values: Int, count: String, feed: String, write: String, log: String?, told: String, called: String) {
        let (token, user, last) = ("$\(values + 1)::text", "$\(values + 2)::uuid", "$\(values + 3)::int8")
        let known = """
            caller as (select \(token) as token_name), member as (select \(user) as user_id),
                feed as (select \(last) as last_revision, true as is_watched, true as has_webhooks)
            """
        let rows = "select * from events where family_id = $3 and revision > \(last) - \(count) and revision <= \(last)"
        self.feed = CallersSQL { kind in
            "with \(CallersSession.query(kind)), \(EventChange.member(kind, isHeld: false)) \(feed)"
        }
        caller = CallersSQL { kind in
            """
            with \(CallersSession.query(kind)), \(EventChange.member(kind, isHeld: false))
            select \(CallersSession.columns(kind)), member.name from caller left join member on true
            """
        }
        self.write = PreparedSQL(unescaped: "with \(known) \(write)")
        self.log = log.map { PreparedSQL(unescaped: "with \(known), change as (select 1) \($0)") }
        self.told = PreparedSQL(unescaped: "with \(known) \(told)")
        self.called = PreparedSQL(unescaped: "with \(known), change as (\(rows)) \(called)")
    }
}

extension Database {
    /// - Throws: `PostgresError`, as the statement on one machine does.
    func make(
        _ steps: EventSteps, _ kind: BearerToken.Kind, _ bind: (inout PreparedSQL.Values) -> Void
    ) async throws -> MadeChange {
        do {
            if isInTransaction { return try await take(steps, kind, bind) }
            return try await transaction { try await take(steps, kind, bind) }
        } catch let refusal as Refusal {
            return refusal.found
        }
    }

    private func take(
        _ steps: EventSteps, _ kind: BearerToken.Kind, _ bind: (inout PreparedSQL.Values) -> Void
    ) async throws -> MadeChange {
        var made = MadeChange()
        let feed = try await first(steps.feed[kind].binding(by: bind)) {
            (last: try $0.next(Int64.self), isWatched: try $0.next(Bool.self), hasWebhooks: try $0.next(Bool.self))
        }
        _ = try await rows(steps.caller[kind].binding(by: bind)) {
            made.session = try CallersSession(&$0, kind)
            made.name = try $0.next()
        }
        guard let feed, let caller = made.session?.caller, made.name != nil else { throw Refusal(found: made) }
        func known(_ values: inout PreparedSQL.Values) {
            bind(&values)
            values.append(caller.token?.name)
            values.append(caller.userID)
            values.append(feed.last)
        }
        guard try await execute(steps.write.binding(by: known)) > 0 else { throw Refusal(found: made) }
        if let log = steps.log { try enqueue(log.binding(by: known)) }
        if feed.isWatched { try enqueue(steps.told.binding(by: known)) }
        if feed.hasWebhooks { try enqueue(steps.called.binding(by: known)) }
        (made.last, made.isWatched, made.hasWebhooks, made.isDone) = (feed.last, feed.isWatched, feed.hasWebhooks, true)
        return made
    }
}

/// Ends the transaction: nothing is to be kept of it.
private struct Refusal: Error {
    let found: MadeChange
}
