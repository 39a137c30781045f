import BabyBasicsAPI
import FoundationEssentials
import Postgres

extension RequestContext {
    /// For events that were made or changed those of the same kind and child that go on at the same time: at most 20 in all, for each event
    /// the earliest first. Ends that touch do not overlap; what has not ended goes on for ever.
    ///
    /// It is asked after the change and without the family's lock, and an answer goes without it rather than not at all.
    func warnings(of events: [StoredEvent]) async -> [Identifier<AnyEvent>: [EventWarning]] {
        var warnings: [Identifier<AnyEvent>: [EventWarning]] = [:]
        for table in EventTable.all {
            let ids = events.filter { $0.table === table }.map(\.id.uuid)
            guard !ids.isEmpty, let overlapping = table.overlapping else { continue }
            let pairs = try? await database.rows(overlapping.binding(ids)) {
                (
                    event: try $0.next(Identifier<AnyEvent>.self),
                    other: try $0.next(Identifier<AnyEvent>.self)
                )
            }
            for pair in pairs ?? [] {
                warnings[pair.event, default: []]
                    .append(EventWarning(code: .overlap, eventId: pair.other))
            }
        }
        return warnings
    }
}

extension EventTable {
    /// Finds pairs of events that overlap, the first of each pair among the identifiers `$1`. Nil for a kind that nobody is warned of.
    ///
    /// However many a child has, few rows are read for each event: the table's index on the start gives those that begin within it, and of
    /// those that began before it the 200 latest of a day are looked at, more than any day has. Nothing lasts longer than a day but what
    /// still goes on.
    static func overlapping(of kind: EventKind) -> PreparedSQL? {
        guard kind.warnsOfOverlap, let endField = kind.end else { return nil }
        let (start, end) = (kind.fields[kind.time].name, kind.fields[endField].name)
        let others = "\(kind.plural) o where o.child_id = e.child_id and o.deleted_at is null"
        let isBeforeItsEnd = "o.\(start) < coalesce(e.\(end), 'infinity')"
        return PreparedSQL(
            unescaped: """
                select e.id, o.id
                from unnest($1::uuid[]) given join \(kind.plural) e on e.id = given
                cross join lateral (
                    select id from (
                        (select id, \(start) from (
                            select o.id, o.\(start), o.\(end) from \(others)
                                and o.\(start) <= e.\(start) and o.\(start) > e.\(start) - interval '24 hours'
                                and \(isBeforeItsEnd)
                            order by o.\(start) desc, o.id desc limit 200
                        ) o where o.\(end) > e.\(start) and o.id <> e.id limit 20)
                        union all
                        (select o.id, o.\(start) from \(others) and o.\(start) > e.\(start) and \(isBeforeItsEnd)
                        order by o.\(start), o.id limit 20)
                        union all
                        (select o.id, o.\(start) from \(others) and o.\(end) is null and o.\(start) <= e.\(start)
                            and \(isBeforeItsEnd) and o.id <> e.id)
                    ) found
                    order by \(start), id limit 20
                ) o
                limit 20
                """)
    }
}
