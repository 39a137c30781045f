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
        let before = house.maria.faults.requests.count
        try await Task.sleep(for: .milliseconds(300))
        #expect(house.maria.faults.requests.count == before)
    }

    @Test func oneFamilyIsAskedOnceAtATime() async throws {
        let house = try await Household()
        await house.johnny.engine.start()
        try await Task.sleep(for: .milliseconds(400))
        let asked = house.johnny.faults.requests.filter { $0.hasSuffix("/changes") }.count
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
        house.maria.faults.refuse(503, times: 3)
        house.maria.faults.plan(.loseRequest)
        await house.maria.engine.start()
        let entry = try await house.maria.store.log(house.bottle(120), for: house.child)
        try await eventually { try await house.event(entry.id) != nil }
        await house.maria.engine.stop()
        listening.cancel()
        let seen = pauses.withLock { $0.map(\.1) }
        #expect(seen.contains(.busy) && seen.contains(.noConnection))
    }

    @Test func pausesDoubleUpToALimit() {
        var backoff = Backoff(first: .seconds(1), longest: .seconds(60))
        #expect(backoff.pause(fraction: 0) == .milliseconds(500))
        #expect(backoff.pause(fraction: 0) == .seconds(1))
        #expect(backoff.pause(fraction: 0.5) == .seconds(3))
        for _ in 0..<100 { _ = backoff.pause(fraction: 1) }
        #expect(backoff.pause(fraction: 1) == .seconds(60))
        backoff.succeeded()
        #expect(backoff.pause(fraction: 1) == .seconds(1))
    }

    @Test func aNetworkThatComesBackIsTriedAtOnce() async throws {
        let house = try await Household()
        let network = GivenNetwork()
        var slow = SyncEngine.Configuration()
        slow.firstPause = .seconds(300)
        slow.longestPause = .seconds(300)
        let engine = SyncEngine(
            store: house.maria.store, client: house.maria.client, configuration: slow,
            network: network)
        house.maria.faults.setOffline(true)
        await engine.start()
        let entry = try await house.maria.store.log(house.bottle(120), for: house.child)
        try await eventually { await engine.currentPhase == .pausing(.noConnection) }
        house.maria.faults.setOffline(false)
        try await eventually {
            network.change()
            return try await house.event(entry.id) != nil
        }
        await engine.stop()
    }

    @Test func aSessionThatEndsStopsTheEngineAndKeepsTheOutbox() async throws {
        let house = try await Household()
        await house.maria.engine.start()
        try await house.endSession(of: house.maria)
        let entry = try await house.maria.store.log(house.bottle(120), for: house.child)
        try await eventually { await house.maria.engine.currentPhase == .signedOut }
        #expect(try await house.maria.store.pendingChanges().map(\.entryID) == [entry.id])
        await house.maria.engine.stop()
    }

    @Test func appAndWidgetAreOneClient() async throws {
        try await withDirectory { directory in
            let clock = TestClock()
            let environment = KitEnvironment(now: { clock.now })
            let file = directory.appendingPathComponent("store.sqlite")
            let user = UserID(UUID())
            let app = SyncLease(store: try AccountStore(file: file, userID: user, environment: environment))
            let widget = SyncLease(store: try AccountStore(file: file, userID: user, environment: environment))
            #expect(try await app.take())
            #expect(try await app.take())
            #expect(try await !widget.take())
            try await app.release()
            #expect(try await widget.take())
            // Suspended or killed, it holds nobody up for long.
            #expect(try await !app.take())
            clock.advance(SyncLease.length)
            #expect(try await app.take())
            #expect(try await !widget.take())
            // Nor does a clock that was set back.
            clock.advance(.seconds(-86_400))
            #expect(try await widget.take())
        }
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
        let app = try AccountStore(file: file, userID: house.maria.user)
        let widget = try AccountStore(file: file, userID: house.maria.user)
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
            try AccountStore.entries(of: house.child, EntryFilter(), $0).map(\.id)
        } deliver: { ids in
            shown.withLock { $0 = ids }
        }
        let entry = try await widget.log(house.bottle(50), for: house.child)
        try await eventually { shown.withLock { $0 } == [entry.id] }
        try await eventually { try await house.event(entry.id) != nil }
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
