import BabyBasicsAPI
import BabyBasicsClient
import Foundation
import GRDB
import Synchronization
import Testing

@testable import BabyBasicsKit

/// The engine through what happens to it: started and stopped at once, failing, slowed down by the server.
@Suite struct EngineTests {
    @Test func theLastOfStartAndStopHolds() async throws {
        let house = try await Household()
        let engine = house.maria.engine
        for _ in 0..<20 {
            await engine.start()
            // As an app does on a change of phase: the one is not over when the other begins.
            let stopping = Task { await engine.stop() }
            await Task.yield()
            await engine.start()
            await stopping.value
            #expect(await engine.currentPhase != .stopped)
            async let ending: Void = engine.stop()
            await engine.start()
            await engine.stop()
            await ending
            #expect(await engine.currentPhase == .stopped)
        }
        // It still works.
        await engine.start()
        let entry = try await house.maria.store.log(house.bottle(120), for: house.child)
        try await eventually { try await house.event(entry.id) != nil }
        await engine.stop()
    }

    @Test func theBackoffBeginsAnewAfterProgress() async throws {
        let house = try await Household()
        for _ in 0..<8 { try await house.maria.store.log(house.bottle(120), for: house.child) }
        // Every other batch is lost: each try has sent one before it fails.
        let batches = Atomic(0)
        let inner = house.server.transport
        let client = APIClient(
            InProcessServer.url, token: house.maria.client.token,
            transport: Transport { request, timeout in
                if request.url.path.hasSuffix("/events"), !batches.add(1, ordering: .relaxed).newValue.isMultiple(of: 2)
                {
                    return try await inner.perform(request, timeout)
                }
                guard request.url.path.hasSuffix("/events") else { return try await inner.perform(request, timeout) }
                throw TransportFailure(.connectionLost, "Lost")
            })
        var configuration = SyncEngine.Configuration()
        configuration.batchSize = 1
        configuration.firstPause = .milliseconds(20)
        let engine = SyncEngine(
            store: house.maria.store, client: client, configuration: configuration, network: StillNetwork())
        let pauses = Mutex<[Duration]>([])
        let events = await engine.events()
        let listening = Task {
            for await event in events {
                if case .pausing(let pause, _) = event { pauses.withLock { $0.append(pause) } }
            }
        }
        await engine.start()
        try await eventually { try await house.maria.store.pendingChanges().isEmpty }
        await engine.stop()
        listening.cancel()
        #expect(pauses.withLock { $0.count } >= 4)
        #expect(pauses.withLock { $0.allSatisfy { $0 <= .milliseconds(20) } })
    }

    @Test func whatTheServerAsksToWaitOutlivesANetworkThatFlapsAndARestart() async throws {
        let house = try await Household()
        let network = GivenNetwork()
        let engine = SyncEngine(store: house.maria.store, client: house.maria.client, network: network)
        house.maria.faults.refuse(503, headers: ["Retry-After": "2"])
        let start = ContinuousClock.now
        await engine.start()
        try await eventually { await engine.currentPhase == .pausing(.busy) }
        let asked = house.maria.faults.requests.count
        while ContinuousClock.now - start < .milliseconds(900) {
            network.change()
            await engine.retryNow()
            try await Task.sleep(for: .milliseconds(10))
        }
        await engine.stop()
        await engine.start()
        try await Task.sleep(for: .milliseconds(300))
        // A machine that is busy may have come to the end of the wait already.
        let soFar = house.maria.faults.requests.count
        #expect(soFar == asked || ContinuousClock.now - start >= .seconds(2))
        try await eventually { house.maria.faults.requests.count > asked }
        #expect(ContinuousClock.now - start >= .seconds(2))
        await engine.stop()
    }

    @Test func theNewestComesFirst() async throws {
        var configuration = SyncEngine.Configuration()
        configuration.pageSize = 4
        let house = try await Household(configuration: configuration)
        var last: StoredEntry?
        for _ in 0..<12 { last = try await house.maria.store.log(house.bottle(60), for: house.child) }
        try await house.maria.engine.sendChanges()
        let store = try AccountStore(inMemoryFor: house.johnny.user, environment: house.clock.environment)
        let engine = SyncEngine(
            store: store, client: house.johnny.client, configuration: configuration, network: StillNetwork())
        // The list of families, the first page, the newest; the second page is lost.
        house.johnny.faults.plan(.pass, .pass, .pass, .loseAnswer)
        await #expect(throws: TransportFailure.self) { try await engine.fetchChanges() }
        #expect(try await store.position(of: house.family)?.isComplete == false)
        #expect(try await store.entries(of: house.child).first?.id == last?.id)
        try await engine.fetchChanges()
        #expect(try await store.entries(of: house.child).count == 12)
        #expect(house.johnny.faults.requests.count { $0.hasSuffix("/timeline") } == 1)
    }

    @Test func aThousandChangesAreAskedForAtOnce() async throws {
        let house = try await Household()
        #expect(house.johnny.faults.queries.contains { $0.contains("limit=1000") })
    }

