import BabyBasicsAPI
import Foundation
import GRDB

/// A change that waits to be sent.
struct OutboxRow: StoreRecord {
    static let databaseTableName = "outbox"

    /// The order of sending; SQLite numbers what is inserted.
    private(set) var sequence: Int64?
    let familyID: FamilyID
    var childID: ChildID
    let entryID: UUID
    let kind: String
    let operation: PendingChange.Operation
    var changes: FieldChanges
    var base: Fields
    @Milliseconds var madeAt: Timestamp
    var attempts = 0
    /// What was known of the device's clock when it was made, in milliseconds; see `ServerClock`.
    var clockOffset: Int64 = 0
    /// By how much the clock has been put right since.
    var clockShift: Int64 = 0

    enum CodingKeys: String, CodingKey {
        case sequence, kind, operation, changes, base, attempts
        case familyID = "family_id"
        case childID = "child_id"
        case entryID = "entry_id"
        case madeAt = "made_at"
        case clockOffset = "clock_offset"
        case clockShift = "clock_shift"
    }

    enum Columns {
        static let sequence = Column(CodingKeys.sequence)
        static let familyID = Column(CodingKeys.familyID)
        static let childID = Column(CodingKeys.childID)
        static let entryID = Column(CodingKeys.entryID)
        static let operation = Column(CodingKeys.operation)
        static let clockOffset = Column(CodingKeys.clockOffset)
        static let attempts = Column(CodingKeys.attempts)
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { sequence = inserted.rowID }
}

extension PendingChange {
    init(_ row: OutboxRow) {
        self.init(
            id: row.sequence ?? 0, familyID: row.familyID, childID: row.childID, entryID: row.entryID,
            kind: row.kind, operation: row.operation, changes: row.changes, base: row.base, madeAt: row.madeAt,
            attempts: row.attempts)
    }
}
