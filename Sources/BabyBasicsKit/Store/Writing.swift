public import BabyBasicsAPI
public import Foundation
import GRDB

/// Why something cannot be logged or changed on this device.
public enum StoreRefusal: Error, Hashable, Sendable {
    /// The child is not on this device.
    case noSuchChild
    /// The entry is not on this device.
    case noSuchEntry
    /// This account may only look.
    case viewersOnlyLook
    /// Only parents plan medicines.
    case parentsPlan
    /// The child is asleep already: since then.
    case alreadyAsleep(since: Timestamp)
}

extension AccountStore {
    /// Logs something: it is in the store and in the outbox at once, whatever the network does.
    @discardableResult
    public func log<Details: EventDetails>(
        _ details: Details, for child: ChildID, notes: String? = nil
    ) async throws -> StoredEntry {
        try await log(kind: Details.kind.name, try Fields(details, notes: notes), for: child)
    }

    /// Logs something of a kind by its wire name.
    @discardableResult
    public func log(kind: String, _ fields: Fields, for child: ChildID) async throws -> StoredEntry {
        let id = environment.makeUUID()
        return try await write { [self] db, now in
            try insert(id, kind: kind, fields, for: child, db: db, now: now)
        }
    }

    /// Changes fields of an entry; nil takes a value away, `child_id` moves it to another child of the family.
    @discardableResult
    public func edit(_ entry: UUID, _ changes: FieldChanges) async throws -> StoredEntry {
        try await write { [self] db, now in try edit(entry, changes, db: db, now: now) }
    }

    private func edit(_ entry: UUID, _ changes: FieldChanges, db: Database, now: Timestamp) throws -> StoredEntry {
        var stored = try storedEntry(entry, db)
        try mayChange(stored.kind, in: stored.familyID, db)
        let before = stored.fields
        stored.fields = before.applying(before.leavingPlan(changes), kind: EventKind.named(stored.kind))
        let effective = stored.fields.changes(from: before)
        guard !effective.isEmpty else { return try show(entry, db) }
        if stored.kind == SleepDetails.kind.name, stored.fields["ended_at"] == nil, before["ended_at"] != nil {
            try refuseSecondSleep(stored.fields, except: entry, db, now: now)
        }
        stored.updatedAt = now
        stored.editorID = userID
        try stored.update(db)
        try noteEdit(of: stored, before: before, effective, db: db, now: now)
        return try show(entry, db)
    }

    /// Deletes an entry. If it was never sent, nothing is left of it.
    public func delete(_ entry: UUID) async throws {
        try await write { [self] db, now in try delete(entry, db: db, now: now) }
    }

    private func delete(_ entry: UUID, db: Database, now: Timestamp) throws {
        var stored = try storedEntry(entry, db)
        try mayChange(stored.kind, in: stored.familyID, db)
        try stored.putAside(db, at: now)
        let outbox = Outbox(db: db)
        let waiting = try outbox.of(entry: entry)
        if stored.serverFields == nil, waiting.allSatisfy({ $0.attempts == 0 }) {
            try outbox.removeAll(of: entry)
            try stored.delete(db)
            return
        }
        stored.isDeleted = true
        stored.updatedAt = now
        try stored.update(db)
        try outbox.add(.delete, to: stored, madeAt: now)
    }

    /// Tries a rejected change once more, with the person's corrections.
    ///
    /// A creation becomes a new entry, as the server doesn't know the refused one. So does a refused restoration.
    /// - Parameter fields: the corrected fields; nil for the same ones.
    public func retry(_ rejected: RejectedChange, fields: Fields? = nil) async throws {
        let id = environment.makeUUID()
        try await write { [self] db, now in
            var fields = fields ?? rejected.fields
            let child = fields.removeValue(forKey: "child_id")?.text.flatMap { ChildID($0) }
            switch rejected.operation {
            case .create, .restore:
                _ = try insert(
                    id, kind: rejected.kind, fields, for: child ?? rejected.childID, db: db, now: now)
            case .edit:
                var changes: FieldChanges = rejected.changes.mapValues { _ in nil }
                for (name, value) in fields where changes.keys.contains(name) {
                    changes.updateValue(value, forKey: name)
                }
                _ = try edit(rejected.entryID, changes, db: db, now: now)
            case .delete: try delete(rejected.entryID, db: db, now: now)
            }
            _ = try RejectedRow.deleteOne(db, key: rejected.id)
        }
    }

