import BabyBasicsAPI
import Foundation
import GRDB

/// An entry's row: what this device shows, and what the server had when it last told.
struct StoredEntry {
    var id: UUID
    var kind: String
    var familyID: String
    /// With what waits to be sent.
    var fields: Fields
    /// Nil until the server has it.
    var serverFields: Fields?
    var author: Author
    var createdAt: Timestamp
    var updatedAt: Timestamp
    /// When the server's version was made.
    var serverUpdatedAt: Timestamp?
    var revision: Int64
    /// Deleted here; the server is still to be told.
    var isDeleted: Bool

    var childID: String { fields["child_id"]?.text ?? "" }
    /// Where the server has it.
    var serverChildID: String { serverFields?["child_id"]?.text ?? childID }

    static func find(_ id: UUID, _ db: Database) throws -> StoredEntry? {
        try Row.fetchOne(db, sql: "select * from entry where id = ?", arguments: [id.text])
            .map { try StoredEntry(row: $0) }
    }

    func save(_ db: Database) throws {
        try db.execute(
            sql: """
                insert or ignore into child (id, family_id, created_at, revision)
                values (?, ?, ?, 0)
                """, arguments: [childID, familyID, createdAt.milliseconds])
        try db.cachedStatement(sql: Self.upsert).execute(arguments: [
            id.text, kind, familyID, childID,
            (Entry.time(of: kind, fields) ?? createdAt).milliseconds,
            fields["ended_at"]?.time?.milliseconds, try StoredJSON.text(fields),
            try serverFields.map { try StoredJSON.text($0) }, author.userId?.description,
            author.name, createdAt.milliseconds, updatedAt.milliseconds,
            serverUpdatedAt?.milliseconds, revision, isDeleted,
        ])
    }

    func remove(_ db: Database) throws {
        try db.execute(sql: "delete from entry where id = ?", arguments: [id.text])
    }

    private static let upsert = """
        insert into entry (id, kind, family_id, child_id, at, ended_at, fields, server_fields,
            author_id, author_name, created_at, updated_at, server_updated_at, revision,
            is_deleted)
        values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        on conflict (id) do update set child_id = excluded.child_id, at = excluded.at,
            ended_at = excluded.ended_at, fields = excluded.fields,
            server_fields = excluded.server_fields, author_id = excluded.author_id,
            author_name = excluded.author_name, created_at = excluded.created_at,
            updated_at = excluded.updated_at, server_updated_at = excluded.server_updated_at,
            revision = excluded.revision,
            is_deleted = excluded.is_deleted
        """
}

extension StoredEntry {
    init(row: Row) throws {
        id = (try row.identifier("id") as Identifier<AnyEvent>).uuid
        kind = row["kind"]
        familyID = row["family_id"]
        fields = try StoredJSON.value(Fields.self, row["fields"])
        serverFields = try (row["server_fields"] as String?)
            .map { try StoredJSON.value(Fields.self, $0) }
        author = Author(
            userId: (row["author_id"] as String?).flatMap { UserID($0) },
            name: row["author_name"])
        createdAt = Timestamp(milliseconds: row["created_at"])
        updatedAt = Timestamp(milliseconds: row["updated_at"])
        serverUpdatedAt = (row["server_updated_at"] as Int64?)
            .map { Timestamp(milliseconds: $0) }
        revision = row["revision"]
        isDeleted = row["is_deleted"]
    }
}
