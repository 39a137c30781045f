import BabyBasicsAPI
import Postgres

/// Makes another parent the owner. Nobody's role changes.
func transferFamily(_ context: RequestContext, membership: FamilyMembership) async throws
    -> Reply<FamilyAnswer>
{
    let family = membership.family
    let caller = membership.caller.userID
    guard family.ownerId == caller else {
        throw APIError(.forbidden, "Only the owner can transfer a family")
    }
    let fields = try context.fields()
    let (target, ifMatch) = try fields.all(
        fields.required("user_id", .identifier() as Rule<UserID>), context.ifMatch(beside: fields))
    let members = try await context.members(of: family)
    guard let heir = members.first(where: { $0.userId == target }) else { throw APIError.memberNotFound }
    try ifMatch.require(family.revision)
    guard heir.role == .parent else { throw APIError(.conflict, "Only a parent can own a family") }
    guard target != caller else { return Reply(FamilyAnswer(family: family), revision: family.revision) }
    // The caller's row shows who owns the family, too.
    try context.renumberMember(caller, of: family.id)
    let passed = try await context.pass(family, to: target, by: caller)
    return Reply(FamilyAnswer(family: passed), revision: passed.revision)
}

extension RequestContext {
    /// Gives a family that this transaction has locked another owner. It changes the family and the member who is now its owner.
    func pass(_ family: Family, to heir: UserID?, by actor: UserID) async throws -> Family {
        if let heir { try renumberMember(heir, of: family.id) }
        var passed = family
        passed.ownerId = heir
        passed.revision = try database.takeRevisions(of: family.id)
        passed.updatedAt = now
        try database.enqueue(
            """
            update families set owner_id = \(heir), revision = \(passed.revision), updated_at = \(now)
            where id = \(family.id)
            """)
        var changes = AuditChanges.none
        changes.note("owner_id", from: family.ownerId, to: heir)
        try await audit(
            .update, .family, family.id.uuid, by: actor, family: family.id, changes: changes)
        return passed
    }

    /// Gives a member's row a number, because what it shows has changed elsewhere.
    fileprivate func renumberMember(_ user: UserID, of family: FamilyID) throws {
        try database.requireLocked(user, of: family)
        try database.enqueue(
            """
            update \(unescaped: Members.table) set revision = \(database.takeRevisions(of: family))
            where family_id = \(family) and user_id = \(user)
            """)
    }
}
