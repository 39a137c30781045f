import BabyBasicsAPI
import FoundationEssentials
import Postgres

/// An event that is to be made.
struct NewEvent {
    let kind: EventKind
    let id: Identifier<AnyEvent>
    let values: [FieldValue]
}

extension RequestContext {
    /// Makes events of the child that the path names, all or none, by one statement.
    ///
    /// - Returns: nil where something stands in the way; nothing was changed then, and it does not say what.
    func make(_ events: [NewEvent]) async throws -> [StoredEvent]? {
        let place = try await place(of: .child)
        guard let family = place.family, let child = place.child else { return nil }
        let isOne = events.count == 1
        let startsSleep = events.contains { $0.kind.isOngoing($0.values) }
        let made = try await make(isOne ? EventCreation.ofOne : EventCreation.ofMany, in: family) {
            $0.append(child)
            $0.append(startsSleep)
            if isOne { $0.append(events[0]) } else { $0.append(events) }
        }
        guard let (author, last) = made else { return nil }
        let before = last - Int64(events.count)
        return events.enumerated().map { index, event in
            StoredEvent(
                kind: event.kind, id: event.id, childID: child, values: event.values, createdBy: author, updatedBy: nil,
                createdAt: now, updatedAt: now, revision: before + Int64(index + 1), deletedAt: nil)
        }
    }
}

extension PreparedSQL.Values {
    /// One value for each column of `given`.
    fileprivate mutating func append(_ event: NewEvent) {
        append(event.id)
        append(Int16(event.kind.number))
        append(event.values, of: event.kind)
    }

    /// One array for each column of `given`.
    fileprivate mutating func append(_ events: [NewEvent]) {
        append(events.map(\.id.uuid))
        append(events.map { Int16($0.kind.number) })
        for (index, column) in EventColumns.all.enumerated() {
            let values = events.map { event in
                EventColumns.fields[event.kind.number][index].map { event.values[$0] } ?? .nothing
            }
            switch column.storage {
            case .time: append(values.map(\.time))
            case .text: append(values.map(\.text))
            case .number: append(values.map(\.number))
            case .flag: append(values.map(\.flag))
            case .identifier: append(values.map(\.identifier))
            }
        }
    }
}

/// The statement that makes events of the child `$5`, all or none. `$6`: whether a sleep that has not ended is among them.
enum EventCreation {
    static let ofOne = statement(
        count: "1", identifiers: "= $7",
        given: "(values (\(parameters { $0 }), 1)) as given (\(columns), number)")

    /// Arrays, with an element for each event.
    static let ofMany = statement(
        count: "cardinality($7)", identifiers: "= any ($7)",
        given: "unnest(\(parameters { "\($0)[]" })) with ordinality as given (\(columns), number)")

    private static func statement(count: String, identifiers: String, given: String) -> EventChange {
        EventChange(
            values: 8 + EventColumns.all.count, count: count,
            setting: """
                , events_made = f.events_made + \(count), events_of_day = \(ofDay) + \(count), events_day = \(day)
                """,
            where: """
                not exists (select from events e where e.family_id = $3 and e.id \(identifiers))
                    and not ($6 and exists (
                        select from events e
                        where e.family_id = $3 and e.child_id = $5 and \(EventKind.isOngoingSleep("e"))
                    ))
                    and f.events_made + \(count) <= \(EventCeiling.inAll)
                    and \(ofDay) + \(count) <= \(EventCeiling.ofDay)
                """,
            write: """
                insert into events (family_id, child_id, created_by, created_at, updated_at, revision, \(columns))
                select $3, $5, member.user_id, $2, $2, feed.last_revision - \(count) + given.number, \(givenColumns)
                from member, feed, \(given)
                returning *
                """,
            type: "'event.created'")
    }

    private static let day = "($2::timestamptz at time zone 'UTC')::date"
    /// Of a feed `f`, until this statement.
    private static let ofDay = "case when f.events_day = \(day) then f.events_of_day else 0 end"

    private static let columns = (["id", "kind"] + EventColumns.all.map(\.name)).joined(separator: ", ")

    private static let givenColumns = columns.split(separator: ", ").map { "given.\($0)" }.joined(separator: ", ")

    /// The values of `columns`, from `$7` on.
    private static func parameters(_ form: (_ type: String) -> String) -> String {
        (["uuid", "int2"] + EventColumns.all.map(\.storage.type)).enumerated()
            .map { "$\(7 + $0)::\(form($1))" }.joined(separator: ", ")
    }
}

/// How many events a family may make.
enum EventCeiling {
    /// Of a day in UTC: an import is one day.
    static let ofDay = 50_000
    static let inAll = 2_000_000
}
