import BabyBasicsAPI
import Foundation
import GRDB

/// What can be read of a damaged store and is nowhere else: changes that were not sent, or were rejected, and what
/// growth asked.
struct StoreRescue {
    private let damaged: DatabaseQueue?

    init(from file: URL) {
        var configuration = Configuration()
        configuration.readonly = true
        damaged = try? DatabaseQueue(path: file.path, configuration: configuration)
    }

    /// - Returns: how many changes it was.
    func copy(into db: Database) throws -> Int {
        let changes = rows(OutboxRow.self)
        let rejected = rows(RejectedRow.self)
        let entries = Dictionary(rows(EntryRow.self).map { ($0.id, $0) }) { first, _ in first }
        let families = Dictionary(rows(FamilyRow.self).map { ($0.id, $0) }) { first, _ in first }
        let children = Dictionary(rows(ChildRow.self).map { ($0.id, $0) }) { first, _ in first }
        for id in Set(changes.map(\.familyID) + rejected.map(\.familyID)) {
            try Self.blank(families[id], id).insert(db, onConflict: .ignore)
        }
        for child in children.values where try FamilyRow.exists(db, key: child.familyID.description) {
            try child.insert(db, onConflict: .ignore)
        }
        var saved = 0
        for change in changes.sorted(by: { ($0.sequence ?? 0) < ($1.sequence ?? 0) }) {
            // A creation holds all of its entry.
            guard let entry = entries[change.entryID] ?? Self.entry(change) else { continue }
            if try !EntryRow.exists(db, key: entry.id.text) { try entry.insert(db) }
            var change = change
            try change.insert(db)
            saved += 1
        }
        for var row in rejected {
            try row.insert(db)
            saved += 1
        }
        for answers in rows(GrowthAnswerRow.self) where try ChildRow.exists(db, key: answers.childID.description) {
            try answers.insert(db)
        }
        return saved
    }

    /// The rows of a table up to the first that cannot be read.
    private func rows<Record: StoreRecord>(_ type: Record.Type) -> [Record] {
        var rows: [Record] = []
        try? damaged?.read { db in
            let cursor = try Record.fetchCursor(db)
            while let row = try cursor.next() { rows.append(row) }
        }
        return rows
    }

    /// A family that is to be read from the beginning.
    private static func blank(_ family: FamilyRow?, _ id: FamilyID) -> FamilyRow {
        var row =
            family
            ?? FamilyRow(
                id: id, name: "", policy: .standard, role: .caregiver, revision: 0,
                createdAt: Timestamp(milliseconds: 0), updatedAt: Timestamp(milliseconds: 0))
        row.revision = 0
        row.since = 0
        row.isComplete = false
        row.resyncSince = nil
        return row
    }

    private static func entry(_ change: OutboxRow) -> EntryRow? {
        guard change.operation == .create else { return nil }
        return EntryRow(
            id: change.entryID, kind: change.kind, familyID: change.familyID,
            fields: change.changes.compactMapValues { $0 }, serverFields: nil, author: Author(userId: nil, name: ""),
            createdAt: change.madeAt, updatedAt: change.madeAt, revision: 0)
    }
}
