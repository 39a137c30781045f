import BabyBasicsAPI
import Foundation
import GRDB

/// The pending changes, inside a transaction.
struct Outbox {
    typealias Columns = OutboxRow.Columns

    let db: Database

    private static var inOrder: QueryInterfaceRequest<OutboxRow> { OutboxRow.order(Columns.sequence) }

    func all() throws -> [PendingChange] { try fetch(Self.inOrder) }

    func first() throws -> PendingChange? { try fetch(Self.inOrder.limit(1)).first }

    func of(entry: UUID) throws -> [PendingChange] {
        try fetch(Self.inOrder.filter(Columns.entryID == entry.text))
    }

    /// The new entries of a child that wait before any other change of it: a sleep may depend on the end of the last
    /// one. A plan travels alone.
    func creations(of child: ChildID, limit: Int) throws -> [PendingChange] {
        let ofChild = OutboxRow.filter(Columns.childID == child.description)
        let other =
            try ofChild.filter(Columns.operation != PendingChange.Operation.create.rawValue)
            .select(min(Columns.sequence), as: Int64?.self).fetchOne(db) ?? nil
        let waiting = try fetch(
            Self.inOrder.filter(Columns.childID == child.description)
                .filter(Columns.sequence < (other ?? .max)).limit(limit))
        return Array(waiting.prefix { $0.kind != PlanKind.name })
    }

    func contains(_ change: PendingChange) throws -> Bool { try OutboxRow.exists(db, key: change.id) }

    func count() throws -> Int { try OutboxRow.fetchCount(db) }

    /// Each change is made by the clock as it is known at that time; see `ServerClock`.
    func add(
        _ operation: PendingChange.Operation, to entry: EntryRow, changes: FieldChanges = [:], base: Fields = [:],
        madeAt: Timestamp
    ) throws {
        guard let child = ChildID(entry.childID) else { throw UnreadableColumn(name: "child_id") }
        var row = OutboxRow(
            familyID: entry.familyID, childID: child, entryID: entry.id, kind: entry.kind, operation: operation,
            changes: changes, base: base, madeAt: madeAt)
        row.clockOffset = try SyncStateRow.current(db).clockOffset
        try row.insert(db)
    }

    /// Updates a change that was not sent yet, or was rebased.
    func update(_ change: PendingChange, child: ChildID? = nil) throws {
        guard var row = try OutboxRow.fetchOne(db, key: change.id) else { return }
        row.changes = change.changes
        row.base = change.base
        row.madeAt = change.madeAt
        if let child { row.childID = child }
        try row.update(db)
    }

    func remove(_ change: PendingChange) throws { _ = try OutboxRow.deleteOne(db, key: change.id) }

    func removeAll(of entry: UUID) throws {
        try OutboxRow.filter(Columns.entryID == entry.text).deleteAll(db)
    }

    /// Remembers that they are about to be sent: from now on the server may have seen them.
    func attempt(_ changes: [PendingChange]) throws {
        try OutboxRow.filter(keys: changes.map(\.id)).updateAll(db, Columns.attempts.set(to: Columns.attempts + 1))
    }

    private func fetch(_ request: QueryInterfaceRequest<OutboxRow>) throws -> [PendingChange] {
        try request.fetchAll(db).map { PendingChange($0) }
    }
}
