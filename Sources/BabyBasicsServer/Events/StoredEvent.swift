public import BabyBasicsAPI
import FoundationEssentials
public import JSON
import Postgres

typealias FieldValue = EventChanges.Value

/// An event of any kind as the database has it.
struct StoredEvent: Sendable {
    let kind: EventKind
    let id: Identifier<AnyEvent>
    var childID: ChildID
    /// One for each of the kind's fields.
    var values: [FieldValue]
    /// Without a name until `Database.name` has given it.
    var createdBy: Author
    /// Nil where nobody has changed it.
    var updatedBy: Author?
    let createdAt: Timestamp
    var updatedAt: Timestamp
    var revision: Int64
    var deletedAt: Timestamp?

    /// When it began or happened. Every event has a time.
    var at: Timestamp { values[kind.time].time ?? createdAt }
}

extension StoredEvent {
    /// Reads what follows the kind's number in `EventRow.columns`.
    init(number: Int, _ row: inout Row) throws {
        let kind = EventKind.all[number]
        let id: Identifier<AnyEvent> = try row.next()
        let childID: ChildID = try row.next()
        var values = [FieldValue](repeating: .nothing, count: kind.fields.count)
        for (column, field) in zip(EventColumns.all, EventColumns.fields[number]) {
            guard let field else {
                row.skip()
                continue
            }
            values[field] = try row.nextValue(column.storage)
        }
        let (author, editor): (UserID?, UserID?) = (try row.next(), try row.next())
        self.init(
            kind: kind, id: id, childID: childID, values: values, createdBy: Author(userId: author, name: ""),
            updatedBy: editor.map { Author(userId: $0, name: "") }, createdAt: try row.next(),
            updatedAt: try row.next(),
            revision: try row.next(), deletedAt: try row.next())
    }
}

extension Row {
    fileprivate mutating func nextValue(_ storage: EventColumns.Storage) throws -> FieldValue {
        switch storage {
        case .time: try next(Timestamp?.self).map(FieldValue.time) ?? .nothing
        case .text: try next(String?.self).map(FieldValue.text) ?? .nothing
        case .number: try next(Tenths?.self).map(FieldValue.number) ?? .nothing
        case .flag: .flag(try next(Bool?.self) ?? false)
        case .identifier: try next(PlanID?.self).map { .text($0.description) } ?? .nothing
        }
    }
}

extension PreparedSQL.Values {
    /// One value for each of `EventColumns.all`.
    mutating func append(_ values: [FieldValue], of kind: EventKind) {
        for (column, field) in zip(EventColumns.all, EventColumns.fields[kind.number]) {
            append(field.map { values[$0] } ?? .nothing, as: column.storage)
        }
    }

    private mutating func append(_ value: FieldValue, as storage: EventColumns.Storage) {
        switch storage {
        case .time: append(value.time)
        case .text: append(value.text)
        case .number: append(value.number)
        case .flag: append(value.flag)
        case .identifier: append(value.identifier)
        }
    }
}

extension StoredEvent: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.object {
            $0.member("id", id)
            $0.member("child_id", childID)
            for (field, value) in zip(kind.fields, values) { $0.member(field.name, value) }
            $0.member("created_by", createdBy)
            $0.member("updated_by", updatedBy)
            $0.member("created_at", createdAt)
            $0.member("updated_at", updatedAt)
            $0.member("revision", revision)
        }
    }
}

extension EventChanges.Value: JSONWritable {
    public func write(to json: inout JSONWriter) {
        switch self {
        case .nothing: WrittenJSON.null.write(to: &json)
        case .text(let text): text.write(to: &json)
        case .time(let time): time.write(to: &json)
        case .number(let number): number.write(to: &json)
        case .flag(let flag): flag.write(to: &json)
        }
    }
}

extension EventChanges.Value {
    /// Of text in the form of one.
    var identifier: UUID? { text.flatMap { PlanID($0)?.uuid } }
}

extension Author: JSONWritable {
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("user_id", userId)
            $0.member("name", name)
        }
    }
}
