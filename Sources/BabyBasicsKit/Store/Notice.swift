public import BabyBasicsAPI
public import Foundation
import GRDB

/// Something that happened to this device's data and that the person should know: it is said once.
public enum Notice: Hashable, Codable, Sendable {
    /// Two people changed one field of an entry; the later change holds.
    case conflict(Conflict)
    /// Somebody deleted an entry that was changed here.
    case entryGone(kind: String, at: Timestamp)
    /// A child is gone, with what was waiting for it.
    case childGone(name: String, waiting: Int)
    /// This account is in a family no more, or the family is gone.
    case familyGone(name: String, waiting: Int)

    /// Both values of a field that two people changed.
    public struct Conflict: Hashable, Codable, Sendable {
        /// The entry.
        public var entryID: UUID
        /// Its kind.
        public var kind: String
        /// The field's name on the wire.
        public var field: String
        /// What was entered here; nil for nothing.
        public var mine: FieldValue?
        /// What the other person entered; nil for nothing.
        public var theirs: FieldValue?
        /// Whether this device's value holds.
        public var mineHolds: Bool
    }
}

/// A notice that nobody has dismissed yet.
public struct StoredNotice: Hashable, Sendable, Identifiable {
    /// A number of the store's own.
    public let id: Int64
    /// What there is to say.
    public let notice: Notice
    /// When it happened.
    public let madeAt: Timestamp

    init(row: Row) throws {
        id = row["number"]
        notice = try StoredJSON.value(Notice.self, row["content"])
        madeAt = Timestamp(milliseconds: row["made_at"])
    }
}

/// A change that the server refused. It is kept until the person mends or discards it.
public struct UnsavedEntry: Hashable, Sendable, Identifiable {
    /// A number of the store's own.
    public let id: Int64
    /// The family it belongs to.
    public var familyID: FamilyID
    /// The child it was made for.
    public var childID: ChildID
    /// The entry.
    public var entryID: UUID
    /// Its kind.
    public var kind: String
    /// What was to be done.
    public var operation: PendingChange.Operation
    /// The entry as the person meant it.
    public var fields: Fields
    /// What the person had changed.
    public var changes: FieldChanges
    /// Why it was refused, by field where the server told one.
    public var reasons: [Reason]
    /// When the person made it.
    public var madeAt: Timestamp

    /// Why something was refused.
    public struct Reason: Hashable, Codable, Sendable {
        /// The field's name on the wire; empty for the whole.
        public var field: String
        /// The server's words.
        public var message: String
    }

    init(row: Row) throws {
        id = row["number"]
        familyID = try row.identifier("family_id")
        childID = try row.identifier("child_id")
        entryID = (try row.identifier("entry_id") as Identifier<AnyEvent>).uuid
        kind = row["kind"]
        guard let operation = PendingChange.Operation(rawValue: row["operation"]) else {
            throw UnreadableColumn(name: "operation")
        }
        self.operation = operation
        fields = try StoredJSON.value(Fields.self, row["fields"])
        changes = try StoredJSON.value(FieldChanges.self, row["changes"])
        reasons = try StoredJSON.value([Reason].self, row["reasons"])
        madeAt = Timestamp(milliseconds: row["made_at"])
    }
}

extension Database {
    func tell(_ notice: Notice, now: Timestamp) throws {
        try execute(
            sql: "insert into notice (content, made_at) values (?, ?)",
            arguments: [try StoredJSON.text(notice), now.milliseconds])
    }
}

extension Store {
    /// The person has read it.
    public func dismiss(_ notice: StoredNotice) async throws {
        try await database.write { db in
            try db.execute(sql: "delete from notice where number = ?", arguments: [notice.id])
        }
    }

    /// What nobody has dismissed yet, oldest first.
    public func notices() async throws -> [StoredNotice] {
        try await database.read { db in
            try Row.fetchAll(db, sql: "select * from notice order by number")
                .map { try StoredNotice(row: $0) }
        }
    }
}
