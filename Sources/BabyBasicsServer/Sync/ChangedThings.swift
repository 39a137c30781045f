import BabyBasicsAPI
import FoundationEssentials
import Postgres

/// The head of a change, before its data is read.
struct ChangedThing {
    let revision: Int64
    let entity: Change.Entity
    let id: UUID
    let isDeleted: Bool
}

/// What one look at a family's counter and indexes tells.
struct ChangedPage {
    /// The last number that was given to anything.
    let last: Int64
    /// The highest number of what was purged.
    let purged: Int64
    /// In their order.
    var things: [ChangedThing]
}

extension Database {
    /// The first things of a family whose last change is after a revision; nil where the user is no member.
    ///
    /// Each branch reads as many entries of one index as are asked for, however long the family's history is.
    func changedThings(
        of family: FamilyID, after revision: Int64, for user: UserID, limit: Int
    ) async throws -> ChangedPage? {
        let page: SQL =
            "where family_id = \(family) and revision > \(revision) order by revision limit \(limit)"
        let events = EventKind.all.map { kind -> SQL in
            """
            (select revision, \(unescaped: "'\(kind.name)'"), id, deleted_at is not null
            from \(unescaped: kind.plural) \(fragment: page))
            """
        }
        let rows = try await rows(
            """
            select f.last_revision, f.purged_revision, c.revision, c.entity, c.id, c.is_deleted
            from families f
            join family_members caller on caller.family_id = f.id and caller.user_id = \(user)
            left join (
                (select revision, 'family' as entity, id, false as is_deleted
                from families where id = \(family) and revision > \(revision))
                union all
                (select revision, 'family_member', user_id, false from family_members \(fragment: page))
                union all
                (select revision, 'child', id, false from children \(fragment: page))
                union all
                (select revision, entity, entity_id, true from tombstones \(fragment: page))
                union all
                \(fragment: events.joined(separator: " union all "))
                order by revision limit \(limit)
            ) c on true
            where f.id = \(family)
            order by c.revision
            """
        ) { row in
            let last: Int64 = try row.next()
            let purged: Int64 = try row.next()
            let revision: Int64? = try row.next()
            let thing = try revision.map { revision in
                ChangedThing(
                    revision: revision, entity: Change.Entity(rawValue: try row.next()),
                    id: try row.next(), isDeleted: try row.next())
            }
            return (last: last, purged: purged, thing: thing)
        }
        guard let first = rows.first else { return nil }
        return ChangedPage(
            last: first.last, purged: first.purged, things: rows.compactMap(\.thing))
    }
}
