import BabyBasicsAPI
import Postgres

// Whoever changes something of a family does so under the family's lock, in one transaction, and numbers the changes.

extension RequestContext {
    /// Runs `body` in a transaction that has locked the family which the path names, or whose child it names, if the caller is a member.
    ///
    /// The lock travels with the statement that `body` begins with, which runs after it and so sees what it waited for. For a stranger, and
    /// for a request over the user's limit, nothing is locked.
    func changing<Value>(_ body: () async throws -> Value) async throws -> Value {
        let token = try bearerToken()
        if services.userLimit.user(of: token) == nil { try await authenticate(self) }
        try countIfKnown(token)
        let lock = if case .child = endpoint.access { lockOfChild } else { lockOfFamily }
        return try await database.transaction {
            try database.enqueue(
                lock.binding(Identifier<Family>(parameters[0])?.uuid, token.hash, now))
            return try await body()
        }
    }

    /// Takes the family's next numbers, which go with a transaction that has locked it.
    /// - Returns: the first of them.
    func takeRevisions(_ count: Int = 1, of family: FamilyID) throws -> Int64 {
        guard let last = lastRevision, database.isInTransaction else { throw APIError.unexplained }
        lastRevision = last + Int64(count)
        try database.enqueue(
            "update families set last_revision = \(last + Int64(count)) where id = \(family)")
        return last + 1
    }
}

private let membership = """
    exists (
        select from family_members m join sessions s on s.user_id = m.user_id
        where m.family_id = f.id and s.token_hash = $2 and s.expires_at > $3
    )
    """
private let lockOfFamily = PreparedSQL(
    unescaped: "select from families f where f.id = $1 and \(membership) for no key update")
private let lockOfChild = PreparedSQL(
    unescaped: """
        select from families f where f.id = (select family_id from children where id = $1) and \(membership)
        for no key update
        """)

/// Makes everybody else who changes this family wait until the transaction ends.
func lockFamily(_ id: FamilyID, _ database: Database) async throws {
    try await database.execute("select from families where id = \(id) for no key update")
}
