import BabyBasicsAPI
import FoundationEssentials
import Postgres
import Synchronization

/// An event that is to be made.
struct NewEvent {
    let table: EventTable
    let id: Identifier<AnyEvent>
    let values: [FieldValue]
    /// Whether the client made the identifier, so that it may belong to something already.
    let isClients: Bool
}

extension RequestContext {
    /// Makes events of the child that the path names, all or none: the family's lock, the identifiers, the numbers, the rows and COMMIT in
    /// one round trip, however many there are.
    ///
    /// - Returns: nil where something stands in the way; nothing was changed then, and it does not say what.
    func make(_ events: [NewEvent]) async throws -> [StoredEvent]? {
        guard let child = Identifier<Child>(parameters[0]), let first = events.first else { return nil }
        let isOne = events.count == 1
        let claimed = events.filter(\.isClients).map(\.id.uuid)
        let isLocked = database.isInTransaction
        let found = try await change(isOne ? first.table.creation : EventCreation.ofMany(events)) { user in
            isLocked ? [] : [familyLock(for: user, claiming: claimed)]
        } binding: {
            $0.append(child)
            if isOne {
                $0.append(claimed.first)
                $0.append(first)
            } else {
                $0.append(claimed)
                $0.append(events)
            }
        } _: { row in
            try (name: row.next(String?.self), last: row.next(Int64?.self), family: row.next(FamilyID?.self))
        }
        guard let name = found[0].name, let last = found[0].last else { return nil }
        if let family = found[0].family { database.noteChange(of: family, upTo: last) }
        let author = Author(userId: try authenticated.userID, name: name)
        let before = last - Int64(events.count)
        return events.enumerated().map { index, event in
            StoredEvent(
                table: event.table, id: event.id, childID: child, values: event.values, author: author,
                createdAt: now, updatedAt: now, revision: before + Int64(index + 1), deletedAt: nil)
        }
    }
}

extension PreparedSQL.Values {
    /// One value for each column of `given`.
    fileprivate mutating func append(_ event: NewEvent) {
        append(event.id)
        append(Int16(event.table.number))
        for (place, own) in zip(Shape.places, event.table.places) {
            let value = own.field.map { event.values[$0] } ?? .nothing
            switch place.storage {
            case .time: append(value.time)
            case .text: append(value.text)
            case .number: append(value.number)
            }
        }
    }

    /// One array for each column of `given`.
    fileprivate mutating func append(_ events: [NewEvent]) {
        append(events.map(\.id.uuid))
        append(events.map { Int16($0.table.number) })
        for index in Shape.places.indices {
            let values = events.map { event in
                event.table.places[index].field.map { event.values[$0] } ?? .nothing
            }
            switch Shape.places[index].storage {
            case .time: append(values.map(\.time))
            case .text: append(values.map(\.text))
            case .number: append(values.map(\.number))
            }
        }
    }
}

/// The statements that make events: one event of a kind, or any number of any kinds.
///
/// They make all that they are given or nothing, and nothing without the family's lock: a membership that begins after the lock was asked
/// for waits for the next request.
enum EventCreation {
    /// For arrays, an element an event. Each kind costs, so it is for those that the events are of.
    static func ofMany(_ events: [NewEvent]) -> AuthenticatedQuery {
        let kinds = Set(events.map(\.table.number))
        return made.withLock { made in
            if let query = made[kinds] { return query }
            let query = ofMany(of: EventTable.all.filter { kinds.contains($0.number) })
            made[kinds] = query
            return query
        }
    }

    private static let made = Mutex<[Set<Int>: AuthenticatedQuery]>([:])

    private static func ofMany(of tables: [EventTable]) -> AuthenticatedQuery {
        query(
            for: tables, count: "cardinality($5::uuid[])", identifiers: "any ($4::uuid[])",
            kinds: "f.kinds || array(select distinct kind from given where kind <> all (f.kinds))",
            given: "unnest(\(parameters { "\($0)[]" })) with ordinality as given (\(columns), place)")
    }

