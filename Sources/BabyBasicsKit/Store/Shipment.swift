import BabyBasicsAPI
import Foundation
import GRDB

/// What is to be sent next, in one request.
enum Shipment: Sendable {
    /// New entries of one child.
    case creations(ChildID, [PendingChange])
    /// An edit, with the revision that it was made on and the child that the server has it at.
    case edit(PendingChange, revision: Int64, child: ChildID)
    case delete(PendingChange, child: ChildID)
    case restore(PendingChange, child: ChildID)
}

extension Store {
    /// The next request in order, counted as sent from now on; nil when nothing waits.
    func nextShipment(limit: Int) async throws -> Shipment? {
        try await write { db, _ in
            let outbox = Outbox(db: db)
            var waiting = try outbox.all(limit: 5000)[...]
            // A change without its entry has nothing to say any more.
            while let first = waiting.first, try StoredEntry.find(first.entryID, db) == nil {
                try outbox.remove(first)
                waiting.removeFirst()
            }
            guard let first = waiting.first else { return nil }
            guard first.operation == .create else {
                try outbox.attempt([first])
                return try Self.shipment(of: first, db)
            }
            // A creation after another change of the same child may depend on it: a sleep after the end of the last
            // one.
            let batch = waiting.filter { $0.childID == first.childID }
                .prefix { $0.operation == .create }.prefix(limit)
            try outbox.attempt(Array(batch))
            return .creations(first.childID, Array(batch))
        }
    }

    private static func shipment(of change: PendingChange, _ db: Database) throws -> Shipment {
        guard let stored = try StoredEntry.find(change.entryID, db),
            let child = ChildID(stored.serverChildID)
        else { throw StoreRefusal.noSuchEntry }
        return switch change.operation {
        case .restore: .restore(change, child: child)
        case .delete: .delete(change, child: child)
        case .edit, .create: .edit(change, revision: stored.revision, child: child)
        }
    }

    /// The server has these: as answered, or deleted again already.
    func sent(_ answers: [(change: PendingChange, event: ServerEvent?)]) async throws {
        let answers = answers.map { Answered(change: $0.change, event: $0.event) }
        try await write { [userID] db, now in
            let incoming = Incoming(db: db, userID: userID, now: now)
            for answer in answers {
                let change = answer.change
                // The feed may have told of it before.
                if try incoming.outbox.change(change.id) != nil {
                    try incoming.outbox.remove(change)
                }
                if let event = answer.event {
                    try incoming.apply(event, family: change.familyID.description)
                    try incoming.reapply(change.entryID)
                } else {
                    try incoming.remove(change.entryID, revision: nil)
                }
            }
        }
    }

    private struct Answered: Sendable {
        var change: PendingChange
        var event: ServerEvent?
    }

    /// The server has the entry in another version: what waits is put on top of that.
    func rebase(onto event: ServerEvent, family: FamilyID) async throws {
        try await write { [userID] db, now in
            try Incoming(db: db, userID: userID, now: now)
                .apply(event, family: family.description)
        }
    }

    /// The deletion is done.
    func sentDeletion(_ change: PendingChange) async throws {
        try await write { db, _ in
            let outbox = Outbox(db: db)
            try outbox.remove(change)
            // Brought back meanwhile: the restoration waits.
            guard let stored = try StoredEntry.find(change.entryID, db), stored.isDeleted
            else { return }
            try outbox.removeAll(of: change.entryID)
            try stored.remove(db)
        }
    }

    func gone(_ change: PendingChange) async throws {
        try await write { [userID] db, now in
            try Incoming(db: db, userID: userID, now: now).remove(change.entryID, revision: nil)
        }
    }

    func childGone(_ child: ChildID) async throws {
        try await write { [userID] db, now in
            try Incoming(db: db, userID: userID, now: now)
                .removeChild(child.description, revision: nil)
        }
    }

    /// The server refused them for good: kept aside with the reason, so that the rest goes on.
    func setAside(_ refused: [(change: PendingChange, reasons: [UnsavedEntry.Reason])])
        async throws
    {
        let refused = refused.map { Refused(change: $0.change, reasons: $0.reasons) }
        try await write { db, _ in
            for item in refused {
                try Self.setAside(item.change, item.reasons, db)
            }
        }
    }

    private struct Refused: Sendable {
        var change: PendingChange
        var reasons: [UnsavedEntry.Reason]
    }

    private static func setAside(
        _ change: PendingChange, _ reasons: [UnsavedEntry.Reason], _ db: Database
    ) throws {
        let outbox = Outbox(db: db)
        guard try outbox.change(change.id) != nil,
            var stored = try StoredEntry.find(change.entryID, db)
        else { return }
        try db.execute(
            sql: """
                insert into unsaved (family_id, child_id, entry_id, kind, operation, fields,
                    changes, reasons, made_at)
                values (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                change.familyID.description, stored.childID, change.entryID.text, change.kind,
                change.operation.rawValue, try StoredJSON.text(stored.fields),
                try StoredJSON.text(change.changes), try StoredJSON.text(reasons),
                change.madeAt.milliseconds,
            ])
        // Later changes of the same entry were made on top of this one.
        try outbox.removeAll(of: change.entryID)
        // Refused to come back, it stays deleted for everyone.
        guard change.operation != .restore, let server = stored.serverFields else { return try stored.remove(db) }
        stored.fields = server
        stored.updatedAt = stored.serverUpdatedAt ?? stored.updatedAt
        stored.isDeleted = false
        try stored.save(db)
    }

    /// Of an unanswered change: where the entry is now, after the feed was read. Nil if it is gone.
    func place(of change: PendingChange) async throws -> (child: ChildID, revision: Int64)? {
        try await database.read { db in
            guard try Outbox(db: db).change(change.id) != nil,
                let stored = try StoredEntry.find(change.entryID, db),
                let child = ChildID(stored.serverChildID)
            else { return nil }
            return (child, stored.revision)
        }
    }
}
