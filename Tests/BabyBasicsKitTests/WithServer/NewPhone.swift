import BabyBasicsAPI
import BabyBasicsClient
import Foundation

@testable import BabyBasicsKit

/// A phone as it comes out of the box: nothing on it, and the real server somewhere.
@MainActor final class NewPhone {
    let directory: URL
    let server: InProcessServer
    let faults: Faults
    let network = GivenNetwork()
    var configuration: KitConfiguration
    private(set) var account: Account
    private(set) var onboarding: Onboarding

    init(_ server: InProcessServer, configure: (inout KitConfiguration) -> Void = { _ in }) async {
        directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("phone-\(UUID())")
        self.server = server
        faults = Faults(over: server.transport)
        configuration = KitConfiguration(
            directory: directory,
            tokens: FileTokenStore(file: directory.appendingPathComponent("session")),
            preferences: FilePreferences(
                file: directory.appendingPathComponent("preferences.json")),
            transport: faults.transport, network: network, environment: server.clock.environment)
        configure(&configuration)
        account = Account(configuration)
        account.server = InProcessServer.url
        onboarding = Onboarding(account)
        await onboarding.start()
    }

    isolated deinit { try? FileManager.default.removeItem(at: directory) }

    /// The app is closed and opened again.
    func restart() async {
        await account.home?.engine.stop()
        try? account.home?.store.close()
        account = Account(configuration)
        onboarding = Onboarding(account)
        await onboarding.start()
    }

    func register(_ name: String) async {
        onboarding.name = name
        onboarding.email = "\(name.lowercased())@example.com"
            .replacingOccurrences(of: " ", with: ".")
        onboarding.password = "correct horse battery"
        await onboarding.createAccount()
    }

    func setUp(_ baby: String) async {
        onboarding.babyName = baby
        await onboarding.getStarted()
    }

    var home: Home {
        get throws {
            guard let home = account.home else { throw StoreRefusal.noSuchEntry }
            return home
        }
    }

    /// The family on the phone, and its child.
    func family() async throws -> (FamilyID, ChildID) {
        let store = try home.store
        guard let family = try await store.families().first,
            let child = try await store.children(of: family.id).first
        else { throw StoreRefusal.noSuchChild }
        return (family.id, child.id)
    }

    /// How many families and children the server has for the account.
    func counts() async throws -> (families: Int, children: Int) {
        let families = try await home.client.send(Endpoints.listFamilies).body.families
        return (families.count, families.map(\.childrenCount).reduce(0, +))
    }

    /// What the server shows of a child.
    func events(of child: ChildID) async throws -> [ServerEvent] {
        try await home.client.ask(
            Endpoints.getTimeline.description, child, query: .timeline(limit: 200), as: ServerAnswer.Many.self
        ).events.compactMap(\.event)
    }

    /// The session ends at the server.
    func endSession() async throws {
        let client = APIClient(
            InProcessServer.url, token: try configuration.tokens.read()?.token, retries: .never,
            transport: server.transport)
        try await client.send(Endpoints.logOut)
    }
}
