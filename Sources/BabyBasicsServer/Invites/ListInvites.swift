import BabyBasicsAPI
import Postgres

/// The invites that can still be accepted, oldest first. Their tokens were shown to whoever made them, and are not shown here.
func listInvites(_ context: RequestContext, membership: FamilyMembership) async throws
    -> Reply<InviteList>
{
    let invites = try await context.database.rows(
        """
        select l.id, l.role, case when u.deleted_at is null then u.id end, coalesce(u.name, ''),
            l.created_at, l.expires_at, l.invitee_email, l.label, l.access_until
        from share_links l left join users u on u.id = l.created_by
        where l.family_id = \(membership.family.id)
            and \(fragment: OpenInvites.areOpen("l", at: context.now))
        order by l.created_at, l.id
        """
    ) {
        OpenInvite(
            id: try $0.next(), role: try $0.next(),
            createdBy: .init(userId: try $0.next(), name: try $0.next()),
            createdAt: try $0.next(), expiresAt: try $0.next(), inviteeEmail: try $0.next(),
            label: try $0.next(), accessUntil: try $0.next())
    }
    return Reply(InviteList(invites: invites))
}