    static func ofOne(_ table: EventTable) -> AuthenticatedQuery {
        query(
            for: [table], count: "1", identifiers: "$4::uuid",
            kinds: "case when $6 = any (f.kinds) then f.kinds else f.kinds || $6::int2 end",
            given: "(values (\(parameters { $0 }), 1)) as given (\(columns), place)")
    }

    /// - Parameters:
    ///   - count: how many events there are.
    ///   - identifiers: those that clients have made, to be compared with.
    ///   - kinds: those that the family has from then on, by their numbers.
    ///   - events: the events' rows, in the place of a table.
    private static func query(
        for tables: [EventTable], count: String, identifiers: String, kinds: String, given events: String
    ) -> AuthenticatedQuery {
        let obstacles = tables.filter(\.kind.isExclusiveWhileOngoing).map { table in
            """
                    and not exists (
                        select from given join \(table.kind.plural) e on e.child_id = place.child_id
                        where given.kind = \(table.number) and given.\(table.endPlace) is null
                            and e.\(table.endColumn) is null and e.deleted_at is null
                    )

            """
        }
        return AuthenticatedQuery(
            steps: """
                , place as (
                    select c.id as child_id, c.family_id, m.role, u.name
                    from caller join children c on c.id = $3
                        join \(Members.current("m", at: "$2")) on m.family_id = c.family_id and m.user_id = caller.user_id
                        join users u on u.id = caller.user_id
                ), given as (
                    select * from \(events)
                ), taken as materialized (
                    \(ClientIdentifiers.owners(of: identifiers))
                ), numbers as (
                    update families f
                    set last_revision = f.last_revision + \(count), kinds = \(kinds),
                        events_made = coalesce(f.events_made, f.last_revision) + \(count),
                        events_of_day = \(ofDay) + \(count), events_day = \(day)
                    from place
                    where f.id = place.family_id and place.role <> 'viewer'
                        and pg_current_xact_id_if_assigned() is not null
                        and not exists (select from taken)
                \(obstacles.joined())
                        and coalesce(f.events_made, f.last_revision) + \(count) <= \(EventCeiling.inAll)
                        and \(ofDay) + \(count) <= \(EventCeiling.ofDay)
                    returning f.last_revision
                )\(tables.map { insertion(into: $0, count) }.joined())
                """,
            columns: "place.name::text, numbers.last_revision, place.family_id",
            from: "left join place on true left join numbers on true")
    }

    static let day = "($2::timestamptz at time zone 'UTC')::date"
    /// Of a family `f`, until this statement.
    static let ofDay = "case when f.events_day = \(day) then f.events_of_day else 0 end"

    private static let columns = "id, kind, " + Shape.places.map(\.name).joined(separator: ", ")

    /// The values of `columns`, from `$5` on.
    private static func parameters(_ form: (_ type: String) -> String) -> String {
        (["uuid", "int2"] + Shape.places.map(\.storage.type)).enumerated()
            .map { "$\(5 + $0)::\(form($1))" }.joined(separator: ", ")
    }

    private static func insertion(into table: EventTable, _ count: String) -> String {
        let places = zip(Shape.places, table.places).compactMap { place, own in
            own.field.map { (column: table.names[$0], value: "given.\(place.name)") }
        }
        return """
            , made\(table.number) as (
                insert into \(table.kind.plural) (id, child_id, family_id, created_by, created_at, updated_at, revision,
                    \(places.map(\.column).joined(separator: ", ")))
                select given.id, place.child_id, place.family_id, caller.user_id, $2, $2,
                    numbers.last_revision - \(count) + given.place,
                    \(places.map(\.value).joined(separator: ", "))
                from caller, place, numbers, given where given.kind = \(table.number)
            )
            """
    }
}

/// How many events a family may make.
enum EventCeiling {
    /// Of a day in UTC: an import is one day.
    static let ofDay = 50_000
    static let inAll = 2_000_000
}
