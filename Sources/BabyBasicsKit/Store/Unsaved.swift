import BabyBasicsAPI
import Foundation
import GRDB

extension Store {
    /// What couldn't be saved, oldest first.
    public func unsaved() async throws -> [UnsavedEntry] {
        try await database.read { db in
            try Row.fetchAll(db, sql: "select * from unsaved order by number")
                .map { try UnsavedEntry(row: $0) }
        }
    }

    /// The person gives it up.
    public func discard(_ unsaved: UnsavedEntry) async throws {
        try await database.write { db in
            try db.execute(sql: "delete from unsaved where number = ?", arguments: [unsaved.id])
        }
    }

    /// Tries it once more, with what the person mended.
    ///
    /// A creation becomes a new entry: the server knows nothing of the refused one. So does what was not to come back.
    /// - Parameter fields: what it is to hold; as it was where absent.
    public func retry(_ unsaved: UnsavedEntry, fields: Fields? = nil) async throws {
        var fields = fields ?? unsaved.fields
        let child = fields.removeValue(forKey: "child_id")?.text.flatMap { ChildID($0) }
        switch unsaved.operation {
        case .create, .restore:
            try await log(kind: unsaved.kind, fields, for: child ?? unsaved.childID)
        case .edit:
            let meant = fields.filter { unsaved.changes.keys.contains($0.key) }
            var changes: FieldChanges = unsaved.changes.mapValues { _ in nil }
            for (name, value) in meant { changes.updateValue(value, forKey: name) }
            try await edit(unsaved.entryID, changes)
        case .delete:
            try await delete(unsaved.entryID)
        }
        try await discard(unsaved)
    }
}
