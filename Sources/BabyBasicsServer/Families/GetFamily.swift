import BabyBasicsAPI
import Postgres

/// A family with its members and children.
func getFamily(_ context: RequestContext, membership: FamilyMembership) async throws
    -> Reply<FamilyDetailsAnswer>
{
    let family = membership.family
    let children = try await context.database.rows(
        """
        select id, name, date_of_birth from children where family_id = \(family.id)
        order by created_at, id
        """
    ) { ChildSummary(id: try $0.next(), name: try $0.next(), dateOfBirth: try $0.next()) }
    let details = FamilyDetails(
        family: family, role: membership.role, members: try await context.members(of: family),
        children: children)
    return Reply(FamilyDetailsAnswer(family: details), revision: family.revision)
}
