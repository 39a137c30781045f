import BabyBasicsAPI
import GRDB

/// A family, and where its feed stands on this device.
struct FamilyRow: StoreRecord, PersistableRecord {
    static let databaseTableName = "family"

    let id: FamilyID
    var name: String
    var policy: FamilyPolicy
    var ownerID: UserID?
    var role: MemberRole
    var revision: Int64
    @Milliseconds var createdAt: Timestamp
    @Milliseconds var updatedAt: Timestamp
    /// The next request's `since`.
    var since: Int64 = 0
    /// Whether the feed was read to its end once.
    var isComplete = false
    /// The same while the family is read anew beside the old copy; else nil.
    var resyncSince: Int64?

    enum CodingKeys: String, CodingKey {
        case id, name, role, revision, since
        case policy = "sharing_policy"
        case ownerID = "owner_id"
        case createdAt = "created_at"
        case updatedAt = "updated_at"
        case isComplete = "is_complete"
        case resyncSince = "resync_since"
    }

    enum Columns {
        static let id = Column(CodingKeys.id)
        static let role = Column(CodingKeys.role)
        static let revision = Column(CodingKeys.revision)
        static let createdAt = Column(CodingKeys.createdAt)
        static let since = Column(CodingKeys.since)
        static let isComplete = Column(CodingKeys.isComplete)
        static let resyncSince = Column(CodingKeys.resyncSince)
    }
}

extension StoredFamily {
    init(_ row: FamilyRow) {
        self.init(
            id: row.id, name: row.name, sharingPolicy: row.policy, ownerID: row.ownerID, role: row.role,
            createdAt: row.createdAt, isComplete: row.isComplete)
    }
}
