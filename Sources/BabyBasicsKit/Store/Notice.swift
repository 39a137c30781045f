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
    /// The store was damaged and is made anew; of what was not sent, so many changes could be read.
    case storeReplaced(saved: Int)
    /// This device's clock was wrong: what was logged by it is put right.
    case clockCorrected

    /// Both values of a field that two people changed.
    public struct Conflict: Hashable, Codable, Sendable {
        /// The entry.
        public var entryID: UUID
        /// Its kind.
        public var kind: String
        /// The field's name on the wire.
        public var field: String
        /// What was entered here; nil for nothing.
        public var mine: EntryValue?
        /// What the other person entered; nil for nothing.
        public var theirs: EntryValue?
        /// Whether this device's value holds.
        public var mineHolds: Bool
        /// Who the other person is; nil where the server does not tell.
        public var theirName: String?
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

    /// What nobody has dismissed yet, oldest first.
    public func notices() async throws -> [StoredNotice] {
        try await database.read { try Self.notices($0) }
    }

    static func notices(_ db: Database) throws -> [StoredNotice] {
        try NoticeRow.inOrder().fetchAll(db).map { StoredNotice($0) }
    }
}
