import BabyBasicsAPI
import Postgres
import Synchronization

/// The one statement that reads a page of changes with all their data, from one snapshot.
///
/// Every thing stands in the shape that events have, so that all kinds are one merge by revision. Each branch reads as many entries of one
/// index as the page has, however long the family's history is.
enum FeedStatement {
    /// What is no event, as its `kind`: those of events are from 0 on.
    enum Sort: Int16 {
        case family = -1
        case member = -2
        case child = -3
        case tombstone = -4
    }

    /// The changes of the family `$1` after the revision `$2`, `$3` at most, and the family's numbers, kinds and members at `$4`.
    ///
    /// A row comes for a family without changes, too.
    /// - Parameter kinds: those that the family has, by their numbers: each that is looked for costs, be there any or not.
    static func sql(for kinds: Set<Int16>) -> PreparedSQL {
        made.withLock { made in
            if let sql = made[kinds] { return sql }
            let sql = make(EventTable.all.filter { kinds.contains(Int16($0.number)) })
            made[kinds] = sql
            return sql
        }
    }

    private static let made = Mutex<[Set<Int16>: PreparedSQL]>([:])

    private static func make(_ tables: [EventTable]) -> PreparedSQL {
        PreparedSQL(
            unescaped: """
                select f.last_revision, f.purged_revision, f.kinds, f.members, e.kind, \(Shape.columns)
                from (
                    select last_revision, purged_revision, kinds,
                        array(select m.user_id from \(Members.current("m", at: "$4")) where m.family_id = $1) as members
                    from families where id = $1
                ) f
                left join lateral (
                    \((tables.map(branch) + others).joined(separator: "\nunion all\n"))
                    order by revision limit $3
                ) e on true
                left join users u on u.id = e.created_by
                order by e.revision
                """)
    }

    private static func branch(_ table: EventTable) -> String {
        table.rows(where: "family_id = $1 and revision > $2 order by revision limit $3").text
    }

    private static let others =
        [
            thing(
                .family, id: "id", other: "owner_id", texts: ["name", "sharing_policy"], createdAt: "created_at",
                updatedAt: "updated_at", revision: "revision", from: "families where id = $1 and revision > $2"),
            thing(
                .member, id: "m.user_id", other: "h.owner_id", times: ["m.access_until"],
                texts: ["u.name", "u.email", "m.role"],
                createdAt: "m.joined_at", updatedAt: "m.joined_at", revision: "m.revision",
                from: """
                    \(Members.table) m join users u on u.id = m.user_id join families h on h.id = m.family_id
                    where m.family_id = $1 and m.revision > $2 order by m.revision limit $3
                    """),
            thing(
                .child, id: "c.id", other: "c.family_id",
                texts: ["c.name", "to_char(c.date_of_birth, 'YYYY-MM-DD')", "h.name"], createdAt: "c.created_at",
                updatedAt: "c.updated_at", revision: "c.revision",
                from: """
                    children c join families h on h.id = c.family_id
                    where c.family_id = $1 and c.revision > $2 order by c.revision limit $3
                    """),
            thing(
                .tombstone, id: "entity_id", other: "null", texts: ["entity"], createdAt: "deleted_at",
                updatedAt: "deleted_at", revision: "revision",
                from: "tombstones where family_id = $1 and revision > $2 order by revision limit $3"),
        ]

    private static func thing(
        _ sort: Sort, id: String, other: String, times: [String] = [], texts: [String], createdAt: String,
        updatedAt: String, revision: String, from tables: String
    ) -> String {
        let places = Shape.places.map { place in
            let values: [String] =
                switch place.storage {
                case .time: times
                case .text: texts
                case .number: []
                }
            let value = place.number <= values.count ? values[place.number - 1] : "null"
            return "\(value)::\(place.storage.type)"
        }
        return """
            (select '\(sort.rawValue)'::int2, \(id), \(other)::uuid, \(places.joined(separator: ", ")), null::uuid,
            \(createdAt), \(updatedAt), \(revision), null::timestamptz from \(tables))
            """
    }
}
