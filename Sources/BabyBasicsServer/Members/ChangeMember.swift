import BabyBasicsAPI
import Postgres

/// Changes a member's role, or until when the membership lasts.
func changeMember(_ context: RequestContext, membership: FamilyMembership) async throws
    -> Reply<MemberAnswer>
{
    let family = membership.family
    let rules = family.sharingPolicy.rules
    try membership.requireManager(otherwise: "Only the owner can change members")
    let target = try context.identifier(1, of: User.self, otherwise: .memberNotFound)
    let members = try await context.members(of: family)
    guard let member = members.first(where: { $0.userId == target }) else { throw APIError.memberNotFound }

    let fields = try context.fields()
    let parsedRole = fields.kept("role", .role)
    let role = parsedRole.map { $0 ?? member.role }
    if case .some(.some(let role)) = parsedRole, !rules.roles.contains(role) {
        fields.problem("role", "is no role in this family", .notAllowed) as Never?
    }
    let until = fields.accessUntil(of: role, now: context.now)
    var changed = member
    (changed.role, changed.accessUntil) = try fields.all(role, until)
    if changed.role != .parent, !fields.contains("access_until") {
        changed.accessUntil = member.accessUntil
    }
    guard changed != member else { return Reply(MemberAnswer(member: member)) }

    if member.role == .parent, changed.role != .parent {
        guard members.parents(except: target) > 0 else {
            throw APIError(.conflict, "Make someone else a parent first.")
        }
        guard !member.isOwner else { throw APIError.ownedByMember }
    }
    if member.role != .parent, changed.role == .parent, rules.isFull(parents: members.parents()) {
        throw APIError.familyIsFull
    }
    changed.revision = try context.database.takeRevisions(of: family.id)
    try await context.update(member, to: changed, in: family.id, by: membership.caller.userID)
    return Reply(MemberAnswer(member: changed))
}

extension RequestContext {
    /// Writes a member whose role or end has changed, in a family that this transaction has locked.
    fileprivate func update(
        _ member: Member, to changed: Member, in family: FamilyID, by actor: UserID
    ) async throws {
        try database.requireLocked(member.userId, of: family)
        try database.enqueue(
            """
            update \(unescaped: Members.table) set role = \(changed.role.rawValue),
                access_until = \(changed.accessUntil), revision = \(changed.revision)
            where family_id = \(family) and user_id = \(member.userId)
            """)
        if changed.accessUntil != member.accessUntil {
            try tellEnd(of: member.userId, in: family, at: changed.accessUntil)
        }
        var changes = AuditChanges.none
        changes.note("role", from: member.role, to: changed.role)
        changes.note("access_until", from: member.accessUntil, to: changed.accessUntil)
        try await audit(
            .update, .familyMember, member.userId.uuid, by: actor, family: family, changes: changes)
        // A parent knows the links that are still open.
        if member.role == .parent, changed.role != .parent {
            try await revokeOpenInvites(of: family, by: actor)
        }
    }
}
