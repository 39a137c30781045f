import BabyBasicsAPI
import Foundation
import GRDB
import Synchronization

/// The right to sync one store, which one process has at a time: a row of the store with an end.
///
/// No file stays locked for it, for which iOS would end a suspended app; and whoever is suspended or killed holds
/// nobody up for longer than `length`.
struct SyncLease: Sendable {
    let store: AccountStore
    /// Another one each time the engine is started.
    let holder = UUID().text

    static let length = Duration.seconds(60)
    /// How often the holder says that it still is.
    static let renewal = Duration.seconds(20)

    /// Whether this engine has the right now; if so, for another `length`.
    func take() async throws -> Bool {
        // By the device's own clock, which the processes share.
        let now = store.clock.device()
        let end = now + Int64(Self.length.components.seconds) * 1000
        return try await store.database.write { [holder] db in
            var state = try SyncStateRow.current(db)
            let until = state.leaseUntil?.wrappedValue.milliseconds ?? 0
            // An end that is too far away is of a clock that was set back since.
            let isFree = state.leaseHolder == nil || until <= now || until > end
            guard isFree || state.leaseHolder == holder else { return false }
            state.leaseHolder = holder
            state.leaseUntil = Milliseconds(Timestamp(milliseconds: end))
            try state.upsert(db)
            return true
        }
    }

    func release() async throws {
        try await store.database.write { [holder] db in
            var state = try SyncStateRow.current(db)
            guard state.leaseHolder == holder else { return }
            state.leaseHolder = nil
            state.leaseUntil = nil
            try state.upsert(db)
        }
    }
}

extension AccountStore {
    /// Has observations look again after another process has written.
    func showForeignChanges() async throws {
        let version = try await database.writeWithoutTransaction { db in
            try Int.fetchOne(db, sql: "pragma data_version") ?? 0
        }
        let isNew = foreignVersion.withLock { known in
            defer { known = version }
            return known != version
        }
        if isNew {
            try await database.write { try $0.notifyChanges(in: .fullDatabase) }
        }
    }
}
