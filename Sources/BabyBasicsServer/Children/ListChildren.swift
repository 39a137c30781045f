public import BabyBasicsAPI
public import JSON
import Postgres

/// The children of all the caller's families, in the order in which they were added.
func listChildren(_ context: RequestContext) async throws -> Reply<ChildList> {
    let children = try await context.ask(childrenOfCaller) {
        try $0.next(Bool.self) ? Child(&$0) : nil
    }
    return Reply(ChildList(children: children.compactMap { $0 }))
}

private let childrenOfCaller = Question.ofUser(
    columns: """
        c.id is not null, c.id, c.family_id, f.name, c.name, c.date_of_birth, m.role, c.revision, c.created_at, c.updated_at
        """,
    from: """
        left join (
            \(Members.current("m", at: "$2")) join families f on f.id = m.family_id join children c on c.family_id = m.family_id
        ) on m.user_id = caller.user_id
        order by c.created_at, c.id
        """)

/// By hand, as its children are.
extension ChildList: JSONWritable {
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("children", children)
            $0.member("count", count)
        }
    }
}
