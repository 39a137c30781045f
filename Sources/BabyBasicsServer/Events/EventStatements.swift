import BabyBasicsAPI
import Postgres

extension EventTable {
    /// Puts an event into its table.
    func insert(_ event: StoredEvent, family: FamilyID) -> SQL {
        insertion.binding {
            $0.append(event.id)
            $0.append(event.childID)
            $0.append(family)
            $0.append(event.author.userId)
            $0.append(event.createdAt)
            $0.append(event.updatedAt)
            $0.append(event.revision)
            $0.append(event.values, of: kind)
        }
    }

    /// Gives an event's row all that can change of it.
    func update(_ event: StoredEvent) -> SQL {
        modification.binding {
            $0.append(event.id)
            $0.append(event.updatedAt)
            $0.append(event.revision)
            $0.append(event.deletedAt)
            $0.append(event.values, of: kind)
        }
    }

    static func insertion(of kind: EventKind) -> PreparedSQL {
        let columns = "id, child_id, family_id, created_by, created_at, updated_at, revision"
        let names = kind.fields.map(\.name)
        let values = (1...(7 + names.count)).map { "$\($0)" }
        return PreparedSQL(
            unescaped: """
                insert into \(kind.plural) (\(columns), \(names.joined(separator: ", ")))
                values (\(values.joined(separator: ", ")))
                """)
    }

    static func modification(of kind: EventKind) -> PreparedSQL {
        let values = kind.fields.enumerated().map { "\($1.name) = $\(5 + $0)" }
        return PreparedSQL(
            unescaped: """
                update \(kind.plural) set updated_at = $2, revision = $3, deleted_at = $4, \(values.joined(separator: ", "))
                where id = $1
                """)
    }

    /// Finds pairs of events that overlap, the first of each pair among the identifiers `$1`. Nil for a kind that nobody is warned of.
    static func overlapping(of kind: EventKind) -> PreparedSQL? {
        guard kind.warnsOfOverlap, let endField = kind.end else { return nil }
        let (start, end) = (kind.fields[kind.time].name, kind.fields[endField].name)
        // Nothing lasts longer than a day, so that the index on the start finds all but what still goes on.
        return PreparedSQL(
            unescaped: """
                select e.id, o.id
                from \(kind.plural) e
                cross join lateral (
                    select id, \(start) as start from \(kind.plural) o
                    where o.child_id = e.child_id and o.deleted_at is null and o.id <> e.id
                        and o.\(start) > e.\(start) - interval '1 day'
                        and o.\(start) < coalesce(e.\(end), 'infinity') and o.\(end) > e.\(start)
                    union all
                    select id, \(start) from \(kind.plural) o
                    where o.child_id = e.child_id and o.deleted_at is null and o.id <> e.id
                        and o.\(end) is null and o.\(start) < coalesce(e.\(end), 'infinity')
                    order by 2, 1
                    limit 20
                ) o
                where e.id = any ($1)
                order by e.id, o.start, o.id
                """)
    }
}

extension PreparedSQL.Values {
    mutating func append(_ values: [FieldValue], of kind: EventKind) {
        for index in values.indices {
            switch kind.fields[index].form.storage {
            case .time: append(values[index].time)
            case .text: append(values[index].text)
            case .number: append(values[index].number)
            }
        }
    }
}

extension Database {
    /// An event of a child, be it deleted.
    func event(_ id: Identifier<AnyEvent>, of child: ChildID, in table: EventTable) async throws
        -> StoredEvent?
    {
        try await events(from: table.rows(where: "id = \(id) and child_id = \(child)")).first
    }

    /// For each of these events those of the same kind and child that go on at the same time, at most 20, earliest first.
    /// Ends that touch do not overlap; what has not ended goes on for ever.
    func overlaps(of events: [StoredEvent]) async throws -> [Identifier<AnyEvent>: [EventWarning]] {
        guard let overlapping = events.first?.table.overlapping else { return [:] }
        let pairs = try await rows(overlapping.binding(events.map(\.id.uuid))) {
            (
                event: try $0.next(Identifier<AnyEvent>.self),
                other: try $0.next(Identifier<AnyEvent>.self)
            )
        }
        return Dictionary(grouping: pairs) { $0.event }
            .mapValues { $0.map { EventWarning(code: .overlap, eventId: $0.other) } }
    }
}
