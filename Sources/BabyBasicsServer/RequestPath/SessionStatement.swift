import BabyBasicsAPI
import Postgres

/// Finds a session, and in the same statement whatever hangs on its user, `s.user_id`: one round trip for both.
struct SessionStatement: Sendable {
    /// For a request that is counted already, and for one that is counted by it.
    private let counted: SQLTemplate
    private let counting: SQLTemplate

    /// - Parameters:
    ///   - steps: begin with a comma, or are empty: further queries of the `with` that begins with the session's.
    ///   - columns: begin with a comma, or are empty.
    ///   - joins: `$3` is the value that may come with each use.
    init(steps: String = "", columns: String = "", joins: String = "", end: String = "") {
        func template(_ session: String, _ counter: String = "") -> SQLTemplate {
            SQLTemplate(
                unescaped: """
                    with s as \(session)\(steps)
                    select s.user_id, s.id, s.is_due\(counter)\(columns)
                    from s \(joins) \(end)
                    """)
        }
        counted = template(
            """
            (select s.user_id, s.id, \(SessionLifetime.isDue) as is_due
            from sessions s where s.token_hash = $1 and \(SessionLifetime.isAlive))
            """)
        counting = template("(\(countingStatement))", ", s.since, s.requests, s.granted")
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

    /// The first row, of a request that is counted already.
    ///
    /// - Parameter append: the values from `$3` on.
    /// - Throws: `APIError` 401 or 429.
    func first<Value>(
        _ context: RequestContext, _ admission: Admission,
        with append: (inout SQLTemplate.Values) -> Void, _ make: (inout Row) throws -> Value
    ) throws -> (caller: Caller, value: Value) {
        let found = try rows(context, admission, make) {
            counted.binding {
                $0.append(admission.token.hash)
                $0.append(context.now)
                append(&$0)
            }
        }
        return (found.caller, found.rows[0])
    }

    private func rows<Value>(
        _ context: RequestContext, _ admission: Admission, _ make: (inout Row) throws -> Value,
        _ statement: () -> SQL
    ) throws -> (caller: Caller, rows: [Value]) {
        var facts: SessionFacts?
        var values = [Value]()
        func run() throws {
            values = try context.database.rows(statement()) { row in
                facts = try SessionFacts(&row, counting: !admission.isCounted)
                return try make(&row)
            }
        }
        try run()
        // The first request ever of a user finds no counter.
        if facts == nil, !admission.isCounted, try beginCounting(context, admission.token) {
            try run()
        }
        guard let facts else { throw admission.refused(context) }
        try facts.establish(context, admission)
        try context.settle()
        return (facts.caller, values)
    }

    /// As above, as the first statement of a transaction. The request is counted ahead of it, in the same round trip but for good.
    ///
    /// - Throws: `APIError` 401 or 429; `NoCounter` for the first request ever of a user, which is to be counted and done again.
    func rowsOfTransaction<Value>(
        _ context: RequestContext, _ admission: Admission, value: (some PostgresValue)?,
        _ make: (inout Row) throws -> Value
    ) throws -> (caller: Caller, rows: [Value]) {
        let statement = counted.binding(admission.token.hash, context.now, value)
        if admission.isCounted { return try rows(context, admission, make) { statement } }
        let found = try context.database.rows(
            statement,
            after: Self.count.binding(admission.token.hash, context.now),
            reading: { try SessionFacts(&$0, counting: true) },
            making: { row in
                _ = try SessionFacts(&row, counting: false)
                return try make(&row)
            })
        guard let facts = found.prelude else {
            throw found.rows.isEmpty ? APIError.invalidToken : NoCounter()
        }
        try facts.establish(context, admission)
        // Ended between the two statements.
        if found.rows.isEmpty { throw APIError.invalidToken }
        return (facts.caller, found.rows)
    }

    private static let count = SQLTemplate(unescaped: countingStatement)
}

/// A user whose requests have not been counted yet.
struct NoCounter: Error {}

/// What a `SessionStatement` begins with.
private struct SessionFacts {
    let caller: Caller
    let isDue: Bool
    /// Nil where this request did not ask the counter.
    let counter: CounterAnswer?

    /// - Throws: `APIError` 429.
    func establish(_ context: RequestContext, _ admission: Admission) throws {
        context.caller = caller
        if isDue { context.services.sessionUses.note(caller.sessionID, at: context.now) }
        if let counter {
            let count = context.services.grants.keep(
                counter, for: caller.userID, token: admission.token, at: context.now)
            try limitUser(context, count)
        } else if let count = admission.granted?.count {
            try limitUser(context, count)
        }
    }

    /// - Parameter counting: whether the statement has asked the counter.
    init(_ row: inout Row, counting: Bool) throws {
        caller = Caller(userID: try row.next(), sessionID: try row.next())
        isDue = try row.next()
        counter = counting ? try CounterAnswer(&row) : nil
    }
}
