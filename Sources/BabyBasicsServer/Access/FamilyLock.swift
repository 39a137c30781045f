import BabyBasicsAPI
import Postgres

// Whoever changes something of a family does so under the family's lock, in one transaction, and numbers the changes.

extension RequestContext {
    /// Runs `body` in a transaction that has locked the family which the path names, or whose child it names, if the caller is a member.
    ///
    /// The lock travels with the statement that `body` begins with, which runs after it and so sees what it waited for. For a stranger, for
    /// a role that may not, and for a request over the user's limit nothing is locked.
    func changing<Value>(_ body: () async throws -> Value) async throws -> Value {
        let token = try bearerToken()
        if services.userLimit.user(of: token) == nil { try await authenticate(self) }
        try countIfKnown(token)
        return try await database.transaction {
            try database.enqueue(familyLock(of: token))
            return try await body()
        }
    }

    /// Locks the family that the path names, or whose child it names, if the caller is a member.
    func familyLock(of token: BearerToken) -> SQL {
        let lock = if case .child = endpoint.access { lockOfChild } else { lockOfFamily }
        return lock.binding(token.hash, now, Identifier<Family>(parameters[0])?.uuid, allowedRoles)
    }

    /// Takes the family's next numbers, which go with a transaction that has locked it.
    /// - Returns: the first of them.
    func takeRevisions(_ count: Int = 1, of family: FamilyID) throws -> Int64 {
        guard let last = lastRevision, database.isInTransaction else { throw APIError.unexplained }
        lastRevision = last + Int64(count)
        database.noteChange(of: family, upTo: last + Int64(count))
        try database.enqueue(
            "update families set last_revision = \(last + Int64(count)) where id = \(family)")
        return last + 1
    }
}

extension RequestContext {
    private var allowedRoles: [String] {
        Role.allCases.filter { endpoint.refusal(of: $0) == nil }.map(\.rawValue)
    }
}

private let membership = """
    exists (
        select from \(Members.current("m", at: "$2")) join sessions s on s.user_id = m.user_id
        where m.family_id = f.id and m.role = any($4) and s.token_hash = $1 and \(SessionLifetime.isAlive)
    )
    """
private let lockOfFamily = PreparedSQL(
    unescaped: "select from families f where f.id = $3 and \(membership) for no key update")
private let lockOfChild = PreparedSQL(
    unescaped: """
        select from families f where f.id = (select family_id from children where id = $3) and \(membership)
        for no key update
        """)

extension Database {
    /// Makes everybody else who changes this family wait until the transaction ends. The lock travels with the next statement.
    func lockFamily(_ id: FamilyID) throws {
        try enqueue("select from families where id = \(id) for no key update")
    }

    /// Makes whoever changes this account, or what it belongs to, wait until the transaction ends. Families are locked before users.
    func lockUser(_ id: UserID) throws {
        try enqueue("select from users where id = \(id) for no key update")
    }
}
