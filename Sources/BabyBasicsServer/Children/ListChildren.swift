public import BabyBasicsAPI
public import JSON
import Postgres

/// The children of all the caller's families, in the order in which they were added.
let childrenOfCaller = CallerRows(
    columns:
        "c.id, c.family_id, f.name, c.name, c.date_of_birth, m.role, c.revision, c.created_at, c.updated_at",
    from: """
        family_members m join families f on f.id = m.family_id join children c on c.family_id = m.family_id
        """,
    of: "m.user_id", key: "c.id", order: "c.created_at, c.id"
) { try Child(&$0) }

extension ChildList: JSONWritable {
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("children", children)
            $0.member("count", count)
        }
    }
}
