import BabyBasicsAPI
import Postgres

/// Takes somebody out of the family. What they logged stays.
func removeMember(_ context: RequestContext, membership: FamilyMembership) async throws -> Reply<Empty> {
    let caller = membership.caller.userID
    try membership.requireManager(otherwise: "Only the owner can remove members")
    let target = try context.identifier(1, of: User.self, otherwise: .memberNotFound)
    guard target != caller else {
        throw APIError(
            .validationError, "Cannot remove yourself. Leave the family or delete it instead.")
    }
    guard try await context.remove(target, from: membership.family, by: caller) else {
        throw APIError.memberNotFound
    }
    return .nothing
}

extension APIError {
    static let memberNotFound = APIError(.notFound, "Member not found")
}

extension RequestContext {
    /// Takes somebody out of a family that this transaction has locked: whoever is told to, and whoever deletes the account.
    /// - Returns: false where there is no such member.
    func remove(_ target: UserID, from family: Family, by actor: UserID) async throws -> Bool {
        let members = try await members(of: family)
        guard members.contains(where: { $0.userId == target }) else { return false }
        try await remove(target, from: family, with: members, by: actor)
        return true
    }

    /// Takes one of its members out of a family that this transaction has locked.
    func remove(
        _ target: UserID, from family: Family, with members: [Member], by actor: UserID
    ) async throws {
        guard let member = members.first(where: { $0.userId == target }) else { return }
        try database.requireLocked(target, of: family.id)
        try database.enqueue(
            """
            delete from \(unescaped: Members.table) where family_id = \(family.id) and user_id = \(target)
            """)
        try database.bury(
            "family_member", target.uuid, of: family.id, revision: database.takeRevisions(of: family.id), at: now)
        var changes = AuditChanges.none
        changes.note("role", from: member.role, to: nil)
        changes.note("access_until", from: member.accessUntil, to: nil)
        try await audit(
            .delete, .familyMember, target.uuid, by: actor, family: family.id, changes: changes)
        try tell(target == actor ? .left : .removed, of: target, in: family.id)
        try tellEnd(of: target, in: family.id, at: nil)
        // A parent knows the links that are still open.
        if member.role == .parent { try await revokeOpenInvites(of: family.id, by: actor) }
        if family.ownerId == target {
            // The parent who joined first.
            let heir = members.first { $0.role == .parent && $0.userId != target }
            _ = try await pass(family, to: heir?.userId, by: actor)
        }
    }
}
