public import BabyBasicsAPI
public import JSON
import Postgres

/// The value of one field of an event.
enum FieldValue: Hashable, Sendable {
    case nothing
    case text(String)
    case time(Timestamp)
    case number(Tenths)

    var time: Timestamp? { if case .time(let time) = self { time } else { nil } }
    var text: String? { if case .text(let text) = self { text } else { nil } }
    var number: Tenths? { if case .number(let number) = self { number } else { nil } }
}

/// An event of any kind as the database has it.
struct StoredEvent: Sendable {
    let table: EventTable
    let id: Identifier<AnyEvent>
    var childID: ChildID
    /// One for each of the kind's fields.
    var values: [FieldValue]
    var author: Author
    let createdAt: Timestamp
    var updatedAt: Timestamp
    var revision: Int64
    var deletedAt: Timestamp?

    var kind: EventKind { table.kind }
    /// When it began or happened. Every kind's table says that there is one.
    var at: Timestamp { values[kind.time].time ?? createdAt }
}

extension StoredEvent {
    /// Reads `Shape.columns`.
    init<Columns: ColumnReader & ~Copyable>(_ row: inout Columns) throws {
        let number = Int(try row.next(Int16.self))
        let table = EventTable.all[number]
        let id: Identifier<AnyEvent> = try row.next()
        let childID: ChildID = try row.next()
        var values = [FieldValue](repeating: .nothing, count: table.names.count)
        for place in table.places {
            guard let field = place.field else {
                row.skip()
                continue
            }
            values[field] =
                switch place.storage {
                case .time: try row.next(Timestamp?.self).map(FieldValue.time) ?? .nothing
                case .text: try row.next(String?.self).map(FieldValue.text) ?? .nothing
                case .number: try row.next(Tenths?.self).map(FieldValue.number) ?? .nothing
                }
        }
        let createdAt: Timestamp = try row.next()
        let updatedAt: Timestamp = try row.next()
        let revision: Int64 = try row.next()
        let deletedAt: Timestamp? = try row.next()
        self.init(
            table: table, id: id, childID: childID, values: values,
            author: Author(userId: try row.next(), name: try row.next()), createdAt: createdAt,
            updatedAt: updatedAt, revision: revision, deletedAt: deletedAt)
    }
}

extension EventTable {
    /// The statement that reads events of any kinds, for `StoredEvent.init`.
    /// - Parameters:
    ///   - rows: one or more of `EventTable.rows(where:)`, united by `union all`.
    ///   - end: `order by` and `limit`, on `e.time1`, `e.id`, `e.revision` and the other names of the shape.
    static func select(from rows: SQL, _ end: SQL = "") -> SQL {
        """
        select \(unescaped: Shape.columns)
        from (\(fragment: rows)) e left join users u on u.id = e.created_by
        \(fragment: end)
        """
    }
}

extension Database {
    /// Completes events that were read without their authors' names: fifty events have two or three authors, not fifty.
    ///
    /// - Returns: whether all authors were among `names`.
    @discardableResult
    func nameAuthors(of events: inout [StoredEvent], among names: [UserID: String]) async throws -> Bool {
        var authors = names
        let strangers = Set(events.compactMap(\.author.userId)).subtracting(names.keys)
        // Former members, and those who left with their account: only their name is shown.
        var goneNames: [UserID: String] = [:]
        if !strangers.isEmpty {
            let found = try await rows(
                "select id, name, deleted_at is null from users where id = any (\(strangers.map(\.uuid)))"
            ) {
                (
                    id: try $0.next(UserID.self), name: try $0.next(String.self),
                    isHere: try $0.next(Bool.self)
                )
            }
            for one in found {
                if one.isHere { authors[one.id] = one.name } else { goneNames[one.id] = one.name }
            }
        }
        for index in events.indices {
            guard let id = events[index].author.userId else { continue }
            if let name = authors[id] {
                events[index].author = Author(userId: id, name: name)
            } else {
                events[index].author = Author(userId: nil, name: goneNames[id] ?? "")
            }
        }
        return strangers.isEmpty
    }

    /// Reads events of any kinds; see `EventTable.select`.
    func events(from rows: SQL, _ end: SQL = "") async throws -> [StoredEvent] {
        try await self.rows(EventTable.select(from: rows, end)) { try StoredEvent(&$0) }
    }
}

extension StoredEvent: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.object {
            $0.member("id", id)
            $0.member("child_id", childID)
            for index in values.indices { $0.member(table.names[index], values[index]) }
            $0.member("created_by", author)
            $0.member("created_at", createdAt)
            $0.member("updated_at", updatedAt)
            $0.member("revision", revision)
        }
    }
}

extension FieldValue: JSONWritable {
    func write(to json: inout JSONWriter) {
        switch self {
        case .nothing: WrittenJSON.null.write(to: &json)
        case .text(let text): text.write(to: &json)
        case .time(let time): time.write(to: &json)
        case .number(let number): number.write(to: &json)
        }
    }
}

extension Author: JSONWritable {
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("user_id", userId)
            $0.member("name", name)
        }
    }
}
