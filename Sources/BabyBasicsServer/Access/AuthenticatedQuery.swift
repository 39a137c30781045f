import BabyBasicsAPI
import Postgres

/// A handler's own SQL behind the caller's session: one round trip for both.
///
/// It reads `with caller as (…) select … from caller …`: `caller` has one row, with `user_id`, where the session lives, and none
/// otherwise. `$1` is the token's hash and `$2` the request's moment; values of one's own begin with `$3`. A row comes even where
/// nothing is joined, so what is joined is joined by `left join`.
struct AuthenticatedQuery: Sendable {
    let sql: PreparedSQL

    /// - Parameters:
    ///   - steps: further queries of the `with`, each after a comma.
    ///   - columns: what `make` reads, separated by commas.
    ///   - tables: what follows `from caller`.
    init(steps: String = "", columns: String = "", from tables: String = "") {
        sql = PreparedSQL(
            unescaped: """
                with caller as (
                    select s.user_id, s.id as session_id, \(SessionLifetime.isDue) as is_due
                    from sessions s where s.token_hash = $1 and \(SessionLifetime.isAlive)
                )\(steps)
                select caller.user_id, caller.session_id, caller.is_due\(columns.isEmpty ? "" : ", \(columns)")
                from caller \(tables)
                """)
    }
}

extension RequestContext {
    /// Runs a query that changes nothing, and reads its rows. From then on the caller is known.
    ///
    /// - Parameters:
    ///   - bind: appends the values from `$3` on.
    ///   - make: reads the query's own columns.
    /// - Throws: `APIError` 401, 403 or 429.
    func rows<Value>(
        _ query: AuthenticatedQuery, binding bind: (inout PreparedSQL.Values) -> Void = { _ in },
        _ make: (inout Row) throws -> Value
    ) async throws -> [Value] {
        let token = try bearerToken()
        try countIfKnown(token)
        let sql = self.sql(query, token, bind)
        var session: FoundSession?
        let rows = try await database.read(sql) { row in
            try Self.read(&row, &session, make)
        }
        try establish(session, token)
        return rows
    }

    /// Runs a query that is a whole change, and reads its rows. Whoever's requests of the minute are used up changes nothing by it.
    /// - Parameter statements: run before it, in the same transaction and round trip.
    func change<Value>(
        _ query: AuthenticatedQuery, after statements: (UserID) -> [SQL] = { _ in [] },
        binding bind: (inout PreparedSQL.Values) -> Void,
        _ make: (inout Row) throws -> Value
    ) async throws -> [Value] {
        let token = try bearerToken()
        let user = try await countedUser(token)
        var session: FoundSession?
        let rows = try await database.change(sql(query, token, bind), after: statements(user)) { row in
            try Self.read(&row, &session, make)
        }
        try establish(session, token)
        return rows
    }

    private func sql(
        _ query: AuthenticatedQuery, _ token: BearerToken,
        _ bind: (inout PreparedSQL.Values) -> Void
    ) -> SQL {
        query.sql.binding {
            $0.append(token.hash)
            $0.append(now)
            bind(&$0)
        }
    }

    private static func read<Value>(
        _ row: inout Row, _ session: inout FoundSession?, _ make: (inout Row) throws -> Value
    ) throws -> Value {
        if session == nil {
            session = try FoundSession(&row)
        } else {
            row.skip(3)
        }
        return try make(&row)
    }

    /// The caller, once the session was found.
    var authenticated: Caller {
        get throws {
            guard let caller else { throw APIError.unexplained }
            return caller
        }
    }

    private func establish(_ session: FoundSession?, _ token: BearerToken) throws {
        guard let session else {
            takeBackCount(of: token)
            throw APIError.invalidToken
        }
        caller = session.caller
        if session.isDue { services.sessionTouches.note(session.caller.sessionID, at: now) }
        services.userLimit.learn(session.caller.userID, of: token)
        try countIfKnown(token)
    }
}

/// What an authenticated query begins with.
private struct FoundSession {
    let caller: Caller
    let isDue: Bool

    init(_ row: inout Row) throws {
        caller = Caller(userID: try row.next(), sessionID: try row.next())
        isDue = try row.next()
    }
}
