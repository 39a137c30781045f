import BabyBasicsAPI
import Postgres

/// Finds a session, and in the same statement whatever hangs on its user, `s.user_id`: one round trip for both.
struct SessionStatement: Sendable {
    /// For a request that is counted already, and for one that is counted by it.
    private let counted: SQLTemplate
    private let counting: SQLTemplate

    /// - Parameters:
    ///   - columns: begin with a comma, or are empty.
    ///   - joins: `$3` is the value that may come with each use.
    init(columns: String = "", joins: String = "", end: String = "") {
        func template(_ session: String) -> SQLTemplate {
            SQLTemplate(
                unescaped: """
                    with s as \(session)
                    select s.user_id, s.id, s.is_due, s.since, s.requests\(columns)
                    from s \(joins) \(end)
                    """)
        }
        counted = template(
            """
            not materialized (
                select s.user_id, s.id, \(SessionLifetime.isDue) as is_due,
                    null::timestamptz as since, null::int4 as requests
                from sessions s where s.token_hash = $1 and \(SessionLifetime.isAlive))
            """)
        counting = template("(\(countingStatement))")
    }

    /// As below, without a value.
    func rows<Value>(
        _ context: RequestContext, _ admission: Admission, _ make: (inout Row) throws -> Value
    ) throws -> (caller: Caller, rows: [Value]) {
        let template = admission.isCounted ? counted : counting
        return try rows(context, admission, make) {
            template.binding(admission.token.hash, context.now)
        }
    }

    /// Runs it, and does what is due once a session is found: the request is counted and its user known, the session's expiry slides.
    ///
    /// - Parameters:
    ///   - value: `$3`.
    ///   - make: reads `columns`.
    /// - Throws: `APIError` 401 or 429.
    func rows<Value>(
        _ context: RequestContext, _ admission: Admission, value: (some PostgresValue)?,
        _ make: (inout Row) throws -> Value
    ) throws -> (caller: Caller, rows: [Value]) {
        let template = admission.isCounted ? counted : counting
        return try rows(context, admission, make) {
            template.binding(admission.token.hash, context.now, value)
        }
    }

    private func rows<Value>(
        _ context: RequestContext, _ admission: Admission, _ make: (inout Row) throws -> Value,
        _ statement: () -> SQL
    ) throws -> (caller: Caller, rows: [Value]) {
        var facts: SessionFacts?
        var values = [Value]()
        func run() throws {
            values = try context.database.rows(statement()) { row in
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
        context.mustTouchSession = facts.isDue
        if let count = facts.count { try limitUser(context, count) }
        try context.settle()
        return (facts.caller, values)
    }
}

/// What a `SessionStatement` begins with.
private struct SessionFacts {
    let caller: Caller
    let isDue: Bool
    let count: RequestCount?

    init(_ row: inout Row) throws {
        caller = Caller(userID: try row.next(), sessionID: try row.next())
        isDue = try row.next()
        count = try RequestCount(&row)
    }
}
