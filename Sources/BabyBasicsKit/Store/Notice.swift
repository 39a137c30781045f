public import BabyBasicsAPI
public import Foundation
import GRDB

/// Something that happened to this device's data and that the person should know: it is said once.
public enum Notice: Hashable, Codable, Sendable {
    /// Two people changed one field of an entry; the later change holds.
    case conflict(Conflict)
    /// Another person deleted an entry that was changed here.
    case entryGone(kind: String, at: Timestamp)
    /// A child was deleted; so many entries waited. `unsentFile(at:)` saves them.
    case childGone(name: String, waiting: Int, unsent: [UnsentEntries]?)
    /// This account has left a family, or the family was deleted; so many entries waited. `unsentFile(at:)` saves them.
    case familyGone(name: String, waiting: Int, unsent: [UnsentEntries]?)
    /// The store was damaged and made anew; so many pending changes were saved.
    case storeReplaced(saved: Int)
    /// The server did not keep a reminder.
    case reminderNotKept(reason: String)
    /// This device's clock was wrong; entries that were logged by it are corrected.
    case clockCorrected

    /// Both values of a field that two people changed.
    public struct Conflict: Hashable, Codable, Sendable {
        /// The entry.
        public var entryID: UUID
        /// Its kind.
        public var kind: String
        /// The field's name on the wire.
        public var field: String
        /// This device's value; nil for none.
        public var mine: EntryValue?
        /// The other person's value; nil for none.
        public var theirs: EntryValue?
        /// Whether this device's value holds.
        public var mineHolds: Bool
        /// The other person's name; nil if the server doesn't tell.
        public var theirName: String?
    }
}

/// A notice that the person has not dismissed.
public struct StoredNotice: Hashable, Sendable, Identifiable {
    /// A number of the store's own.
    public let id: Int64
    /// Its content.
    public let notice: Notice
    /// When it happened.
    public let madeAt: Timestamp
}

extension Database {
    func tell(_ notice: Notice, now: Timestamp) throws {
        var row = NoticeRow(content: notice, madeAt: now)
        try row.insert(self)
    }
}

extension StoredNotice {
    init(_ row: NoticeRow) { self.init(id: row.number ?? 0, notice: row.content, madeAt: row.madeAt) }
}

extension AccountStore {
    /// The person has read it.
    public func dismiss(_ notice: StoredNotice) async throws {
        _ = try await database.write { try NoticeRow.deleteOne($0, key: notice.id) }
    }

    /// The notices that the person has not dismissed, oldest first.
    public func notices() async throws -> [StoredNotice] {
        try await database.read { try Self.notices($0) }
    }

    static func notices(_ db: Database) throws -> [StoredNotice] {
        try NoticeRow.inOrder().fetchAll(db).map { StoredNotice($0) }
    }
}
