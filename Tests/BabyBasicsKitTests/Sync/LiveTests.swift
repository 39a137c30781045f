import BabyBasicsAPI
import BabyBasicsClient
import Foundation
import Synchronization
import Testing

@testable import BabyBasicsKit

/// The engine as it runs while the app is on screen.
@Suite struct LiveTests {
    @Test func whatOnePhoneLogsTheOtherShowsWithoutAsking() async throws {
        let house = try await Household()
        await house.maria.engine.start()
        await house.johnny.engine.start()
        let entry = try await house.maria.store.log(house.bottle(120), for: house.child)
        try await eventually { try await house.johnny.store.entry(entry.id) != nil }
        await house.maria.engine.stop()
        await house.johnny.engine.stop()
        #expect(await house.johnny.engine.currentPhase == .stopped)
    }

    @Test func withoutAScreenNothingIsAsked() async throws {
        let house = try await Household()
        await house.maria.engine.start()
        await house.maria.engine.stop()
        let before = await house.server.requests.count
        try await Task.sleep(for: .milliseconds(300))
        #expect(await house.server.requests.count == before)
    }

    @Test func oneFamilyIsAskedOnceAtATime() async throws {
        let house = try await Household()
        await house.johnny.engine.start()
        try await Task.sleep(for: .milliseconds(400))
        let asked = await house.server.requests.filter { $0.hasSuffix("/changes") }.count
        // The set-up asked once a phone; then once to catch up, and once that is held.
        #expect(asked <= 4)
        await house.johnny.engine.stop()
    }

    @Test func itGoesOnByItselfWhenTheServerIsBack() async throws {
        let house = try await Household(configuration: quick)
        let pauses = Mutex<[(Duration, SyncObstacle)]>([])
        let events = await house.maria.engine.events()
        let listening = Task {
            for await event in events {
                if case .pausing(let pause, let obstacle) = event {
                    pauses.withLock { $0.append((pause, obstacle)) }
                }
            }
        }
        await house.server.refuse(503, times: 3)
        house.maria.faults.plan(.loseRequest)
        await house.maria.engine.start()
        let entry = try await house.maria.store.log(house.bottle(120), for: house.child)
        try await eventually { await house.server.events[entry.id.text] != nil }
        await house.maria.engine.stop()
        listening.cancel()
        let seen = pauses.withLock { $0.map(\.1) }
        #expect(seen.contains(.busy) && seen.contains(.noConnection))
    }

    @Test func theServersOwnPauseIsWaitedInFull() {
        var backoff = Backoff(first: .seconds(1), longest: .seconds(60))
        #expect(backoff.pause(asked: .seconds(17), fraction: 0) >= .seconds(17))
        #expect(backoff.pause(asked: nil, fraction: 0) == .seconds(1))
        #expect(backoff.pause(asked: nil, fraction: 0.5) == .seconds(3))
        for _ in 0..<100 { _ = backoff.pause(asked: nil, fraction: 1) }
        #expect(backoff.pause(asked: nil, fraction: 1) == .seconds(60))
        backoff.succeeded()
        #expect(backoff.pause(asked: nil, fraction: 1) == .seconds(1))
    }

    @Test func aNetworkThatComesBackIsTriedAtOnce() async throws {
        let house = try await Household()
        let (stream, network) = AsyncStream.makeStream(of: Void.self)
        struct Given: NetworkMonitor {
            let stream: AsyncStream<Void>
            func changes() -> AsyncStream<Void> { stream }
        }
        var slow = SyncEngine.Configuration()
        slow.firstPause = .seconds(300)
        slow.longestPause = .seconds(300)
        let engine = SyncEngine(
            store: house.maria.store, client: house.maria.client, configuration: slow,
            network: Given(stream: stream))
        house.maria.faults.setOffline(true)
        await engine.start()
        let entry = try await house.maria.store.log(house.bottle(120), for: house.child)
        try await eventually { await engine.currentPhase == .pausing(.noConnection) }
        house.maria.faults.setOffline(false)
        try await eventually {
            network.yield()
            return await house.server.events[entry.id.text] != nil
        }
        await engine.stop()
    }

    @Test func aSessionThatEndsStopsTheEngineAndKeepsTheOutbox() async throws {
        let house = try await Household()
        await house.maria.engine.start()
        await house.server.endSessions(of: house.maria.user)
        let entry = try await house.maria.store.log(house.bottle(120), for: house.child)
        try await eventually { await house.maria.engine.currentPhase == .signedOut }
        #expect(try await house.maria.store.pendingChanges().map(\.entryID) == [entry.id])
        await house.maria.engine.stop()
    }

    @Test func appAndWidgetAreOneClient() async throws {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("lease-\(UUID()).sqlite")
        defer { try? FileManager.default.removeItem(atPath: file.path + ".lock") }
        let app = SyncLease(besides: file)
        let widget = SyncLease(besides: file)
        #expect(app.take() && app.take())
        #expect(!widget.take())
        app.release()
        #expect(widget.take())
    }

    @Test func whatTheWidgetLogsTheAppShowsAndSends() async throws {
        let house = try await Household()
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("shared-\(UUID()).sqlite")
        defer {
            for suffix in ["", "-wal", "-shm", ".lock"] {
                try? FileManager.default.removeItem(atPath: file.path + suffix)
            }
        }
        let app = try Store(file: file, userID: house.maria.user)
        let widget = try Store(file: file, userID: house.maria.user)
        let engine = SyncEngine(
            store: app, client: house.maria.client, network: StillNetwork())
        let other = SyncEngine(
            store: widget, client: house.maria.client, network: StillNetwork())
        await engine.start()
        try await eventually { try await !app.children(of: house.family).isEmpty }
        await other.start()
        try await eventually { await other.currentPhase == .watching }
        let shown = Mutex<[UUID]>([])
        let watching = app.watch {
            try Store.entries(of: house.child, EntryFilter(), $0).map(\.id)
        } deliver: { ids in
            shown.withLock { $0 = ids }
        }
        let entry = try await widget.log(house.bottle(50), for: house.child)
        try await eventually { shown.withLock { $0 } == [entry.id] }
        try await eventually { await house.server.events[entry.id.text] != nil }
        // The app goes: the widget takes over.
        await engine.stop()
        try await eventually { await other.currentPhase == .running }
        await other.stop()
        withExtendedLifetime(watching) {}
    }

    private var quick: SyncEngine.Configuration {
        var configuration = SyncEngine.Configuration()
        configuration.firstPause = .milliseconds(5)
        configuration.longestPause = .milliseconds(50)
        return configuration
    }
}

/// Waits until something holds; half a minute is more than any machine needs.
func eventually(
    isolation: isolated (any Actor)? = #isolation, _ condition: () async throws -> Bool
) async throws {
    for _ in 0..<3000 {
        if try await condition() { return }
        try await Task.sleep(for: .milliseconds(10))
    }
    Issue.record("It does not come about")
}
