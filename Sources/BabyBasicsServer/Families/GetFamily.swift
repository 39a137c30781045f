public import BabyBasicsAPI
public import JSON
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

extension FamilyDetailsAnswer: JSONWritable {
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member(
                "family",
                object: {
                    $0.member("id", family.id)
                    $0.member("name", family.name)
                    $0.member("sharing_policy", family.sharingPolicy)
                    $0.member("owner_id", family.ownerId)
                    $0.member("role", family.role)
                    $0.member("members", family.members)
                    $0.member("children", family.children)
                    $0.member("revision", family.revision)
                    $0.member("created_at", family.createdAt)
                    $0.member("updated_at", family.updatedAt)
                })
        }
    }
}

extension ChildSummary: JSONWritable {
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("id", id)
            $0.member("name", name)
            $0.member("date_of_birth", dateOfBirth)
        }
    }
}
