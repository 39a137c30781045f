import BabyBasicsAPI
import Foundation
import GRDB

/// An entry: this device's version, and the server's last one.
struct EntryRow: StoreRecord, PersistableRecord {
    static let databaseTableName = "entry"

    let id: UUID
    let kind: String
    let familyID: FamilyID
    /// With pending edits, and the child as `child_id`: a move is a change like any other.
    var fields: Fields { didSet { index() } }
    /// Nil until the server has it.
    var serverFields: Fields?
    var authorID: UserID?
    var authorName: String
    /// Who changed it last; nil: nobody did, or a version before this one read it.
    var editorID: UserID?
    @Milliseconds var createdAt: Timestamp
    @Milliseconds var updatedAt: Timestamp
    /// When the server's version was made.
    var serverUpdatedAt: Milliseconds?
    var revision: Int64
    /// Deleted here; the server is still to be told.
    var isDeleted = false

    // Copies of fields, for indexes.
    private(set) var childID: String
    @Milliseconds private(set) var at: Timestamp
    private(set) var endedAt: Milliseconds?

    enum CodingKeys: String, CodingKey {
        case id, kind, at, fields, revision
        case familyID = "family_id"
        case childID = "child_id"
        case endedAt = "ended_at"
        case serverFields = "server_fields"
        case authorID = "author_id"
        case authorName = "author_name"
        case editorID = "editor_id"
        case createdAt = "created_at"
        case updatedAt = "updated_at"
        case serverUpdatedAt = "server_updated_at"
        case isDeleted = "is_deleted"
    }

    enum Columns {
        static let id = Column(CodingKeys.id)
        static let kind = Column(CodingKeys.kind)
        static let familyID = Column(CodingKeys.familyID)
        static let childID = Column(CodingKeys.childID)
        static let at = Column(CodingKeys.at)
        static let endedAt = Column(CodingKeys.endedAt)
        static let serverFields = Column(CodingKeys.serverFields)
        static let authorID = Column(CodingKeys.authorID)
        static let authorName = Column(CodingKeys.authorName)
        static let revision = Column(CodingKeys.revision)
        static let isDeleted = Column(CodingKeys.isDeleted)
    }

    init(
        id: UUID, kind: String, familyID: FamilyID, fields: Fields, serverFields: Fields?, author: Author,
        createdAt: Timestamp, updatedAt: Timestamp, serverUpdatedAt: Timestamp? = nil, revision: Int64
    ) {
        self.id = id
        self.kind = kind
        self.familyID = familyID
        self.fields = fields
        self.serverFields = serverFields
        authorID = author.userId
        authorName = author.name
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.serverUpdatedAt = serverUpdatedAt.map { Milliseconds($0) }
        self.revision = revision
        childID = ""
        at = createdAt
        index()
    }

    private mutating func index() {
        childID = fields["child_id"]?.text ?? ""
        at = StoredEntry.time(of: fields) ?? createdAt
        endedAt = fields["ended_at"]?.time.map { Milliseconds($0) }
    }

    /// Where the server has it.
    var serverChildID: String { serverFields?["child_id"]?.text ?? childID }

    /// The feed may bring an entry before its child.
    func willSave(_ db: Database) throws {
        guard let child = ChildID(childID), try !ChildRow.exists(db, key: childID) else { return }
        try ChildRow(id: child, familyID: familyID, createdAt: createdAt, revision: 0).insert(db)
    }
}

extension EntryRow {
    /// The entry, unless it is unknown here.
    static func find(_ id: UUID, _ db: Database) throws -> EntryRow? { try row(id).fetchOne(db) }

    /// A child's entries without deleted ones, and without plans.
    static func shown(of child: ChildID) -> QueryInterfaceRequest<EntryRow> {
        filter(Columns.childID == child.description && Columns.isDeleted == false && Columns.kind != PlanKind.name)
    }
}

extension QueryInterfaceRequest<EntryRow> {
    /// Newest first, as everywhere.
    func newestFirst() -> Self { order(EntryRow.Columns.at.desc, EntryRow.Columns.id.desc) }

    /// The entries as they are shown, each with whether something of it waits to be sent.
    func fetchShown(_ db: Database) throws -> [StoredEntry] {
        let entry = TableAlias()
        let waiting = OutboxRow.filter(OutboxRow.Columns.entryID == entry[EntryRow.Columns.id])
        return try aliased(entry).annotated(with: waiting.exists().forKey("is_waiting"))
            .asRequest(of: ShownRow.self).fetchAll(db).map { try StoredEntry($0.entry, isWaiting: $0.isWaiting) }
    }
}

/// An entry, and whether the outbox has changes of it.
private struct ShownRow: FetchableRecord {
    let entry: EntryRow
    let isWaiting: Bool

    init(row: Row) throws {
        entry = try EntryRow(row: row)
        isWaiting = row["is_waiting"]
    }
}

extension StoredEntry {
    init(_ row: EntryRow, isWaiting: Bool) throws {
        guard let child = ChildID(row.childID) else { throw UnreadableColumn(name: "child_id") }
        self.init(
            id: row.id, kind: row.kind, childID: child, fields: row.fields.filter { $0.key != "child_id" },
            author: Author(userId: row.authorID, name: row.authorName), createdAt: row.createdAt,
            updatedAt: row.updatedAt, editorID: row.editorID, revision: row.revision, isWaiting: isWaiting)
    }
}

/// A column with an impossible value: another program changed the file.
struct UnreadableColumn: Error {
    let name: String
}
