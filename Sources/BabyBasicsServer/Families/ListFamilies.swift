import BabyBasicsAPI
import Postgres

/// The caller's families, oldest first.
func listFamilies(_ context: RequestContext) async throws -> Reply<FamilyList> {
    let families = try await context.ask(familiesOfCaller) {
        try $0.next(Bool.self) ? FamilySummary(&$0) : nil
    }
    return Reply(FamilyList(families: families.compactMap { $0 }))
}

private let familiesOfCaller = Question.ofUser(
    columns: """
        f.id is not null, f.id, f.name, f.sharing_policy, f.owner_id, m.role,
        (select count(*) from children c where c.family_id = f.id),
        (select count(*) from \(Members.current("o", at: "$2")) where o.family_id = f.id),
        f.revision, f.created_at, f.updated_at
        """,
    from: """
        left join (\(Members.current("m", at: "$2")) join families f on f.id = m.family_id)
            on m.user_id = caller.user_id
        order by f.created_at, f.id
        """)

extension FamilySummary {
    /// Reads `id, name, sharing_policy, owner_id, role, children, members, revision, created_at, updated_at`.
    fileprivate init(_ row: inout Row) throws {
        self.init(
            id: try row.next(), name: try row.next(), sharingPolicy: try row.next(),
            ownerId: try row.next(), role: try row.next(),
            childrenCount: Int(try row.next(Int64.self)), membersCount: Int(try row.next(Int64.self)),
            revision: try row.next(), createdAt: try row.next(), updatedAt: try row.next())
    }
}
