import BabyBasicsAPI
import Foundation
import GRDB

/// A person's own reminder, as this device wants it.
struct ReminderRow: StoreRecord, PersistableRecord, Equatable {
    static let databaseTableName = "reminder"

    var id: ReminderID
    let childID: ChildID
    /// As the wire has it: a later server may have others.
    var subject: String?
    var afterMinutes: Int?
    var planID: PlanID?
    /// Whether the server is still to be told.
    var isWaiting: Bool
    /// It is to go.
    var isDeleted = false

    enum CodingKeys: String, CodingKey {
        case id, subject
        case childID = "child_id"
        case afterMinutes = "after_minutes"
        case planID = "plan_id"
        case isWaiting = "is_waiting"
        case isDeleted = "is_deleted"
    }

    enum Columns {
        static let id = Column(CodingKeys.id)
        static let isWaiting = Column(CodingKeys.isWaiting)
        static let isDeleted = Column(CodingKeys.isDeleted)
    }

    static func waitingCount(_ db: Database) throws -> Int {
        try filter(Columns.isWaiting == true).fetchCount(db)
    }

    static func inOrder() -> QueryInterfaceRequest<ReminderRow> { order(Columns.id) }
}

/// A reminder on the wire, with words of a later server.
struct ServerReminder: Codable, Sendable {
    var id: ReminderID
    var childID: ChildID
    var subject: String?
    var afterMinutes: Int?
    var planID: PlanID?

    enum CodingKeys: String, CodingKey {
        case id
        case subject = "on"
        case childID = "child_id"
        case afterMinutes = "after_minutes"
        case planID = "plan_id"
    }

    init(_ row: ReminderRow) {
        (id, childID, subject, afterMinutes, planID) =
            (row.id, row.childID, row.subject, row.afterMinutes, row.planID)
    }
}

extension ReminderRow {
    init(_ reminder: ServerReminder) {
        self.init(
            id: reminder.id, childID: reminder.childID, subject: reminder.subject,
            afterMinutes: reminder.afterMinutes, planID: reminder.planID, isWaiting: false)
    }
}
