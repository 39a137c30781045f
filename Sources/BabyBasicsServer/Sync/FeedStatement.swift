import BabyBasicsAPI
import Postgres

/// The one statement that reads a page of changes with all their data, from one snapshot.
///
/// Each part reads as many rows of one index as the page has, however long the family's history is.
enum FeedStatement {
    /// The family `$1` after the revision `$2`: its feed, and rows of `EventRow.columns`: at most
    /// `$3` of each part, in any order, and the names of the members at `$4`.
    static let sql = PreparedSQL(
        unescaped: """
            select \(FeedState.columns), e.*
            from feeds f join lateral (
                (select \(EventRow.columns) from events e
                where e.family_id = $1 and e.revision > $2 and \(EventRow.isKnown)
                order by e.revision limit $3)
                union all (select \(family) from families f where f.id = $1 and f.revision > $2)
                union all (select \(member)
                from \(Members.table) m join users u on u.id = m.user_id join families f on f.id = m.family_id
                where m.family_id = $1 and m.revision > $2 order by m.revision limit $3)
                union all (select \(child) from children c join families f on f.id = c.family_id
                where c.family_id = $1 and c.revision > $2 order by c.revision limit $3)
                union all (select \(plan) from plans p
                where p.family_id = $1 and p.revision > $2 order by p.revision limit $3)
                union all (select \(tombstone) from tombstones t
                where t.family_id = $1 and t.revision > $2 order by t.revision limit $3)
                union all \(Authors.rows(of: "$1", at: "$4"))
            ) e on true
            where f.family_id = $1
            """)

    private static let family = EventRow.columns(
        of: .family, id: "f.id", parent: "f.owner_id", ["name": "f.name", "type": "f.sharing_policy"],
        createdAt: "f.created_at", updatedAt: "f.updated_at", revision: "f.revision")
    private static let member = EventRow.columns(
        of: .member, id: "m.user_id", parent: "f.owner_id",
        ["name": "u.name", "content": "u.email", "type": "m.role", "ended_at": "m.access_until"],
        createdAt: "m.joined_at", updatedAt: "m.joined_at", revision: "m.revision")
    private static let child = EventRow.columns(
        of: .child, id: "c.id", parent: "c.family_id",
        ["name": "c.name", "content": "f.name", "type": "to_char(c.date_of_birth, 'YYYY-MM-DD')"],
        createdAt: "c.created_at", updatedAt: "c.updated_at", revision: "c.revision")
    private static let plan = EventRow.columns(
        of: .plan, id: "p.id", parent: "p.child_id",
        [
            "name": "p.name", "dose": "p.dose", "notes": "p.notes", "content": "array_to_string(p.times, ',')",
            "left_minutes": "p.every_hours", "right_minutes": "p.max_per_day",
            "type": "to_char(p.starts_on, 'YYYY-MM-DD')", "color": "to_char(p.ends_on, 'YYYY-MM-DD')",
            "ended_at": "p.deleted_at",
        ], createdAt: "p.created_at", updatedAt: "p.updated_at", revision: "p.revision")
    private static let tombstone = EventRow.columns(
        of: .tombstone, id: "t.entity_id", ["type": "t.entity"],
        createdAt: "t.deleted_at", updatedAt: "t.deleted_at", revision: "t.revision")
}
