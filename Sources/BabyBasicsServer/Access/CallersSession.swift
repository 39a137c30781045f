import BabyBasicsAPI
import Postgres

/// The caller's session or token, as every statement that knows its caller begins with it.
struct CallersSession {
    /// The first query of a `with`: the session, or the program's token, of the hash `$1` at the moment `$2`.
    static func query(_ kind: BearerToken.Kind) -> String {
        switch kind {
        case .session:
            """
            caller as (
                select s.user_id, s.id as session_id, \(SessionLifetime.isDue) as is_due, null::text as token_name
                from sessions s where s.token_hash = $1 and \(SessionLifetime.isAlive)
            )
            """
        case .program:
            """
            caller as (
                select t.user_id, t.id as session_id, \(ProgramTokens.isDue) as is_due, t.name::text as token_name,
                    t.family_id, t.scope::text
                from tokens t join \(Members.current("o", at: "$2")) on o.family_id = t.family_id and o.user_id = t.user_id
                where t.token_hash = $1 and \(ProgramTokens.isAlive)
            )
            """
        }
    }

    /// What `init` reads.
    static func columns(_ kind: BearerToken.Kind) -> String {
        let own = "caller.user_id, caller.session_id, caller.is_due"
        return kind == .session ? own : "\(own), caller.token_name, caller.scope"
    }

    static func columnCount(_ kind: BearerToken.Kind) -> Int { kind == .session ? 3 : 5 }

    /// What must hold for the caller's membership `m` besides: a token is of one family.
    static func membership(_ kind: BearerToken.Kind) -> String {
        kind == .session ? "" : "and m.family_id = caller.family_id"
    }

    let caller: Caller
    /// Whether this use is to be written down.
    let isDue: Bool

    init(_ row: inout Row, _ kind: BearerToken.Kind) throws {
        let (user, session): (UserID, Identifier<SignedIn.Session>) = (try row.next(), try row.next())
        isDue = try row.next()
        var token: CallersToken?
        if kind == .program {
            token = CallersToken(name: try row.next(), scope: try row.next())
        }
        caller = Caller(userID: user, sessionID: session, token: token)
    }
}

/// A statement that begins with its caller, in both forms: for sessions nothing is to be paid for tokens.
struct CallersSQL: Sendable {
    private let ofSessions: PreparedSQL
    private let ofPrograms: PreparedSQL

    /// - Parameter text: the whole statement, with its `with`.
    init(_ text: (BearerToken.Kind) -> String) {
        ofSessions = PreparedSQL(unescaped: text(.session))
        ofPrograms = PreparedSQL(unescaped: text(.program))
    }

    subscript(_ kind: BearerToken.Kind) -> PreparedSQL { kind == .session ? ofSessions : ofPrograms }
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
        if session.isDue { services.sessionTouches.note(session.caller, at: now) }
        services.userLimit.learn(session.caller, of: token)
        try countIfKnown(token)
    }

    /// - Throws: `APIError` 403 for a program that the endpoint is not open to.
    func requireScope() throws {
        if let token = caller?.token, !endpoint.isOpen(toTokens: token.scope) { throw APIError.notForTokens }
    }

    /// Whose request it is, and counts it, before anything is locked or changed. Whether the session still lives is for the statement that
    /// reads or changes. What a program may do never changes, and is known from here on.
    /// - Throws: `APIError` 401, 403, 429 or 415.
    func countedUser(_ token: BearerToken) async throws -> UserID {
        let known = services.userLimit.user(of: token)
        try countIfKnown(token)
        if let known, token.kind == .session { return known }
        return try await authenticate(self).userID
    }
}
