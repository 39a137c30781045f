import BabyBasicsAPI
import Postgres

/// Ends an invite before anybody accepts it. Who may invite may revoke.
func revokeInvite(_ context: RequestContext, membership: FamilyMembership) async throws -> Reply<Empty> {
    try membership.requireManager(otherwise: "Only the owner can revoke invites")
    let noSuchInvite = APIError(.notFound, "Invite not found")
    let invite = try context.identifier(1, of: Invite.self, otherwise: noSuchInvite)
    let family = membership.family.id
    // An accept holds the same family lock: either it came first, and there is nothing open, or it will find nothing open.
    let revoked = try await context.database.execute(
        """
        update share_links l set revoked_at = \(context.now)
        where l.id = \(invite) and l.family_id = \(family)
            and \(fragment: OpenInvites.areOpen("l", at: context.now))
        """)
    guard revoked == 1 else { throw noSuchInvite }
    try await context.audit(
        .delete, .shareLink, invite.uuid, by: membership.caller.userID, family: family)
    return .nothing
}