    /// Takes a deletion back: the entry is as it was when it was deleted, perhaps under a new id.
    @discardableResult
    public func undoDelete(_ entry: StoredEntry) async throws -> StoredEntry {
        try await write { [self] db, now in
            let outbox = Outbox(db: db)
            let waiting = try outbox.of(entry: entry.id)
            _ = try DeletedRow.deleteOne(db, key: entry.id.text)
            guard var stored = try EntryRow.find(entry.id, db) else {
                if entry.revision > 0 { return try bringBack(entry, db: db, now: now) }
                // The server may have made and deleted it meanwhile, and would answer so to its id.
                return try insert(
                    environment.makeUUID(), kind: entry.kind, entry.fields, for: entry.childID,
                    db: db, now: now)
            }
            guard stored.isDeleted else { return try show(entry.id, db) }
            stored.isDeleted = false
            if let deletion = waiting.last(where: { $0.operation == .delete }) {
                if deletion.attempts == 0 {
                    try outbox.remove(deletion)
                } else {
                    try outbox.add(.restore, to: stored, madeAt: now)
                }
            }
            try stored.save(db)
            try FeedApplier(db: db, userID: userID, now: now).reapply(entry.id)
            return try show(entry.id, db)
        }
    }

    /// An entry that the server was told to delete, and is now to bring back.
    private func bringBack(_ entry: StoredEntry, db: Database, now: Timestamp) throws -> StoredEntry {
        let family = try familyOf(child: entry.childID, db)
        try mayChange(entry.kind, in: family, db)
        var fields = entry.fields
        fields["child_id"] = .text(entry.childID.description)
        let stored = EntryRow(
            id: entry.id, kind: entry.kind, familyID: family, fields: fields,
            serverFields: fields, author: entry.author, createdAt: entry.createdAt,
            updatedAt: now, revision: entry.revision)
        try stored.save(db)
        try Outbox(db: db).add(.restore, to: stored, madeAt: now)
        return try show(entry.id, db)
    }

    private func insert(
        _ id: UUID, kind: String, _ fields: Fields, for child: ChildID, db: Database,
        now: Timestamp
    ) throws -> StoredEntry {
        let family = try familyOf(child: child, db)
        try mayChange(kind, in: family, db)
        var fields = fields
        fields["child_id"] = .text(child.description)
        if kind == SleepDetails.kind.name, fields["ended_at"] == nil {
            try refuseSecondSleep(fields, except: id, db, now: now)
        }
        let name = try ProfileRow.fetchOne(db)?.name ?? ""
        let stored = EntryRow(
            id: id, kind: kind, familyID: family, fields: fields, serverFields: nil,
            author: Author(userId: userID, name: name), createdAt: now, updatedAt: now, revision: 0)
        try stored.save(db)
        try Outbox(db: db).add(.create, to: stored, changes: fields.mapValues { $0 }, madeAt: now)
        return try show(id, db)
    }

    /// Adds an edit to an unsent change of the entry; a change that was sent once stays as it was sent.
    private func noteEdit(
        of stored: EntryRow, before: Fields, _ effective: FieldChanges, db: Database,
        now: Timestamp
    ) throws {
        let outbox = Outbox(db: db)
        if var last = try outbox.of(entry: stored.id).last, last.attempts == 0 {
            if last.operation == .create {
                last.changes = stored.fields.mapValues { $0 }
                try outbox.update(last, child: ChildID(stored.childID))
                return
            }
            if last.operation == .edit {
                for (name, value) in effective {
                    if !last.changes.keys.contains(name) { last.base[name] = before[name] }
                    last.changes.updateValue(value, forKey: name)
                }
                last.madeAt = now
                try outbox.update(last)
                return
            }
        }
        try outbox.add(
            .edit, to: stored, changes: effective,
            base: before.filter { effective.keys.contains($0.key) }, madeAt: now)
    }

    private func refuseSecondSleep(
        _ fields: Fields, except entry: UUID, _ db: Database, now: Timestamp
    ) throws {
        guard let child = fields["child_id"]?.text.flatMap({ ChildID($0) }) else { return }
        let running = try EntryRow.shown(of: child)
            .filter(EntryRow.Columns.kind == SleepDetails.kind.name && EntryRow.Columns.endedAt == nil)
            .filter(EntryRow.Columns.id != entry.text).newestFirst().fetchOne(db)
        if let running { throw StoreRefusal.alreadyAsleep(since: running.at) }
    }

    func write<Value: Sendable>(
        _ change: @escaping @Sendable (Database, Timestamp) throws -> Value
    ) async throws -> Value {
        let now = clock.now()
        return try await database.write { try change($0, now) }
    }

    private func familyOf(child: ChildID, _ db: Database) throws -> FamilyID {
        guard let row = try ChildRow.row(child).fetchOne(db) else { throw StoreRefusal.noSuchChild }
        return row.familyID
    }

    private func mayChange(_ kind: String, in family: FamilyID, _ db: Database) throws {
        guard let row = try FamilyRow.row(family).fetchOne(db), row.role.canLog else {
            throw StoreRefusal.viewersOnlyLook
        }
        if kind == PlanKind.name, row.role != .parent { throw StoreRefusal.parentsPlan }
    }

    private func storedEntry(_ id: UUID, _ db: Database) throws -> EntryRow {
        guard let entry = try EntryRow.find(id, db), !entry.isDeleted else { throw StoreRefusal.noSuchEntry }
        return entry
    }

    private func show(_ id: UUID, _ db: Database) throws -> StoredEntry {
        guard let entry = try Self.entry(id, db) else { throw StoreRefusal.noSuchEntry }
        return entry
    }
}
