import BabyBasicsAPI
import Foundation
import GRDB

/// The changes that the next request sends.
enum OutboxBatch: Sendable {
    /// New entries of one child, or one plan.
    case creations(ChildID, [PendingChange])
    /// An edit, with the revision that it was made on and the child that the server has it at.
    case edit(PendingChange, revision: Int64, child: ChildID)
    case delete(PendingChange, child: ChildID)
    case restore(PendingChange, child: ChildID)
}

extension AccountStore {
    /// The next request in order, counted as sent from now on; nil when nothing waits.
    func nextBatch(limit: Int) async throws -> OutboxBatch? {
        try await write { db, _ in
            let outbox = Outbox(db: db)
            while let first = try outbox.first() {
                guard let entry = try EntryRow.find(first.entryID, db) else {
                    // A change without its entry has nothing to send.
                    try outbox.remove(first)
                    continue
                }
                let batch = try Self.batch(from: first, entry, outbox, limit: limit)
                return batch
            }
            return nil
        }
    }

    private static func batch(from first: PendingChange, _ entry: EntryRow, _ outbox: Outbox, limit: Int) throws
        -> OutboxBatch
    {
        if first.operation == .create {
            let isAlone = first.kind == PlanKind.name
            let creations = isAlone ? [first] : try outbox.creations(of: first.childID, limit: limit)
            try outbox.attempt(creations)
            return .creations(first.childID, creations)
        }
        guard let child = ChildID(entry.serverChildID) else { throw StoreRefusal.noSuchEntry }
        try outbox.attempt([first])
        return switch first.operation {
        case .restore: .restore(first, child: child)
        case .delete: .delete(first, child: child)
        case .edit, .create: .edit(first, revision: entry.revision, child: child)
        }
    }

    /// The server has these: as answered, or deleted again already.
    func sent(_ changes: [PendingChange], _ events: [ServerEvent?]) async throws {
        try await write { [userID] db, now in
            let applier = FeedApplier(db: db, userID: userID, now: now)
            for (change, event) in zip(changes, events) {
                // The feed may have told of it before.
                try applier.outbox.remove(change)
                if let event {
                    try applier.apply(event, family: change.familyID)
                    try applier.reapply(change.entryID)
                } else {
                    try applier.remove(change.entryID, revision: nil)
                }
            }
        }
    }

    /// Rebases the pending changes of an entry onto the server's version.
    func rebase(onto event: ServerEvent, family: FamilyID) async throws {
        try await write { [userID] db, now in
            try FeedApplier(db: db, userID: userID, now: now).apply(event, family: family)
        }
    }

    /// The deletion is done.
    func sentDeletion(_ change: PendingChange) async throws {
        try await write { db, _ in
            let outbox = Outbox(db: db)
            try outbox.remove(change)
            // Brought back meanwhile: the restoration waits.
            guard let stored = try EntryRow.find(change.entryID, db), stored.isDeleted else { return }
            try outbox.removeAll(of: change.entryID)
            try stored.delete(db)
        }
    }

    func gone(_ change: PendingChange) async throws {
        try await write { [userID] db, now in
            try FeedApplier(db: db, userID: userID, now: now).remove(change.entryID, revision: nil)
        }
    }

    func childGone(_ child: ChildID) async throws {
        try await write { [userID] db, now in
            try FeedApplier(db: db, userID: userID, now: now).removeChild(child, revision: nil)
        }
    }

    /// The server refused a change for good: it is kept with the reasons, so that the rest goes on.
    func reject(_ refused: [(change: PendingChange, reasons: [RejectedChange.Reason])]) async throws {
        try await write { [refused = refused.map { Refused(change: $0.change, reasons: $0.reasons) }] db, _ in
            for item in refused { try Self.reject(item.change, item.reasons, db) }
        }
    }

    private struct Refused: Sendable {
        var change: PendingChange
        var reasons: [RejectedChange.Reason]
    }

    private static func reject(_ change: PendingChange, _ reasons: [RejectedChange.Reason], _ db: Database) throws {
        let outbox = Outbox(db: db)
        guard try outbox.contains(change), var stored = try EntryRow.find(change.entryID, db) else { return }
        var row = RejectedRow(change, stored, reasons)
        try row.insert(db)
        // Later changes of the same entry were made on top of this one.
        try outbox.removeAll(of: change.entryID)
        // Refused to come back, it stays deleted for everyone.
        guard change.operation != .restore, let server = stored.serverFields else {
            try stored.delete(db)
            return
        }
        stored.fields = server
        stored.updatedAt = stored.serverUpdatedAt?.wrappedValue ?? stored.updatedAt
        stored.isDeleted = false
        try stored.update(db)
    }

    /// Of an unanswered change: where the entry is now, after the feed was read. Nil if it is gone.
    func location(of change: PendingChange) async throws -> (child: ChildID, revision: Int64)? {
        try await database.read { db in
            guard try Outbox(db: db).contains(change), let stored = try EntryRow.find(change.entryID, db),
                let child = ChildID(stored.serverChildID)
            else { return nil }
            return (child, stored.revision)
        }
    }
}
