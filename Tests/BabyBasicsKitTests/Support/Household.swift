import BabyBasicsAPI
import BabyBasicsClient
import Foundation
import Synchronization

@testable import BabyBasicsKit

/// A clock that only tests move.
final class TestClock: Sendable {
    private let time = Mutex(Timestamp("2026-11-25T12:00:00.000Z") ?? .systemNow)

    var now: Timestamp { time.withLock { $0 } }

    func advance(_ duration: Duration) { time.withLock { $0 = $0.adding(duration) } }

    /// Each look at it is a second later, so that no two things happen at once.
    var ticking: @Sendable () -> Timestamp {
        { [self] in
            time.withLock {
                $0 = $0.adding(.seconds(1))
                return $0
            }
        }
    }

    var surroundings: Surroundings {
        Surroundings(
            now: ticking, sleep: { try await Task.sleep(for: $0) },
            timeZone: { TimeZone(identifier: "Europe/Berlin") ?? .gmt })
    }
}

/// A family with two parents' phones at a server in memory.
struct Household {
    let clock: TestClock
    let server: FakeServer
    let family: FamilyID
    let child: ChildID
    let maria: Phone
    let johnny: Phone

    struct Phone {
        let user: UserID
        let store: Store
        let engine: SyncEngine
        let client: APIClient
        let faults: Faults
    }

    static let url = URL(string: "https://baby.example") ?? URL(fileURLWithPath: "/")

    init(configuration: SyncEngine.Configuration = SyncEngine.Configuration()) async throws {
        clock = TestClock()
        server = FakeServer(now: clock.ticking)
        maria = try await Self.phone("Maria", server, clock, configuration)
        johnny = try await Self.phone("Johnny", server, clock, configuration)
        let family = try await maria.client.send(
            Endpoints.createFamily, body: NewFamily(name: "Maria’s Family")
        ).body.family.id
        child = try await maria.client.send(
            Endpoints.createChild, path: family,
            body: NewChild(
                name: "Wren", dateOfBirth: CalendarDate("2026-09-01") ?? .init(daysSince1970: 0))
        ).body.child.id
        let invite = try await maria.client.send(
            Endpoints.createInvite, path: family, body: NewInvite(role: .parent)
        ).body.invite
        try await johnny.client.send(
            Endpoints.acceptInvite,
            body: InviteToken(token: String(invite.joinUrl.split(separator: "/").last ?? "")))
        try await maria.engine.fetchChanges()
        try await johnny.engine.fetchChanges()
        self.family = family
    }

    static func phone(
        _ name: String, _ server: FakeServer, _ clock: TestClock,
        _ configuration: SyncEngine.Configuration = SyncEngine.Configuration()
    ) async throws -> Phone {
        let faults = Faults(over: server.transport)
        var client = APIClient(url, retries: .never, transport: faults.transport)
        let answer = try await client.send(
            Endpoints.register,
            body: Registration(
                name: name, email: "\(name.lowercased())@example.com", password: "correct horse"))
        client.token = answer.body.session.token
        let user = answer.body.user
        let store = try Store(inMemoryFor: user.id, surroundings: clock.surroundings)
        try await store.setProfile(
            Profile(
                id: user.id, email: user.email, name: user.name, timezone: user.timezone,
                dayStartTime: user.dayStartTime))
        return Phone(
            user: user.id, store: store,
            engine: SyncEngine(
                store: store, client: client, configuration: configuration,
                network: StillNetwork()),
            client: client, faults: faults)
    }

    func bottle(_ amount: Tenths) -> FeedingDetails {
        FeedingDetails(type: .bottle, startedAt: clock.now, amountMl: amount, content: .formula)
    }
}

/// A network that never changes.
struct StillNetwork: NetworkMonitor {
    func changes() -> AsyncStream<Void> { AsyncStream { _ in } }
}

/// Loses what a test says.
final class Faults: Sendable {
    enum Fault: Sendable { case pass, loseRequest, loseAnswer }

    private let planned = Mutex<[Fault]>([])
    private let isOffline = Mutex(false)
    private let isSilent = Mutex(false)
    private let held = Mutex(0)
    private let inner: Transport

    init(over inner: Transport) { self.inner = inner }

    /// What befalls the next requests, in order.
    func plan(_ faults: Fault...) { planned.withLock { $0 += faults } }

    func setOffline(_ value: Bool) { isOffline.withLock { $0 = value } }

    /// Requests are neither answered nor lost.
    func setSilent(_ value: Bool) { isSilent.withLock { $0 = value } }

    /// How many requests have met that silence.
    var heldRequests: Int { held.withLock { $0 } }

    var transport: Transport {
        Transport { [self] request, timeout in
            guard !isOffline.withLock({ $0 }) else {
                throw TransportFailure(.cannotConnect, "No network")
            }
            if isSilent.withLock({ $0 }) { held.withLock { $0 += 1 } }
            while isSilent.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(5)) }
            let fault = planned.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            if fault == .loseRequest { throw TransportFailure(.connectionLost, "Lost") }
            let answer = try await inner.perform(request, timeout)
            if fault == .loseAnswer { throw TransportFailure(.connectionLost, "Lost") }
            return answer
        }
    }
}
