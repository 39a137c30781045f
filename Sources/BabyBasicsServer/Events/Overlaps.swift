import BabyBasicsAPI
import FoundationEssentials
import Postgres

extension RequestContext {
    /// For events that were made or changed those that they are in each other's way with, at most 20 in all: sleeps of a child that go on at
    /// the same time, for each sleep the earliest first, where ends that touch do not overlap and what has not ended goes on for ever; and
    /// doses of a plan that are too near to each other, or too many.
    ///
    /// It is asked after the change and without the family's lock, and an answer goes without it rather than not at all.
    func warnings(of events: [StoredEvent]) async -> [Identifier<AnyEvent>: [EventWarning]] {
        let sleeps = events.filter { $0.kind === SleepDetails.kind }.map(\.id.uuid)
        let doses = events.filter(\.isDose).map(\.id.uuid)
        guard !sleeps.isEmpty || !doses.isEmpty, let family = try? await place(of: .child).family,
            let caller = try? authenticated.userID
        else { return [:] }
        var found: [(event: Identifier<AnyEvent>, warning: EventWarning)] = []
        if !sleeps.isEmpty {
            found +=
                (try? await database.rows(overlappingSleeps.binding(family, sleeps)) {
                    (try $0.next(), EventWarning(code: .overlap, eventId: try $0.next()))
                }) ?? []
        }
        if !doses.isEmpty {
            found +=
                (try? await database.rows(dosesTooNear.binding(family, doses, caller)) {
                    (try $0.next(), EventWarning(code: .init(rawValue: try $0.next()), eventId: try $0.next()))
                }) ?? []
        }
        return Dictionary(grouping: found.prefix(20), by: \.event).mapValues { $0.map(\.warning) }
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
