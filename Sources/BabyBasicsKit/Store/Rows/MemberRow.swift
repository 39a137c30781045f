import BabyBasicsAPI
import GRDB

/// A member of a family.
struct MemberRow: StoreRecord, PersistableRecord {
    static let databaseTableName = "member"

    let familyID: FamilyID
    let userID: UserID
    var name: String
    var email: String
    var role: MemberRole
    var isOwner: Bool
    var accessUntil: Milliseconds?
    @Milliseconds var joinedAt: Timestamp
    var revision: Int64

    enum CodingKeys: String, CodingKey {
        case name, email, role, revision
        case familyID = "family_id"
        case userID = "user_id"
        case isOwner = "is_owner"
        case accessUntil = "access_until"
        case joinedAt = "joined_at"
    }

    enum Columns {
        static let familyID = Column(CodingKeys.familyID)
        static let userID = Column(CodingKeys.userID)
        static let joinedAt = Column(CodingKeys.joinedAt)
        static let revision = Column(CodingKeys.revision)
    }

    static func of(_ family: FamilyID) -> QueryInterfaceRequest<MemberRow> {
        filter(Columns.familyID == family.description)
    }

    static func row(_ user: UserID, in family: FamilyID) -> QueryInterfaceRequest<MemberRow> {
        of(family).filter(Columns.userID == user.description)
    }
}

extension StoredMember {
    init(_ row: MemberRow) {
        self.init(
            id: row.userID, familyID: row.familyID, name: row.name, email: row.email, role: row.role,
            isOwner: row.isOwner, accessUntil: row.accessUntil?.wrappedValue, joinedAt: row.joinedAt)
    }
}
