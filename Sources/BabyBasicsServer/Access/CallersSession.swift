import BabyBasicsAPI
import Postgres

/// The caller's session, as every statement that knows its caller begins with it.
struct CallersSession {
    /// The first query of a `with`: the session of the token's hash `$1` at the moment `$2`.
    static let query = """
        caller as (
            select s.user_id, s.id as session_id, \(SessionLifetime.isDue) as is_due
            from sessions s where s.token_hash = $1 and \(SessionLifetime.isAlive)
        )
        """
    /// What `init` reads.
    static let columns = "caller.user_id, caller.session_id, caller.is_due"
    static let columnCount = 3

    let caller: Caller
    /// Whether this use of the session is to be written down.
    let isDue: Bool

    init(_ row: inout Row) throws {
        caller = Caller(userID: try row.next(), sessionID: try row.next())
        isDue = try row.next()
    }
}

extension RequestContext {
    /// The caller, once the session was found.
    var authenticated: Caller {
        get throws {
            guard let caller else { throw APIError.unexplained }
            return caller
        }
    }

    /// Notes whose request it is, and counts it.
    /// - Throws: `APIError` 401 or 429.
    func establish(_ session: CallersSession?, _ token: BearerToken) throws {
        guard let session else {
            takeBackCount(of: token)
            throw APIError.invalidToken
        }
        caller = session.caller
        if session.isDue { services.sessionTouches.note(session.caller.sessionID, at: now) }
        services.userLimit.learn(session.caller.userID, of: token)
        try countIfKnown(token)
    }

    /// Whose request it is, and counts it, before anything is locked or changed. Whether the session still lives is for the statement that
    /// reads or changes.
    /// - Throws: `APIError` 401, 403 or 429.
    func countedUser(_ token: BearerToken) async throws -> UserID {
        let known = services.userLimit.user(of: token)
        try countIfKnown(token)
        if let known { return known }
        return try await authenticate(self).userID
    }
}
