import BabyBasicsAPI
import FoundationEssentials
import Postgres

// Whoever changes something of a family does so under the family's lock, in one transaction, and numbers the changes.

extension RequestContext {
    /// Runs `body` in a transaction that has locked the family which the path names, or whose child it names, if the caller is a member.
    ///
    /// The lock travels with the statement that `body` begins with, which runs after it and so sees what it waited for. For a stranger, for
    /// a role that may not, and for a request over the user's limit nothing is locked.
    func changing<Value>(_ body: () async throws -> Value) async throws -> Value {
        let user = try await countedUser(bearerToken())
        return try await database.transaction {
            try database.enqueue(familyLock(for: user))
            return try await body()
        }
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

    /// Locks the family that the path names, or whose child it names, if the user is a member who may change it.
    /// - Parameter ids: are locked after it: see `ClientIdentifiers.claim`.
    func familyLock(for user: UserID, claiming ids: [UUID] = []) -> SQL {
        let thing = Identifier<Family>(parameters[0])?.uuid
        let lock = if case .child = endpoint.access { locksOfChild } else { locksOfFamily }
        return ids.isEmpty
            ? lock.alone.binding(user, now, thing, allowedRoles)
            : lock.claiming.binding(user, now, thing, allowedRoles, ids)
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

private let locksOfFamily = locks(of: "f.id = $3")
private let locksOfChild = locks(of: "f.id = (select family_id from children where id = $3)")

private func locks(of condition: String) -> (alone: PreparedSQL, claiming: PreparedSQL) {
    let family = """
        select from families f
        where \(condition) and exists (
            select from \(Members.current("m", at: "$2"))
            where m.family_id = f.id and m.user_id = $1 and m.role = any($4)
        )
        for no key update
        """
    return (
        alone: PreparedSQL(unescaped: family),
        claiming: PreparedSQL(
            unescaped: """
                with family as materialized (\(family))
                select \(ClientIdentifiers.lock) from family, \(ClientIdentifiers.locks(of: "$5"))
                """)
    )
}

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
