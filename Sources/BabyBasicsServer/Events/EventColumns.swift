import BabyBasicsAPI
import Postgres

/// The columns of `events` that hold the fields of all kinds: a column has its field's name, and kinds share those of one name. The time
/// that an event stands at on the timeline is `at`, its end `ended_at`.
enum EventColumns {
    struct Column: Sendable {
        let name: String
        let storage: Storage
    }

    /// What PostgreSQL keeps a value as.
    enum Storage: Sendable {
        case time, text, number, flag, identifier

        var type: String {
            switch self {
            case .time: "timestamptz"
            case .text: "text"
            case .number: "numeric"
            case .flag: "boolean"
            case .identifier: "uuid"
            }
        }
    }

    static let all: [Column] = EventKind.all.reduce(into: []) { columns, kind in
        for (index, field) in kind.fields.enumerated() {
            let name = kind.column(of: index)
            if !columns.contains(where: { $0.name == name }) {
                columns.append(Column(name: name, storage: field.form.storage))
            }
        }
    }

    /// For each kind by its number, and each column: the kind's field that stands there.
    static let fields: [[Int?]] = EventKind.all.map { kind in
        all.map { column in kind.fields.indices.first { kind.column(of: $0) == column.name } }
    }
}

extension EventKind {
    /// The column of a field.
    fileprivate func column(of field: Int) -> String {
        field == time ? "at" : field == end ? "ended_at" : fields[field].name
    }
}

extension EventField.Form {
    var storage: EventColumns.Storage {
        switch self {
        case .choice, .line, .text: .text
        case .time: .time
        case .number, .whole: .number
        case .flag: .flag
        case .identifier: .identifier
        }
    }
}

/// What statements on events select, in the order in which `StoredEvent` reads it.
enum EventRow {
    /// Of an event `e`.
    static let columns = names.map { "e.\($0)" }.joined(separator: ", ")
    static let columnCount = names.count
    private static let names =
        ["kind", "id", "child_id"] + EventColumns.all.map(\.name)
        + ["created_by", "updated_by", "created_at", "updated_at", "revision", "deleted_at"]

    /// Holds for the events that this release knows. A newer worker beside it may have logged others: they are passed over.
    static let isKnown = "e.kind < \(EventKind.all.count)"

    /// What is no event, as its `kind`. It comes in a row of the same columns, so that one statement brings it with the events.
    enum Other: Int16 {
        case author = -1
        case family = -2
        case member = -3
        case child = -4
        case tombstone = -5
        case plan = -6
    }

    /// The select list of something that is no event.
    /// - Parameters:
    ///   - parent: an identifier, in the place of the event's child.
    ///   - values: by the columns that they stand in.
    static func columns(
        of other: Other, id: String, parent: String = "null", _ values: [String: String],
        createdAt: String = "null", updatedAt: String = "null", revision: String = "null"
    ) -> String {
        let places = EventColumns.all.map { "\(values[$0.name] ?? "null")::\($0.storage.type)" }
        return """
            '\(other.rawValue)'::int2, \(id), \(parent)::uuid, \(places.joined(separator: ", ")), null::uuid, null::uuid,
            \(createdAt)::timestamptz, \(updatedAt)::timestamptz, \(revision)::int8, null::timestamptz
            """
    }
}
