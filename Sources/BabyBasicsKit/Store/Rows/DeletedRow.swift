import BabyBasicsAPI
import Foundation
import GRDB

/// An entry that was deleted, as it was.
struct DeletedRow: StoreRecord, PersistableRecord, Equatable {
    static let databaseTableName = "deleted_entry"

    /// So long the server can bring it back.
    static let keptFor = Duration.seconds(30 * 86_400)

    let id: UUID
    let kind: String
    let childID: ChildID
    let fields: Fields
    let authorID: UserID?
    let authorName: String
    @Milliseconds var createdAt: Timestamp
    @Milliseconds var updatedAt: Timestamp
    let revision: Int64
    @Milliseconds var deletedAt: Timestamp

    enum CodingKeys: String, CodingKey {
        case id, kind, fields, revision
        case childID = "child_id"
        case authorID = "author_id"
        case authorName = "author_name"
        case createdAt = "created_at"
        case updatedAt = "updated_at"
        case deletedAt = "deleted_at"
    }

    static func of(_ child: ChildID, since: Timestamp) -> QueryInterfaceRequest<DeletedRow> {
        let deletedAt = Column(CodingKeys.deletedAt)
        return filter(Column(CodingKeys.childID) == child.description && deletedAt >= Milliseconds(since))
            .order(deletedAt.desc, Column(CodingKeys.id).desc)
    }
}

extension EntryRow {
    /// Keeps it as it is, for whoever wants it back; what nobody can bring back any more goes.
    func putAside(_ db: Database, at now: Timestamp) throws {
        let before = Milliseconds(now.adding(.zero - DeletedRow.keptFor))
        try DeletedRow.filter(Column(DeletedRow.CodingKeys.deletedAt) < before).deleteAll(db)
        guard let child = ChildID(childID), try DeletedRow.row(id).isEmpty(db) else { return }
        try DeletedRow(
            id: id, kind: kind, childID: child, fields: fields, authorID: authorID, authorName: authorName,
            createdAt: createdAt, updatedAt: updatedAt, revision: revision, deletedAt: now
        ).insert(db)
    }
}

extension StoredEntry {
    init(_ row: DeletedRow) {
        self.init(
            id: row.id, kind: row.kind, childID: row.childID, fields: row.fields.filter { $0.key != "child_id" },
            author: Author(userId: row.authorID, name: row.authorName), createdAt: row.createdAt,
            updatedAt: row.updatedAt, revision: row.revision)
    }
}
