import BabyBasicsAPI
import FoundationEssentials
import Postgres

extension RequestContext {
    /// For events that were made or changed those of the same kind and child that go on at the same time: at most 20 in all, for each event
    /// the earliest first. Ends that touch do not overlap; what has not ended goes on for ever.
    ///
    /// It is asked after the change and without the family's lock, and an answer goes without it rather than not at all.
    func warnings(of events: [StoredEvent]) async -> [Identifier<AnyEvent>: [EventWarning]] {
        let sleeps = events.filter { $0.kind === SleepDetails.kind }.map(\.id.uuid)
        guard !sleeps.isEmpty, let family = try? await place(of: .child).family else { return [:] }
        let pairs = try? await database.rows(overlappingSleeps.binding(family, sleeps)) {
            (event: try $0.next(Identifier<AnyEvent>.self), other: try $0.next(Identifier<AnyEvent>.self))
        }
        var warnings: [Identifier<AnyEvent>: [EventWarning]] = [:]
        for pair in pairs ?? [] {
            warnings[pair.event, default: []].append(EventWarning(code: .overlap, eventId: pair.other))
        }
        return warnings
    }
}

/// Finds pairs of sleeps of the family `$1` that overlap, the first of each pair among the identifiers `$2`.
///
/// However many a child has, few rows are read for each sleep: the index gives those that begin within it, and of those that began before it
/// the 200 latest of a day are looked at, more than any day has. Nothing lasts longer than a day but what still goes on.
let overlappingSleeps: PreparedSQL = {
    let others = """
        events o where o.family_id = $1 and o.child_id = e.child_id and o.kind = \(SleepDetails.kind.number)
            and o.deleted_at is null and o.at < coalesce(e.ended_at, 'infinity')
        """
    return PreparedSQL(
        unescaped: """
            select e.id, o.id
            from unnest($2::uuid[]) given join events e on e.family_id = $1 and e.id = given
            cross join lateral (
                select id from (
                    (select id, at from (
                        select o.id, o.at, o.ended_at from \(others)
                            and o.at <= e.at and o.at > e.at - interval '24 hours'
                        order by o.at desc, o.id desc limit 200
                    ) o where o.ended_at > e.at and o.id <> e.id limit 20)
                    union all
                    (select o.id, o.at from \(others) and o.at > e.at order by o.at, o.id limit 20)
                    union all
                    (select o.id, o.at from \(others) and o.ended_at is null and o.at <= e.at and o.id <> e.id)
                ) found
                order by at, id limit 20
            ) o
            limit 20
            """)
}()
