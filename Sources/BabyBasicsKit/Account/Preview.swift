import BabyBasicsAPI
public import BabyBasicsClient
import Foundation
import GRDB
import Synchronization

// For SwiftUI's previews and an app's own tests: nothing is read from the device, nothing is sent.

extension KitConfiguration {
    /// An empty device without a network; its state is gone with the process.
    /// - Parameter transport: answers requests, where a preview is to have answers.
    public static func preview(
        environment: KitEnvironment = KitEnvironment(),
        transport: Transport = Transport { _, _ in throw TransportFailure(.cannotConnect, "A preview has no network") }
    ) -> KitConfiguration {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("preview-\(UUID().text)")
        return KitConfiguration(
            directory: directory, tokens: MemoryTokenStore(), preferences: MemoryPreferences(), transport: transport,
            network: NoNetworkMonitor(), environment: environment)
    }
}

extension Home {
    /// An account of Maria's with a family and its children, in memory.
    public static func preview(
        _ configuration: KitConfiguration = .preview(), children: [String] = ["Wren"], role: MemberRole = .parent
    ) throws -> Home {
        let environment = configuration.environment
        let now = environment.now()
        let profile = Profile(
            id: UserID(environment.makeUUID()), email: "maria@example.com", name: "Maria",
            timezone: environment.timeZone().identifier, dayStartTime: "07:00")
        let store = try AccountStore(inMemoryFor: profile.id, environment: environment)
        let family = FamilyID(environment.makeUUID())
        try store.database.write { db in
            try ProfileRow(profile).insert(db)
            try FamilyRow(
                id: family, name: "Maria’s Family", policy: .standard, ownerID: profile.id, role: role, revision: 1,
                createdAt: now, updatedAt: now, isComplete: true
            ).insert(db)
            try MemberRow(
                familyID: family, userID: profile.id, name: profile.name, email: profile.email, role: role,
                isOwner: true, joinedAt: now, revision: 2
            ).insert(db)
            for (index, name) in children.enumerated() {
                try ChildRow(
                    id: ChildID(environment.makeUUID()), familyID: family, name: name,
                    dateOfBirth: CalendarDate(daysSince1970: now.utcDate.daysSince1970 - 90),
                    createdAt: now.adding(.seconds(index)), revision: Int64(3 + index)
                ).insert(db)
            }
        }
        let client = APIClient(
            URL(fileURLWithPath: "/preview"), token: "preview", retries: .never, transport: configuration.transport)
        return Home(store: store, client: client, profile: profile, configuration: configuration)
    }
}

private final class MemoryTokenStore: TokenStore {
    private let account = Mutex<SignedInAccount?>(nil)

    func read() throws -> SignedInAccount? { account.withLock { $0 } }
    func write(_ account: SignedInAccount) throws { self.account.withLock { $0 = account } }
    func clear() throws { account.withLock { $0 = nil } }
}

private final class MemoryPreferences: Preferences {
    private let values = Mutex<[String: String]>([:])

    func string(_ key: String) -> String? { values.withLock { $0[key] } }
    func set(_ value: String?, for key: String) { values.withLock { $0[key] = value } }
}

/// A network that never changes.
private struct NoNetworkMonitor: NetworkMonitor {
    func changes() -> AsyncStream<Void> { AsyncStream { _ in } }
}
