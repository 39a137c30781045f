import BabyBasicsAPI
import FoundationEssentials
import Postgres

// Whoever changes something of a family but its events does so under the family's lock, in one transaction, and numbers the changes.

/// The locks of families: first the rows of the memberships, then the feed. Whoever locks several does so in their order, and whoever locks
/// users does so after that, so that no two wait for each other.
enum FamilyLock {
    /// Locks the family `$1` and answers `family_id`, `last_revision` and whose memberships are locked.
    /// - Parameters:
    ///   - precondition: what must hold for anything to be locked.
    ///   - condition: what must hold for `members`, once they are locked.
    private static func statement(
        if precondition: String = "true", where condition: String = "true"
    ) -> PreparedSQL {
        PreparedSQL(
            unescaped: """
                with members as materialized (
                    select family_id, user_id, role, access_until from \(Members.table)
                    where family_id = $1 and \(precondition) order by user_id for no key update
                )
                select family_id, last_revision, array(select user_id from members) from feeds
                where family_id = $1 and exists (
                    select from (select count(*) filter (where \(condition)) as count from members) m where m.count > 0
                )
                for no key update
                """)
    }

    fileprivate static let ofCallersFamily = statement(
        if: """
            exists (
                select from \(Members.current("m", at: "$3")) where m.family_id = $1 and m.user_id = $2 and m.role = any ($4)
            )
            """,
        where: "user_id = $2 and role = any ($4) and (access_until is null or access_until > $3)")
    fileprivate static let ofFamily = statement()
}

extension RequestContext {
    /// Runs `body` in a transaction that has locked the family which the path names, or whose child it names, if the caller is a member.
    ///
    /// For a stranger, for a role that may not, and for a request over the user's limit nothing is locked: `ask` refuses them.
    func changing<Value>(_ body: () async throws -> Value) async throws -> Value {
        let user = try await countedUser(bearerToken())
        let scope: Question.Scope = if case .child = endpoint.access { .child } else { .family }
        let family = try await place(of: scope).family
        func attempt() async throws -> Value {
            try await database.transaction {
                if let family { try await database.lockFamily(family, for: user, in: allowedRoles, at: now) }
                return try await body()
            }
        }
        // Who has joined between the lock and the look is a member the second time.
        do { return try await attempt() } catch is NotLocked { return try await attempt() }
    }
}

/// Somebody may change a family by now, or is of it, and was not when it was to be locked.
struct NotLocked: Error {}

/// A family that a transaction has locked.
struct LockedFamily {
    /// The last of its numbers.
    var lastRevision: Int64
    /// Whose memberships are locked.
    let members: [UUID]
}

extension Database {
    /// Locks a family for one of its members.
    fileprivate func lockFamily(
        _ id: FamilyID, for user: UserID, in roles: [String], at now: Timestamp
    ) async throws {
        try await lock(FamilyLock.ofCallersFamily.binding(id, user, now, roles))
    }

    /// Makes everybody else who changes this family wait until the transaction ends.
    func lockFamily(_ id: FamilyID) async throws { try await lock(FamilyLock.ofFamily.binding(id)) }

    /// Makes whoever changes a family of the user wait, be the user's time in it over.
    /// - Returns: the families as they were when they were looked for; who waits for a lock may find more afterwards.
    @discardableResult
    func lockFamilies(of user: UserID) async throws -> Set<FamilyID> {
        let families = try await rows(
            "select family_id from \(unescaped: Members.table) where user_id = \(user) order by family_id"
        ) { try $0.next(FamilyID.self) }
        var locked: Set<FamilyID> = []
        // Each may be on a machine of its own.
        for family in families { try await locked.formUnion(lock(FamilyLock.ofFamily.binding(family))) }
        return locked
    }

    @discardableResult
    private func lock(_ statement: SQL) async throws -> Set<FamilyID> {
        let locked = try await rows(statement) {
            (try $0.next(FamilyID.self), LockedFamily(lastRevision: try $0.next(), members: try $0.next()))
        }
        for (family, lock) in locked { lockedFamilies[family] = lock }
        return Set(locked.map(\.0))
    }

    /// Whether this transaction has locked the family.
    func hasLocked(_ family: FamilyID) -> Bool { lockedFamilies[family] != nil }

    /// Before a membership is changed or ends. Who has joined while the lock was waited for may be logging an event, which holds the
    /// membership and waits for the feed that this transaction has.
    /// - Throws: `NotLocked`
    func requireLocked(_ member: UserID, of family: FamilyID) throws {
        guard lockedFamilies[family]?.members.contains(member.uuid) == true else { throw NotLocked() }
    }

    /// Before all memberships of a family end.
    /// - Throws: `NotLocked`
    func requireEverybodyLocked(of family: FamilyID) async throws {
        let members = try await rows(
            "select user_id from \(unescaped: Members.table) where family_id = \(family)"
        ) { try $0.next(UserID.self) }
        for member in members { try requireLocked(member, of: family) }
    }

    /// Makes whoever changes this account, or what it belongs to, wait until the transaction ends.
    func lockUser(_ id: UserID) throws {
        try enqueue("select from users where id = \(id) for no key update")
    }

    /// Takes the next numbers of a family that this transaction has locked.
    /// - Returns: the first of them.
    func takeRevisions(_ count: Int = 1, of family: FamilyID) throws -> Int64 {
        guard let last = lockedFamilies[family]?.lastRevision else { throw APIError.unexplained }
        lockedFamilies[family]?.lastRevision = last + Int64(count)
        noteChange(of: family, upTo: last + Int64(count))
        try enqueue("update feeds set last_revision = last_revision + \(count) where family_id = \(family)")
        return last + 1
    }
}
