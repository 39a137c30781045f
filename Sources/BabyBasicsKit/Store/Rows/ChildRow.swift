import BabyBasicsAPI
import GRDB

/// A child. Its entries may come first: then it has no name yet, but always a family.
struct ChildRow: StoreRecord, PersistableRecord {
    static let databaseTableName = "child"

    let id: ChildID
    var familyID: FamilyID
    var name: String?
    var dateOfBirth: CalendarDate?
    @Milliseconds var createdAt: Timestamp
    var revision: Int64

    enum CodingKeys: String, CodingKey {
        case id, name, revision
        case familyID = "family_id"
        case dateOfBirth = "date_of_birth"
        case createdAt = "created_at"
    }

    enum Columns {
        static let id = Column(CodingKeys.id)
        static let familyID = Column(CodingKeys.familyID)
        static let name = Column(CodingKeys.name)
        static let createdAt = Column(CodingKeys.createdAt)
        static let revision = Column(CodingKeys.revision)
    }

    static func of(_ family: FamilyID) -> QueryInterfaceRequest<ChildRow> {
        filter(Columns.familyID == family.description)
    }
}

extension StoredChild {
    /// Nil for a child that only its entries tell of so far.
    init?(_ row: ChildRow) {
        guard let name = row.name, let born = row.dateOfBirth else { return nil }
        self.init(id: row.id, familyID: row.familyID, name: name, dateOfBirth: born)
    }
}
