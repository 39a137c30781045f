public import BabyBasicsAPI
public import JSON
import Postgres

/// The caller's families, oldest first.
func listFamilies(_ context: RequestContext, caller: Caller) async throws -> Reply<FamilyList> {
    let families = try await context.database.rows(
        """
        select f.id, f.name, f.sharing_policy, f.owner_id, m.role,
            (select count(*) from children c where c.family_id = f.id),
            (select count(*) from family_members o where o.family_id = f.id),
            f.revision, f.created_at, f.updated_at
        from family_members m join families f on f.id = m.family_id
        where m.user_id = \(caller.userID)
        order by f.created_at, f.id
        """
    ) {
        FamilySummary(
            id: try $0.next(), name: try $0.next(), sharingPolicy: try $0.next(),
            ownerId: try $0.next(), role: try $0.next(),
            childrenCount: Int(try $0.next(Int64.self)), membersCount: Int(try $0.next(Int64.self)),
            revision: try $0.next(), createdAt: try $0.next(), updatedAt: try $0.next())
    }
    return Reply(FamilyList(families: families))
}

extension FamilyList: JSONWritable {
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("families", families)
            $0.member("count", count)
        }
    }
}

extension FamilySummary: JSONWritable {
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("id", id)
            $0.member("name", name)
            $0.member("sharing_policy", sharingPolicy)
            $0.member("owner_id", ownerId)
            $0.member("role", role)
            $0.member("children_count", childrenCount)
            $0.member("members_count", membersCount)
            $0.member("revision", revision)
            $0.member("created_at", createdAt)
            $0.member("updated_at", updatedAt)
        }
    }
}
