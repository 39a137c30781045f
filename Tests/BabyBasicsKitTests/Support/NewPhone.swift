import BabyBasicsAPI
import BabyBasicsClient
import Foundation
import Synchronization

@testable import BabyBasicsKit

/// A phone as it comes out of the box: nothing on it, and a server in memory somewhere.
@MainActor final class NewPhone {
    let directory: URL
    let server: FakeServer
    let clock: TestClock
    let faults: Faults
    let configuration: KitConfiguration
    private(set) var account: Account
    private(set) var onboarding: Onboarding

    init(_ server: FakeServer, _ clock: TestClock) async {
        directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("phone-\(UUID())")
        self.server = server
        self.clock = clock
        faults = Faults(over: server.transport)
        configuration = KitConfiguration(
            directory: directory,
            tokens: FileTokenStore(file: directory.appendingPathComponent("session")),
            preferences: FilePreferences(
                file: directory.appendingPathComponent("preferences.json")),
            transport: faults.transport, network: StillNetwork(),
            surroundings: clock.surroundings)
        account = Account(configuration)
        account.server = Household.url
        onboarding = Onboarding(account)
        await onboarding.start()
    }

    isolated deinit { try? FileManager.default.removeItem(at: directory) }

    /// The app is closed and opened again.
    func restart() async {
        try? account.home?.store.close()
        account = Account(configuration)
        onboarding = Onboarding(account)
        await onboarding.start()
    }

    func register(_ name: String) async {
        onboarding.name = name
        onboarding.email = "\(name.lowercased())@example.com"
            .replacingOccurrences(of: " ", with: ".")
        onboarding.password = "correct horse"
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
}
