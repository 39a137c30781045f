import BabyBasicsAPI
import Foundation
import GRDB

/// A change that the server refused.
struct RejectedRow: StoreRecord {
    static let databaseTableName = "rejected"

    /// SQLite gives it at insertion.
    private(set) var number: Int64?
    let familyID: FamilyID
    let childID: ChildID
    let entryID: UUID
    let kind: String
    let operation: PendingChange.Operation
    let fields: Fields
    let changes: FieldChanges
    let reasons: [RejectedChange.Reason]
    @Milliseconds var madeAt: Timestamp

    enum CodingKeys: String, CodingKey {
        case number, kind, operation, fields, changes, reasons
        case familyID = "family_id"
        case childID = "child_id"
        case entryID = "entry_id"
        case madeAt = "made_at"
    }

    static let familyID = Column(CodingKeys.familyID)
    static let childID = Column(CodingKeys.childID)

    static func inOrder() -> QueryInterfaceRequest<RejectedRow> { order(Column(CodingKeys.number)) }

    mutating func didInsert(_ inserted: InsertionSuccess) { number = inserted.rowID }
}

extension RejectedRow {
    init(_ change: PendingChange, _ entry: EntryRow, _ reasons: [RejectedChange.Reason]) {
        self.init(
            familyID: change.familyID, childID: ChildID(entry.childID) ?? change.childID, entryID: change.entryID,
            kind: change.kind, operation: change.operation, fields: entry.fields, changes: change.changes,
            reasons: reasons, madeAt: change.madeAt)
    }
}

extension RejectedChange {
    init(_ row: RejectedRow) {
        self.init(
            id: row.number ?? 0, familyID: row.familyID, childID: row.childID, entryID: row.entryID,
            kind: row.kind, operation: row.operation, fields: row.fields, changes: row.changes,
            reasons: row.reasons, madeAt: row.madeAt)
    }
}
