import BabyBasicsAPI
import Postgres

/// How a kind's events stand in the database, worked out once from its description.
///
/// Rows of all kinds have one shape, so that they can be united and read in one way: the n-th text of a kind is `text<n>`, whatever its name.
/// `time1` is the time that the event stands at on the timeline.
final class EventTable: Sendable {
    let kind: EventKind
    /// The kind's place among all, which its rows bring along.
    let number: Int
    /// What stands at each place of the shape.
    let places: [Place]
    /// Of the kind's fields, in their order.
    let names: [String]

    /// A place of the shape, and the index of the kind's field that stands there; nil where the kind has none.
    struct Place: Sendable {
        let storage: Storage
        let field: Int?
    }

    /// `select … from feedings`, without a condition.
    private let selection: String
    let modification: PreparedSQL
    let overlapping: PreparedSQL?

    static let all: [EventTable] = EventKind.all.enumerated().map(EventTable.init)

    /// - Parameter kind: one of `EventKind.all`.
    static func of(_ kind: EventKind) -> EventTable? { all.first { $0.kind.name == kind.name } }

    private init(number: Int, kind: EventKind) {
        self.kind = kind
        self.number = number
        let fields = Storage.allCases.map { storage in
            let indices = kind.fields.indices.filter { kind.fields[$0].form.storage == storage }
            // The timeline's own time comes first among the times.
            return indices.filter { $0 == kind.time } + indices.filter { $0 != kind.time }
        }
        let places = Shape.places.map { place in
            let own = fields[place.storage.rawValue]
            return Place(
                storage: place.storage,
                field: place.number <= own.count ? own[place.number - 1] : nil)
        }
        self.places = places
        names = kind.fields.map(\.name)
        modification = Self.modification(of: kind)
        overlapping = Self.overlapping(of: kind)
        let columns = zip(Shape.places, places).map { place, own in
            let name = own.field.map { kind.fields[$0].name } ?? "null"
            return "\(name)::\(place.storage.type) as \(place.name)"
        }
        selection =
            "select \(number)::int2 as kind, id, child_id, \(columns.joined(separator: ", ")), "
            + "created_by, created_at, updated_at, revision, deleted_at from \(kind.plural)"
    }

    /// The kind's rows that meet a condition on its own columns, in parentheses: to be united with others' by `union all`.
    func rows(where condition: SQL) -> SQL {
        "(\(unescaped: selection) where \(fragment: condition))"
    }

    /// The column of the time that the event stands at on the timeline.
    var timeColumn: String { kind.fields[kind.time].name }
    /// The column of the end; of a kind without one, that of its only time.
    var endColumn: String { kind.fields[kind.end ?? kind.time].name }
    /// The end's place of the shape.
    var endPlace: String {
        let index = places.firstIndex { $0.field == kind.end ?? kind.time } ?? 0
        return Shape.places[index].name
    }

    /// Makes events of this kind.
    var creation: AuthenticatedQuery { Self.creations[number] }
    private static let creations = all.map { EventCreation.query(for: [$0]) }
}

/// The shape that rows of all kinds share.
enum Shape {
    struct Place: Sendable {
        let storage: Storage
        let number: Int
        var name: String { "\(storage.name)\(number)" }
    }

    /// As many of each storage as the kind with the most of it has.
    static let places: [Place] = Storage.allCases.flatMap { storage in
        let most =
            EventKind.all.map { kind in
                kind.fields.count { $0.form.storage == storage }
            }.max() ?? 0
        return (0..<most).map { Place(storage: storage, number: $0 + 1) }
    }

    /// What `StoredEvent` reads. The author comes from `users u`.
    static let columns =
        "e.kind, e.id, e.child_id, "
        + places.map { "e.\($0.name)" }.joined(separator: ", ")
        + ", e.created_at, e.updated_at, e.revision, e.deleted_at, \(authorColumns)"

    /// The same without `users u`: the author's name is left open, see `Database.nameAuthors`.
    static let anonymousColumns = columns.replacing(authorColumns, with: "e.created_by, ''::text")

    /// Who logged an event, as others see it. Of an account that was deleted only the name is shown.
    static let authorColumns =
        "case when u.deleted_at is null then u.id end, coalesce(u.name, '')"
}

/// What PostgreSQL keeps a field's value as.
enum Storage: Int, CaseIterable {
    case time
    case text
    case number

    var name: String {
        switch self {
        case .time: "time"
        case .text: "text"
        case .number: "number"
        }
    }

    var type: String {
        switch self {
        case .time: "timestamptz"
        case .text: "text"
        case .number: "numeric"
        }
    }
}

extension EventField.Form {
    var storage: Storage {
        switch self {
        case .choice, .line, .text: .text
        case .time: .time
        case .number, .whole: .number
        }
    }
}
