import BabyBasicsAPI
import Foundation
import GRDB
import Synchronization
import Testing

@testable import BabyBasicsKit

/// Changes that the server has refused.
@MainActor @Suite struct RejectedTests {
    private let clock = TestClock()

    @Test func aRetryGoesAndComesInOneTransaction() async throws {
        let (home, child) = try await previewHome(clock)
        let store = home.store
        try await store.log(SleepDetails(startedAt: clock.now), for: child.id)
        let change = try #require(try await store.pendingChanges().first)
        try await store.reject([(change, [RejectedChange.Reason(field: "started_at", message: "No", reason: .running)])]
        )
        let rejected = try #require(try await store.rejectedChanges().first)
        #expect(rejected.reasons.first?.reason == .running)
        #expect(try await store.entries(of: child.id).isEmpty)
        let writes = Mutex(0)
        try await store.database.writeWithoutTransaction { db in
            db.trace { event in
                if "\(event)".uppercased().hasPrefix("BEGIN IMMEDIATE") { writes.withLock { $0 += 1 } }
            }
        }
        try await store.retry(rejected)
        #expect(writes.withLock { $0 } == 1)
        #expect(try await store.rejectedChanges().isEmpty)
        #expect(try await store.pendingChanges().map(\.operation) == [.create])
    }

    @Test func aRetryThatIsRefusedHereLosesNothing() async throws {
        let (home, child) = try await previewHome(clock)
        let store = home.store
        try await store.log(SleepDetails(startedAt: clock.now), for: child.id)
        let change = try #require(try await store.pendingChanges().first)
        try await store.reject([(change, [RejectedChange.Reason(field: "", message: "No")])])
        let rejected = try #require(try await store.rejectedChanges().first)
        try await store.log(SleepDetails(startedAt: clock.now), for: child.id)
        await #expect(throws: StoreRefusal.self) { try await store.retry(rejected) }
        #expect(try await store.rejectedChanges() == [rejected])
    }
}
