import BabyBasicsAPI
import GRDB

// Tables of a few columns.

/// Something that the person is still to be told.
struct NoticeRow: StoreRecord {
    static let databaseTableName = "notice"

    /// SQLite gives it at insertion.
    private(set) var number: Int64?
    let content: Notice
    @Milliseconds var madeAt: Timestamp

    enum CodingKeys: String, CodingKey {
        case number, content
        case madeAt = "made_at"
    }

    static func inOrder() -> QueryInterfaceRequest<NoticeRow> { order(Column(CodingKeys.number)) }

    mutating func didInsert(_ inserted: InsertionSuccess) { number = inserted.rowID }
}

/// A change of a family's feed that waits until the family is read to its end.
struct StagedRow: StoreRecord {
    static let databaseTableName = "staged_change"

    /// SQLite gives it at insertion.
    private(set) var number: Int64?
    let familyID: FamilyID
    let change: FeedChange

    enum CodingKeys: String, CodingKey {
        case number, change
        case familyID = "family_id"
    }

    static func of(_ family: FamilyID) -> QueryInterfaceRequest<StagedRow> {
        filter(Column(CodingKeys.familyID) == family.description).order(Column(CodingKeys.number))
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { number = inserted.rowID }
}

/// The account's own settings: one row.
struct ProfileRow: StoreRecord, PersistableRecord {
    static let databaseTableName = "profile"

    let id: UserID
    var email: String
    var name: String
    var timezone: String
    var dayStartTime: String
    var language: String?

    enum CodingKeys: String, CodingKey {
        case id, email, name, timezone, language
        case dayStartTime = "day_start_time"
    }
}

extension ProfileRow {
    init(_ profile: Profile) {
        self.init(
            id: profile.id, email: profile.email, name: profile.name, timezone: profile.timezone,
            dayStartTime: profile.dayStartTime, language: profile.language)
    }
}

extension Profile {
    init(_ row: ProfileRow) {
        self.init(
            id: row.id, email: row.email, name: row.name, timezone: row.timezone, dayStartTime: row.dayStartTime,
            language: row.language)
    }
}

/// A kind of entry that this device has read everything of.
struct KnownKindRow: StoreRecord, PersistableRecord {
    static let databaseTableName = "known_kind"

    let name: String
}

/// The answers that growth and the sheets for the doctor ask for.
struct GrowthAnswerRow: StoreRecord, PersistableRecord {
    static let databaseTableName = "growth_answer"

    let childID: ChildID
    var sex: GrowthStandard.Sex?
    var dueDate: CalendarDate?
    var lastVisit: CalendarDate?

    enum CodingKeys: String, CodingKey {
        case sex
        case childID = "child_id"
        case dueDate = "due_date"
        case lastVisit = "last_visit"
    }
}

/// The state that processes share: one row.
struct SyncStateRow: StoreRecord, PersistableRecord {
    static let databaseTableName = "sync_state"

    var id = 1
    /// Milliseconds from the device's clock to the server's.
    var clockOffset: Int64 = 0
    /// The process that syncs; see `SyncLease`.
    var leaseHolder: String?
    var leaseUntil: Milliseconds?

    enum CodingKeys: String, CodingKey {
        case id
        case clockOffset = "clock_offset"
        case leaseHolder = "lease_holder"
        case leaseUntil = "lease_until"
    }

    static func current(_ db: Database) throws -> SyncStateRow { try fetchOne(db) ?? SyncStateRow() }
}
