import BabyBasicsAPI
import Foundation
import GRDB
import Synchronization
import Testing

@testable import BabyBasicsKit

/// The files as they are between any two statements: what an app leaves that is killed there.
@Suite struct StatementCrashTests {
    @Test func theStoreIsWholeBetweenAnyTwoStatements() async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("statements-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let house = try await Household()
        let store = try AccountStore(
            file: directory.appendingPathComponent("store.sqlite"), userID: house.maria.user,
            environment: house.clock.environment)
        let engine = SyncEngine(store: store, client: house.maria.client, network: StillNetwork())
        try await engine.fetchChanges()
        let remains = Remains(of: store, in: directory)
        try await remains.follow()
        try await live(house, store, engine, remains)
        try await remains.unfollow()
        try store.close()
        try await remains.check(user: house.maria.user, child: house.child)
    }

    /// Each way in which the store is written.
    private func live(_ house: Household, _ store: AccountStore, _ engine: SyncEngine, _ remains: Remains)
        async throws
    {
        let first = try await store.log(house.bottle(60), for: house.child)
        remains.expect(first.id)
        try await store.edit(first.id, ["amount_ml": .number(70)])
        house.maria.faults.plan(.loseAnswer)
        try? await engine.sendChanges()
        try await store.edit(first.id, ["amount_ml": .number(80)])
        try await engine.sendChanges()
        let second = try await store.log(
            MedicationDetails(occurredAt: house.clock.now, name: "Paracetamol"), for: house.child)
        remains.expect(second.id)
        try await engine.sendChanges()
        // The other phone is quicker with one field.
        try await house.johnny.engine.fetchChanges()
        try await house.johnny.store.edit(first.id, ["amount_ml": .number(90)])
        try await house.johnny.engine.sendChanges()
        try await store.edit(first.id, ["amount_ml": .number(95), "notes": .text("hungry")])
        try await engine.sendChanges()
        remains.forget(second.id)
        try await store.delete(second.id)
        try await store.undoDelete(second)
        try await store.delete(second.id)
        try await engine.sendChanges()
        // What the server refuses is rejected.
        let refused = try await store.log(
            kind: "dream", ["occurred_at": .text(house.clock.now.description)], for: house.child)
        try await engine.sendChanges()
        #expect(try await store.entry(refused.id) == nil)
        // News, and the family read anew with something that waits.
        let news = try await house.johnny.store.log(house.bottle(120), for: house.child)
        try await house.johnny.engine.sendChanges()
        try await engine.fetchChanges()
        remains.expect(news.id)
        let waits = try await store.log(house.bottle(130), for: house.child)
        remains.expect(waits.id)
        try await store.beginResync(of: house.family)
        try await engine.fetchChanges()
        try await engine.sendChanges()
        #expect(try await store.pendingChanges().isEmpty)
    }
}

/// Copies of a store's files, one from before each statement, with what a person was told is kept.
private final class Remains: Sendable {
    private let store: AccountStore
    private let directory: URL
    private let state = Mutex(State())

    private struct State {
        var kept: Set<UUID> = []
        var copies: [(file: URL, kept: Set<UUID>)] = []
    }

    init(of store: AccountStore, in directory: URL) {
        self.store = store
        self.directory = directory
    }

    func expect(_ id: UUID) { state.withLock { _ = $0.kept.insert(id) } }

    func forget(_ id: UUID) { state.withLock { _ = $0.kept.remove(id) } }

    func follow() async throws {
        try await store.database.writeWithoutTransaction { [self] db in
            db.trace { [self] _ in copy() }
        }
    }

    func unfollow() async throws {
        try await store.database.writeWithoutTransaction { $0.trace(nil) }
    }

    private func copy() {
        guard let file = store.file else { return }
        state.withLock { state in
            let copy = directory.appendingPathComponent("copy-\(state.copies.count).sqlite")
            for suffix in ["", "-wal"] {
                try? FileManager.default.copyItem(atPath: file.path + suffix, toPath: copy.path + suffix)
            }
            state.copies.append((copy, state.kept))
        }
    }

    func check(user: UserID, child: ChildID) async throws {
        let copies = state.withLock { $0.copies }
        #expect(copies.count > 100)
        for (file, kept) in copies {
            let store = try AccountStore(file: file, userID: user)
            #expect(try await store.problems().isEmpty, "\(file.lastPathComponent)")
            let here = try await Set(store.entries(of: child, EntryFilter(limit: .max)).map(\.id))
            #expect(kept.isSubset(of: here), "\(file.lastPathComponent)")
            try store.close()
        }
    }
}
