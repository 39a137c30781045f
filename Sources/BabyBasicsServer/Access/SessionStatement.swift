import BabyBasicsAPI
import FastCGI
import Postgres

/// Finds a session, and in the same statement whatever hangs on its user, `s.user_id`: one round trip for both.
final class SessionStatement: Sendable {
    /// For a request that is counted already, for one that is counted by it, and for one that has just been counted, if it was not refused.
    let counted: SQLTemplate
    private let counting: SQLTemplate
    private let granted: SQLTemplate

    /// - Parameters:
    ///   - steps: begin with a comma, or are empty: further queries of the `with` that begins with the session's.
    ///   - columns: begin with a comma, or are empty.
    ///   - joins: `$3` is the value that may come with each use.
    init(steps: String = "", columns: String = "", joins: String = "", end: String = "") {
        func template(
            _ session: String, _ counter: String = "", mayBeMany: Bool = false
        ) -> SQLTemplate {
            SQLTemplate(
                unescaped: """
                    with s as \(session)\(steps)
                    select s.user_id, s.id, s.is_due\(counter)\(columns)
                    from s \(joins) \(end)
                    """, mayBeMany: mayBeMany)
        }
        func session(_ condition: String = "") -> String {
            """
            (select s.user_id, s.id, \(SessionLifetime.isDue) as is_due
            from sessions s where s.token_hash = $1 and \(SessionLifetime.isAlive)\(condition))
            """
        }
        counted = template(session(), mayBeMany: steps.isEmpty)
        granted = template(session(" and \(isGranted)"))
        counting = template("(\(countingStatement))", ", s.since, s.requests, s.granted")
    }

    /// As it is run for one request.
    ///
    /// - Parameter value: `$3`, of a statement that has one.
    func question(
        _ context: RequestContext, _ admission: Admission, value: (some PostgresValue)?
    ) -> SessionQuestion {
        let template = admission.isCounted ? counted : counting
        return SessionQuestion(
            context, admission, Self.bind(template, context, admission) { $0.append(value) },
            goes: .inLine)
    }

    func question(_ context: RequestContext, _ admission: Admission) -> SessionQuestion {
        let template = admission.isCounted ? counted : counting
        return SessionQuestion(
            context, admission, Self.bind(template, context, admission), goes: .inLine)
    }

    /// The same for a statement that changes something: the request is counted ahead of it, in the same round trip but for good.
    func questionOfChange(
        _ context: RequestContext, _ admission: Admission, value: (some PostgresValue)?
    ) -> SessionQuestion {
        SessionQuestion(
            context, admission, Self.bind(counted, context, admission) { $0.append(value) },
            after: Self.count(context, admission))
    }

    /// The same for a statement that is a whole change by itself: it finds no session where the counter has just refused the request, nor
    /// now and then for one of several requests of a user at the same moment.
    ///
    /// - Parameter append: the values from `$3` on.
    func questionOfWholeChange(
        _ context: RequestContext, _ admission: Admission,
        with append: (inout SQLTemplate.Values) -> Void
    ) -> SessionQuestion {
        let template = admission.isCounted ? counted : granted
        return SessionQuestion(
            context, admission, Self.bind(template, context, admission, with: append),
            after: Self.count(context, admission),
            isConditional: !admission.isCounted, goes: .inGroup)
    }

    private static func count(_ context: RequestContext, _ admission: Admission) -> SQL? {
        admission.isCounted ? nil : bind(count, context, admission)
    }

    private static let count = SQLTemplate(unescaped: countingStatement)

    private static func bind(
        _ template: SQLTemplate, _ context: RequestContext, _ admission: Admission,
        with append: (inout SQLTemplate.Values) -> Void = { _ in }
    ) -> SQL {
        template.binding {
            $0.append(admission.token.hash)
            $0.append(context.now)
            append(&$0)
        }
    }
}

/// A `SessionStatement` of one request, to be asked ahead or not, and to be answered.
struct SessionQuestion {
    fileprivate enum Way {
        case alone
        /// Others may wait behind it: it reads, and changes a counter at most, which no transaction keeps for long.
        case inLine
        /// It is a whole change, which may be one transaction with others'.
        case inGroup
    }

    private let context: RequestContext
    private let admission: Admission
    private let statement: SQL
    /// Counts the request ahead of it.
    private let count: SQL?
    /// Whether it finds no session unless the counter has let the request in.
    private let isConditional: Bool
    private let way: Way

    fileprivate init(
        _ context: RequestContext, _ admission: Admission, _ statement: SQL,
        after count: SQL? = nil, isConditional: Bool = false, goes way: Way = .alone
    ) {
        self.way = way
        self.isConditional = isConditional
        self.context = context
        self.admission = admission
        self.statement = statement
        self.count = count
    }

    /// See `RequestContext.ask`.
    func ask() throws {
        switch way {
        case .alone: try context.ask(statement, after: count)
        case .inLine: try context.askInLine(statement)
        case .inGroup: try context.askInGroup(statement, after: count)
        }
    }

    /// Does what is due once a session is found: the request is counted and its user known, the session's expiry slides.
    ///
    /// - Parameter make: reads `columns`.
    /// - Throws: `APIError` 401 or 429; of a change `NoCounter` for the first request ever of a user, which is to be counted and done again.
    func rows<Value>(
        _ make: (inout Row) throws -> Value
    ) throws -> (caller: Caller, rows: [Value]) {
        try count.map { try rows(after: $0, make) } ?? rowsCounting(make)
    }

    private func rowsCounting<Value>(
        _ make: (inout Row) throws -> Value
    ) throws -> (caller: Caller, rows: [Value]) {
        var facts: SessionFacts?
        var values = [Value]()
        func run() throws {
            values = try context.rows(statement) { row in
                facts = try SessionFacts(&row, counting: !admission.isCounted)
                return try make(&row)
            }
        }
        try run()
        // The first request ever of a user finds no counter.
        if facts == nil, !admission.isCounted {
            context.turn.release()
            if try beginCounting(context, admission.token) { try run() }
        }
        guard let facts else { throw admission.refused(context) }
        try facts.establish(context, admission)
        try context.settle()
        return (facts.caller, values)
    }

    private func rows<Value>(
        after count: SQL, _ make: (inout Row) throws -> Value
    ) throws -> (caller: Caller, rows: [Value]) {
        var facts: SessionFacts?
        let rows: [Value]
        do {
            rows = try context.rows(
                statement, after: count,
                reading: { facts = try SessionFacts(&$0, counting: true) },
                { row in
                    row.skip(SessionFacts.columns)
                    return try make(&row)
                })
        } catch {
            // What has been granted counts all the same.
            try facts?.establish(context, admission)
            throw error
        }
        guard let facts else {
            throw isConditional || !rows.isEmpty ? NoCounter() : APIError.invalidToken
        }
        try facts.establish(context, admission)
        // Ended between the two statements.
        if rows.isEmpty, !isConditional { throw APIError.invalidToken }
        return (facts.caller, rows)
    }
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

    /// Without those of the counter.
    static let columns = 3

    /// - Parameter counting: whether the statement has asked the counter.
    init(_ row: inout Row, counting: Bool) throws {
        caller = Caller(userID: try row.next(), sessionID: try row.next())
        isDue = try row.next()
        counter = counting ? try CounterAnswer(&row) : nil
    }
}