    @Test func anErrorOfTheDatabaseReachesTheScreenAndTheApp() async throws {
        let house = try await Household()
        let status = await SyncStatus(store: house.maria.store, engine: house.maria.engine)
        let events = await house.maria.engine.events()
        try await house.maria.store.beginResync(of: house.family)
        try await house.maria.store.write { db, _ in try db.execute(sql: "drop table staged_change") }
        await house.maria.engine.start()
        for await event in events {
            if case .pausing(_, because: .storage) = event { break }
        }
        try await eventually { await status.problem != nil }
        try await eventually { await status.line?.contains("storage") == true }
        await house.maria.engine.stop()
    }

    @Test func aBrokenReadingReachesTheScreen() async throws {
        let house = try await Household()
        let status = await SyncStatus(store: house.maria.store, engine: house.maria.engine)
        try await house.maria.store.write { db, _ in try db.execute(sql: "drop table notice") }
        try await house.maria.store.log(house.bottle(120), for: house.child)
        try await eventually { await status.problem?.tone == .problem }
    }

    @Test func theLogTellsWhatHappensAndNothingThatIsPrivate() async throws {
        let house = try await Household()
        let lines = Mutex<[String]>([])
        var environment = house.clock.environment
        environment.log = { _, line in lines.withLock { $0.append(line) } }
        let store = try AccountStore(inMemoryFor: house.maria.user, environment: environment)
        let engine = SyncEngine(store: store, client: house.maria.client, network: StillNetwork())
        house.maria.faults.plan(.loseRequest)
        await engine.start()
        try await eventually { await engine.currentPhase == .running && lines.withLock { $0.count } >= 3 }
        await engine.stop()
        let text = lines.withLock { $0.joined(separator: "\n") }
        #expect(text.contains("noConnection") && text.contains("stands still"))
        for secret in ["Maria", "Wren", "baby.example", house.family.description, house.maria.client.token ?? "?"] {
            #expect(!text.contains(secret))
        }
    }

    @Test func anIdOfAnotherFamilyTakesNothingAway() async throws {
        let house = try await Household()
        let entry = try await house.maria.store.log(house.bottle(120), for: house.child)
        try await house.maria.engine.sendChanges()
        try await house.johnny.engine.fetchChanges()
        let event = try #require(try await house.event(entry.id))
        var foreign = event
        foreign.fields["amount_ml"] = .number(1)
        foreign.revision += 100
        let other = FamilyID(UUID())
        let store = house.johnny.store
        try await store.adopt(
            ServerFamily(
                id: other, name: "Other", policy: .standard, revision: 1, createdAt: event.createdAt,
                updatedAt: event.createdAt), role: .parent)
        try await store.apply([foreign], family: other)
        #expect(try await store.entry(entry.id)?.fields["amount_ml"] == .number(120))
    }

    // MARK: A clock that is wrong

    @Test func whatAClockThatIsAheadHasLoggedIsPutRight() async throws {
        let house = try await Household()
        let (store, engine) = try ahead(house)
        try await engine.fetchChanges()
        // As if the server's time was not known yet.
        store.clock.forget()
        try await store.setClockOffset(0)
        let entry = try await store.log(
            DiaperDetails(type: .wet, occurredAt: store.clock.now()), for: house.child)
        try await engine.sendChanges()
        #expect(try await store.rejectedChanges().isEmpty)
        let event = try #require(try await house.event(entry.id))
        let off = StoredEntry.time(of: event.fields).map { house.clock.now.since($0) } ?? .zero
        #expect(off > .zero && off < .seconds(600))
        #expect(try await store.notices().map(\.notice) == [.clockCorrected])
        // From now on it is right.
        #expect(store.clock.now().since(house.clock.now) < .seconds(60))
    }

    @Test func aClockThatIsAheadWinsNoConflict() async throws {
        let house = try await Household()
        let logged = try await house.johnny.store.log(house.bottle(120), for: house.child)
        try await house.johnny.engine.sendChanges()
        let (store, engine) = try ahead(house)
        try await engine.fetchChanges()
        // Her edit is made first, by a clock that is an hour ahead; his is the later one.
        store.clock.forget()
        try await store.setClockOffset(0)
        try await store.edit(logged.id, ["amount_ml": .number(80)])
        house.clock.advance(.seconds(120))
        try await house.johnny.engine.fetchChanges()
        try await house.johnny.store.edit(logged.id, ["amount_ml": .number(90)])
        try await house.johnny.engine.sendChanges()
        try await engine.sendChanges()
        #expect(try await house.event(logged.id)?.fields["amount_ml"] == .number(90))
    }

    /// A phone of Maria's whose clock is an hour ahead, and whose answers tell the server's time.
    private func ahead(_ house: Household) throws -> (AccountStore, SyncEngine) {
        let clock = house.clock
        var environment = clock.environment
        environment.now = { clock.now.adding(.seconds(3600)) }
        let store = try AccountStore(inMemoryFor: house.maria.user, environment: environment)
        let client = APIClient(
            InProcessServer.url, token: house.maria.client.token,
            transport: house.maria.faults.transport.watched(by: store) {})
        return (store, SyncEngine(store: store, client: client, network: StillNetwork()))
    }
}

extension ServerClock {
    /// As if no answer had come yet.
    fileprivate func forget() {
        let device = device()
        _ = learn(date: Timestamp(milliseconds: device - 500), sent: device, arrived: device)
    }
}
