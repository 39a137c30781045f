import BabyBasicsAPI
import Postgres

/// Takes somebody out of the family. What they logged stays.
func removeMember(_ context: RequestContext, membership: FamilyMembership) async throws -> Reply<Empty> {
    let family = membership.family
    let caller = membership.caller.userID
    try membership.requireManager(otherwise: "Only the owner can remove members")
    let target = try context.identifier(1, of: User.self, otherwise: memberNotFound)
    guard target != caller else {
        throw APIError(
            .validationError, "Cannot remove yourself. Leave the family or delete it instead.")
    }
    guard try await context.remove(target, from: family, by: caller) else { throw memberNotFound }
    return .nothing
}

private let memberNotFound = APIError(.notFound, "Member not found")

extension RequestContext {
    /// Takes somebody out of a family that this transaction has locked: whoever is told to, and whoever deletes the account.
    /// - Returns: false where there is no such member.
    func remove(_ target: UserID, from family: Family, by actor: UserID) async throws -> Bool {
        let role = try await database.first(
            """
            delete from family_members where family_id = \(family.id) and user_id = \(target)
            returning role
            """
        ) { try $0.next(Role.self) }
        guard let role else { return false }
        try await database.bury(
            "family_member", target.uuid, of: family.id,
            revision: try await database.nextRevision(of: family.id), at: now)
        var changes = AuditChanges.none
        changes.note("role", from: role, to: nil)
        try await audit(
            .delete, .familyMember, target.uuid, by: actor, family: family.id, changes: changes)
        // A parent knows the links that are still open.
        if role == .parent { try await revokeOpenInvites(of: family.id, by: actor) }
        if family.ownerId == target { try await passOnOwnership(of: family, by: actor) }
        return true
    }

    /// Makes the parent who joined first the owner of a family that has lost its own.
    ///
    /// It changes the family and the member who is now its owner: each takes a number.
    private func passOnOwnership(of family: Family, by actor: UserID) async throws {
        let memberRevision = try await database.nextRevision(of: family.id)
        let heir = try await database.first(
            """
            update family_members set revision = \(memberRevision)
            where family_id = \(family.id) and user_id = (
                select user_id from family_members where family_id = \(family.id) and role = 'parent'
                order by joined_at, revision limit 1
            )
            returning user_id
            """
        ) { try $0.next(UserID.self) }
        let familyRevision = try await database.nextRevision(of: family.id)
        try await database.execute(
            """
            update families set owner_id = \(heir), revision = \(familyRevision), updated_at = \(now)
            where id = \(family.id)
            """)
        var changes = AuditChanges.none
        changes.note("owner_id", from: family.ownerId, to: heir)
        try await audit(
            .update, .family, family.id.uuid, by: actor, family: family.id, changes: changes)
    }
}
