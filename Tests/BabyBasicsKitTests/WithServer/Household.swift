import BabyBasicsAPI
import BabyBasicsClient
import Foundation

@testable import BabyBasicsKit

/// A family with two parents' phones at the real server.
struct Household {
    let clock: TestClock
    let server: InProcessServer
    let family: FamilyID
    let child: ChildID
    let maria: Phone
    let johnny: Phone

    struct Phone {
        let user: UserID
        let store: AccountStore
        let engine: SyncEngine
        let client: APIClient
        let faults: Faults
    }

    init(configuration: SyncEngine.Configuration = SyncEngine.Configuration()) async throws {
        server = try InProcessServer()
        clock = server.clock
        maria = try await Self.phone("Maria", server, configuration)
        johnny = try await Self.phone("Johnny", server, configuration)
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

    /// A second child of the family.
    func twin() async throws -> ChildID {
        try await maria.client.send(
            Endpoints.createChild, path: family, body: NewChild(name: "Robin", dateOfBirth: clock.now.utcDate)
        ).body.child.id
    }

    static func phone(
        _ name: String, _ server: InProcessServer, _ configuration: SyncEngine.Configuration
    ) async throws -> Phone {
        let faults = Faults(over: server.transport)
        var client = APIClient(InProcessServer.url, retries: .never, transport: faults.transport)
        let answer = try await client.send(
            Endpoints.register,
            body: Registration(
                name: name, email: "\(name.lowercased())@example.com", password: "correct horse battery"))
        client.token = answer.body.session.token
        let user = answer.body.user
        let store = try AccountStore(inMemoryFor: user.id, environment: server.clock.environment)
        try await store.setProfile(Profile(user))
        return Phone(
            user: user.id, store: store,
            engine: SyncEngine(
                store: store, client: client, configuration: configuration, network: StillNetwork()),
            client: client, faults: faults)
    }

    func bottle(_ amount: Tenths) -> FeedingDetails {
        FeedingDetails(type: .bottle, startedAt: clock.now, amountMl: amount, content: .formula)
    }

    // MARK: What the server has

    /// What the server shows of the child, by id.
    func events(of child: ChildID? = nil) async throws -> [UUID: ServerEvent] {
        let page = try await besides(maria).ask(
            Endpoints.getTimeline.description, child ?? self.child, query: .timeline(limit: 200),
            as: ServerAnswer.Many.self)
        return Dictionary(page.events.compactMap(\.event).map { ($0.id, $0) }) { $1 }
    }

    func event(_ id: UUID) async throws -> ServerEvent? { try await events()[id] }

    // MARK: What others do

    /// The session that a phone has ends.
    func endSession(of phone: Phone) async throws {
        try await besides(phone).send(Endpoints.logOut)
    }

    /// The same account over a line without faults.
    private func besides(_ phone: Phone) -> APIClient {
        APIClient(InProcessServer.url, token: phone.client.token, retries: .never, transport: server.transport)
    }
}
