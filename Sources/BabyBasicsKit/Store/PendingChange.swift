public import BabyBasicsAPI
public import Foundation
import GRDB

/// A change that was made on this device and that the server has not confirmed yet.
public struct PendingChange: Hashable, Sendable, Identifiable {
    /// What is to be done.
    public enum Operation: String, Hashable, Sendable {
        /// The entry is new.
        case create
        /// Fields of it are to be changed.
        case edit
        /// It is to be deleted.
        case delete
        /// A deletion is to be taken back.
        case restore
    }

    /// The order in which changes are sent.
    public let id: Int64
    /// The family it belongs to.
    public var familyID: FamilyID
    /// The child it was made for.
    public var childID: ChildID
    /// The entry it changes.
    public var entryID: UUID
    /// The entry's kind.
    public var kind: String
    /// What is to be done.
    public var operation: Operation
    /// Of a creation all fields, of an edit the merge patch.
    public var changes: FieldChanges
    /// What the edited fields held when the person changed them.
    public var base: Fields
    /// When the person made it.
    public var madeAt: Timestamp
    /// How often it was sent. The server may have seen what was sent once.
    public var attempts: Int

    init(row: Row) throws {
        id = row["sequence"]
        familyID = try row.identifier("family_id")
        childID = try row.identifier("child_id")
        entryID = (try row.identifier("entry_id") as Identifier<AnyEvent>).uuid
        kind = row["kind"]
        guard let operation = Operation(rawValue: row["operation"]) else {
            throw UnreadableColumn(name: "operation")
        }
        self.operation = operation
        changes = try StoredJSON.value(FieldChanges.self, row["changes"])
        base = try StoredJSON.value(Fields.self, row["base"])
        madeAt = Timestamp(milliseconds: row["made_at"])
        attempts = row["attempts"]
    }
}

/// What waits to be sent, inside a transaction.
struct Outbox {
    let db: Database

    func all(limit: Int = .max) throws -> [PendingChange] {
        try rows("true order by sequence limit ?", [limit])
    }

    func of(entry: UUID) throws -> [PendingChange] {
        try rows("entry_id = ? order by sequence", [entry.text])
    }

    func change(_ id: Int64) throws -> PendingChange? {
        try rows("sequence = ?", [id]).first
    }

    func count() throws -> Int {
        try Int.fetchOne(db, sql: "select count(*) from outbox") ?? 0
    }

    func add(
        _ operation: PendingChange.Operation, to entry: UUID, kind: String, family: String,
        child: String, changes: FieldChanges = [:], base: Fields = [:], madeAt: Timestamp
    ) throws {
        try db.execute(
            sql: """
                insert into outbox
                    (family_id, child_id, entry_id, kind, operation, changes, base, made_at)
                values (?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                family, child, entry.text, kind, operation.rawValue, try StoredJSON.text(changes),
                try StoredJSON.text(base), madeAt.milliseconds,
            ])
    }

    func update(_ change: PendingChange) throws {
        try db.execute(
            sql: "update outbox set changes = ?, base = ?, made_at = ? where sequence = ?",
            arguments: [
                try StoredJSON.text(change.changes), try StoredJSON.text(change.base),
                change.madeAt.milliseconds, change.id,
            ])
    }

    func remove(_ change: PendingChange) throws {
        try db.execute(sql: "delete from outbox where sequence = ?", arguments: [change.id])
    }

    func removeAll(of entry: UUID) throws {
        try db.execute(sql: "delete from outbox where entry_id = ?", arguments: [entry.text])
    }

    /// Remembers that they are about to be sent: from now on the server may have seen them.
    func attempt(_ changes: [PendingChange]) throws {
        for change in changes {
            try db.execute(
                sql: "update outbox set attempts = attempts + 1 where sequence = ?",
                arguments: [change.id])
        }
    }

    private func rows(_ condition: String, _ arguments: StatementArguments) throws
        -> [PendingChange]
    {
        try Row.fetchAll(db, sql: "select * from outbox where \(condition)", arguments: arguments)
            .map { try PendingChange(row: $0) }
    }
}
