import BabyBasicsAPI
import Postgres

/// Finds a session, and in the same statement whatever hangs on its user, `s.user_id`: one round trip for both.
struct SessionStatement: Sendable {
    /// Begins with a comma, or is empty.
    let columns: String
    let joins: SQL
    var end = ""

    /// Runs it, and does what is due once a session is found: the request is counted and its user known, the session's expiry slides.
    ///
    /// - Parameter make: reads `columns`.
    /// - Throws: `APIError` 401 or 429.
    func rows<Value>(
        _ context: RequestContext, _ admission: Admission, _ make: (inout Row) throws -> Value
    ) throws -> (caller: Caller, rows: [Value]) {
        var facts: SessionFacts?
        var values = [Value]()
        func run() throws {
            values = try context.database.rows(sql(context, admission)) { row in
                facts = try SessionFacts(&row)
                return try make(&row)
            }
        }
        try run()
        // The first request ever of a user finds no counter.
        if facts == nil, !admission.isCounted, try beginCounting(context, admission.token) {
            try run()
        }
        guard let facts else { throw APIError.invalidToken }
        context.caller = facts.caller
        context.mustTouchSession =
            facts.lastUsedAt < context.now.adding(.zero - SessionLifetime.granularity)
        try use(facts.count, of: admission, context)
        try context.settle()
        return (facts.caller, values)
    }

    private func sql(_ context: RequestContext, _ admission: Admission) -> SQL {
        let (token, now) = (admission.token.hash, context.now)
        let session: SQL =
            admission.isCounted
            ? """
            select s.user_id, s.id, s.last_used_at, r.since, r.requests, r.granted
            from sessions s left join user_rates r on r.user_id = s.user_id
            where s.token_hash = \(token) and s.expires_at > \(now)
            """ : countingStatement(token: token, now: now)
        return """
            with s as \(unescaped: admission.isCounted ? "not materialized" : "") (\(fragment: session))
            select s.user_id, s.id, s.last_used_at, s.since, s.requests, s.granted\(unescaped: columns)
            from s \(fragment: joins) \(unescaped: end)
            """
    }
}

/// What a `SessionStatement` begins with.
private struct SessionFacts {
    let caller: Caller
    let lastUsedAt: Timestamp
    let count: RequestCount?

    init(_ row: inout Row) throws {
        caller = Caller(userID: try row.next(), sessionID: try row.next())
        lastUsedAt = try row.next()
        count = try RequestCount(&row)
    }
}
