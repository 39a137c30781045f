import BabyBasicsAPI
import GRDB
import Synchronization

/// The time as the server has it. A device's clock may be wrong by an hour: what is logged "now" must be now for
/// everybody, and a clock that is ahead must not win every conflict.
final class ServerClock: Sendable {
    private let environment: KitEnvironment
    /// Milliseconds from the device's clock to the server's.
    private let offset: Mutex<Int64>

    /// Up to then the device's own clock holds.
    static let tolerated: Int64 = 60_000
    /// An answer that was held for longer tells nothing.
    private static let longestAnswer: Int64 = 5_000

    init(_ environment: KitEnvironment, offset: Int64) {
        self.environment = environment
        self.offset = Mutex(offset)
    }

    func now() -> Timestamp {
        Timestamp(milliseconds: device() + offset.withLock { $0 })
    }

    /// Milliseconds since 1970 by the device's own clock.
    func device() -> Int64 { environment.now().milliseconds }

    /// - Parameters:
    ///   - date: the answer's `Date`, in whole seconds.
    ///   - sent: when it was asked for, by the device's clock.
    /// - Returns: the new offset, where it is another one.
    func learn(date: Timestamp, sent: Int64, arrived: Int64) -> Int64? {
        guard arrived - sent <= Self.longestAnswer else { return nil }
        let difference = date.milliseconds + 500 - (sent + arrived) / 2
        let next = abs(difference) > Self.tolerated ? difference / 1000 * 1000 : 0
        return offset.withLock { offset in
            guard abs(next - offset) >= 2000 else { return nil }
            offset = next
            return next
        }
    }
}

extension AccountStore {
    /// Stores the clock's offset, and corrects the times of pending changes.
    func setClockOffset(_ offset: Int64) async throws {
        try await database.write { db in
            var state = try SyncStateRow.current(db)
            state.clockOffset = offset
            try state.upsert(db)
            for var row in try OutboxRow.filter(OutboxRow.Columns.clockOffset != offset).fetchAll(db) {
                row.madeAt = Timestamp(milliseconds: row.madeAt.milliseconds + offset - row.clockOffset)
                row.clockShift += offset - row.clockOffset
                row.clockOffset = offset
                try row.update(db)
            }
        }
    }

    /// New entries that the server takes for the future, because the clock they were logged by was ahead: once the
    /// server's time is known, they are put right and sent again.
    /// - Returns: the changes that no correction helps.
    func putInTime(_ changes: [PendingChange]) async throws -> [PendingChange] {
        try await write { db, now in
            var left: [PendingChange] = []
            for change in changes {
                guard var row = try OutboxRow.fetchOne(db, key: change.id), change.operation == .create,
                    row.clockShift <= -ServerClock.tolerated, var entry = try EntryRow.find(change.entryID, db)
                else {
                    left.append(change)
                    continue
                }
                entry.fields = entry.fields.shifted(by: row.clockShift)
                try entry.update(db)
                row.changes = row.changes.merging(entry.fields.mapValues { $0 }) { $1 }
                row.clockShift = 0
                try row.update(db)
            }
            if left.count < changes.count { try db.tell(.clockCorrected, now: now) }
            return left
        }
    }
}

extension Fields {
    /// The same with its times moved.
    fileprivate func shifted(by milliseconds: Int64) -> Fields {
        var fields = self
        for name in ["started_at", "ended_at", "occurred_at"] {
            guard let time = self[name]?.time else { continue }
            fields[name] = .text(Timestamp(milliseconds: time.milliseconds + milliseconds).description)
        }
        return fields
    }
}
