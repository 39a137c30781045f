import BabyBasicsAPI
import Postgres

/// The children of all the caller's families, in the order in which they were added.
func listChildren(_ context: RequestContext, caller: Caller) throws -> Reply<ChildList> {
    let children = try context.database.rows(
        """
        select c.id, c.family_id, f.name, c.name, c.date_of_birth, m.role, c.revision, c.created_at, c.updated_at
        from family_members m
        join families f on f.id = m.family_id
        join children c on c.family_id = m.family_id
        where m.user_id = \(caller.userID)
        order by c.created_at, c.id
        """
    ) { try Child(&$0) }
    return Reply(ChildList(children: children))
}

extension ChildList: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.object {
            $0.member("children", children)
            $0.member("count", count)
        }
    }
}
