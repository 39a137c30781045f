import BabyBasicsAPI
import Postgres
import TestSupport
import Testing

/// What the description of a kind relies on in the schema.
@Suite("The columns of events")
struct EventColumnTests {
    /// By name: the type, as PostgreSQL writes it.
    private let columns: [String: String]
    private let database: TestDatabase

    init() throws {
        database = try TestCluster.shared.database()
        columns = try database.asOwner {
            try Dictionary(
                uniqueKeysWithValues: $0.rows(
                    """
                    select attname::text, format_type(atttypid, atttypmod) from pg_attribute
                    where attrelid = 'events'::regclass and attnum > 0 and not attisdropped
                    """
                ) { (try $0.next(String.self), try $0.next(String.self)) })
        }
    }

    /// The column of each field, in the fields' order.
    private func names(_ kind: EventKind) -> [String] {
        kind.fields.indices.map { $0 == kind.time ? "at" : $0 == kind.end ? "ended_at" : kind.fields[$0].name }
    }

    /// As PostgreSQL calls it.
    private func type(of form: EventField.Form) -> String {
        switch form {
        case .choice, .line, .text: "text"
        case .time: "timestamp with time zone"
        case .flag: "boolean"
        case .identifier: "uuid"
        case .whole, .number: "numeric"
        }
    }

    /// Whether numbers of the form, rounded as it says, fit into `numeric(digits, decimals)`.
    private func fits(_ form: EventField.Form, _ column: String) throws -> Bool {
        let largest: SQL
        switch form {
        case .whole(let range): largest = "\(unescaped: String(range.upperBound))"
        case .number(let range): largest = "\(unescaped: String(range.upperBound.tenths - 1)) / 10.0"
        case .choice, .line, .text, .time, .flag, .identifier: return true
        }
        return try database.asOwner {
            try $0.first("select (\(fragment: largest))::\(unescaped: column) = \(fragment: largest)") {
                try $0.next(Bool.self)
            } ?? false
        }
    }

    @Test("Every field has one, of the type that it needs", arguments: EventKind.all)
    func types(kind: EventKind) throws {
        for (field, name) in zip(kind.fields, names(kind)) {
            let column = try #require(columns[name], "\(kind.name).\(field.name) has no column")
            #expect(column.prefix { $0 != "(" } == type(of: field.form), "\(kind.name).\(field.name)")
            if column.hasPrefix("numeric") {
                #expect(try fits(field.form, column), "\(kind.name).\(field.name) does not fit into \(column)")
            }
        }
    }

    @Test("There is none that no kind has")
    func unused() {
        let described = EventKind.all.flatMap(names)
        let everyEvents = [
            "family_id", "id", "child_id", "kind", "created_by", "updated_by", "created_at", "updated_at", "deleted_at",
            "revision",
        ]
        #expect(Set(columns.keys) == Set(described + everyEvents))
    }

    /// The tenth came without a migration.
    @Test("A kind whose fields other kinds have needs none of its own")
    func discards() {
        let others = Set(EventKind.all.prefix(9).flatMap(names))
        #expect(Set(names(DiscardDetails.kind)).isSubset(of: others))
    }

    @Test("Each kind has a view with its fields by their names", arguments: EventKind.all)
    func views(kind: EventKind) throws {
        let found = try database.texts(
            "select column_name::text from information_schema.columns where table_name = \(kind.plural)")
        let everyEvents = [
            "id", "child_id", "family_id", "created_by", "updated_by", "created_at", "updated_at", "deleted_at",
            "revision",
        ]
        #expect(found.sorted() == (kind.fields.map(\.name) + everyEvents).sorted())
    }
}
