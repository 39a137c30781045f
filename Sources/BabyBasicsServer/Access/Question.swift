import BabyBasicsAPI
import Postgres

/// A handler's own SQL behind the caller's session and membership: one statement, one round trip.
///
/// A question carries its access. `RequestContext.ask` is the only way to run one, and it refuses the caller before the handler sees a row.
/// `$1` is the token's hash and `$2` the request's moment. `caller` has one row, with `user_id`, where the session lives. A row comes even where
/// nothing is joined, so a handler's tables come by `left join`.
struct Question: Sendable {
    enum Scope: Sendable {
        case user, family, child

        /// Nil for an endpoint that asks for no session.
        init?(_ access: Access) {
            switch access {
            case .anyone, .admin: return nil
            case .user: self = .user
            case .family: self = .family
            case .child: self = .child
            }
        }
    }

    let scope: Scope
    let sql: CallersSQL

    /// Of the caller alone. The handler's values begin with `$3`.
    static func ofUser(columns: String = "", from tables: String = "") -> Question {
        Question(.user, role: "null::text", columns) { _ in tables }
    }

    /// Of the family `$3`; `m` is the caller's membership. The handler's values begin with `$4`.
    static func ofFamily(columns: String, from tables: String = "") -> Question {
        Question(
            .family, role: "m.role", columns
        ) { kind in
            """
            left join \(Members.current("m", at: "$2")) on m.family_id = $3 and m.user_id = caller.user_id
                \(CallersSession.membership(kind))
            \(tables)
            """
        }
    }

    /// Of the child `$4` of the family `$3`; `c` is the child and `m` the caller's membership. The handler's values begin with `$5`.
    static func ofChild(columns: String, from tables: String = "") -> Question {
        Question(
            .child, role: "m.role", columns
        ) { kind in
            """
            left join (
                children c join \(Members.current("m", at: "$2")) on m.family_id = c.family_id
            ) on c.family_id = $3 and c.id = $4 and m.user_id = caller.user_id \(CallersSession.membership(kind))
            \(tables)
            """
        }
    }

    private init(_ scope: Scope, role: String, _ columns: String, from tables: (BearerToken.Kind) -> String) {
        self.scope = scope
        sql = CallersSQL { kind in
            """
            with \(CallersSession.query(kind))
            select \(CallersSession.columns(kind)), \(role)\(columns.isEmpty ? "" : ", \(columns)")
            from caller \(tables(kind))
            """
        }
    }
}

extension RequestContext {
    /// Asks a question. From then on the caller is known.
    ///
    /// - Parameters:
    ///   - bind: appends the handler's own values.
    ///   - make: reads the handler's own columns of one row.
    /// - Throws: `APIError` 401, 429, 415, then 404 or 403 of what the path names; 503 where the caller became a member after the transaction
    ///   asked for the family's lock.
    func ask<Value>(
        _ question: Question, binding bind: (inout PreparedSQL.Values) -> Void = { _ in },
        _ make: (inout Row) throws -> Value
    ) async throws -> [Value] {
        let token = try bearerToken()
        try countIfKnown(token)
        let place = try await place(of: question.scope)
        let sql = question.sql[token.kind].binding {
            $0.append(token.hash)
            $0.append(now)
            if question.scope != .user { $0.append(place.family) }
            if question.scope == .child { $0.append(place.child) }
            bind(&$0)
        }
        var session: CallersSession?
        var role: Role?
        var values: [Value] = []
        _ = try await database.read(sql) { row in
            if session == nil {
                session = try CallersSession(&row, token.kind)
                role = try row.next()
            } else {
                row.skip(CallersSession.columnCount(token.kind) + 1)
            }
            if role != nil || question.scope == .user { values.append(try make(&row)) }
        }
        try establish(session, token)
        try requireJSON(self)
        try requireScope()
        try require(role, in: question.scope, place.family)
        return values
    }

    /// - Throws: `APIError` 404 or 403.
    private func require(_ role: Role?, in scope: Question.Scope, _ family: FamilyID?) throws {
        answeredScope = scope
        switch scope {
        case .user: return
        case .family:
            if family == nil { throw APIError.notFound }
            guard role != nil else { throw APIError.notAMember }
        case .child: guard role != nil else { throw APIError.childNotFound }
        }
        if let role, let refusal = endpoint.refusal(of: role) { throw APIError(.forbidden, refusal) }
        if let family, database.isInTransaction, !database.hasLocked(family) { throw NotLocked() }
    }

    /// The family, and where it is asked for the child, that the path names; nil for what is no identifier or no child.
    func place(of scope: Question.Scope) async throws -> (family: FamilyID?, child: ChildID?) {
        switch scope {
        case .user: return (nil, nil)
        case .family: return (Identifier(parameters[0]), nil)
        case .child:
            guard let child = ChildID(parameters[0]) else { return (nil, nil) }
            return (try await services.childFamilies.family(of: child, in: database), child)
        }
    }
}
