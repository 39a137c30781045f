import BabyBasicsAPI
import BabyBasicsClient
import Foundation
import Observation
import Synchronization
import Testing

@testable import BabyBasicsKit

/// An app that is started: by iOS before the phone is unlocked, after it was installed anew, and as usual.
@MainActor @Suite struct StartingTests {
    private let account = SignedInAccount(
        server: URL(string: "https://baby.example") ?? URL(fileURLWithPath: "/"), token: "secret",
        profile: Profile(
            id: UserID(UUID()), email: "maria@example.com", name: "Maria", timezone: "Europe/Berlin",
            dayStartTime: "07:00"))

    @Test func beforeTheFirstUnlockNothingIsDecided() async throws {
        try await withDirectory { directory in
            let tokens = LockedTokens(account)
            let configuration = self.configuration(directory, tokens)
            try Data("yes".utf8).write(to: directory.appendingPathComponent("installed"))
            let onboarding = Onboarding(Account(configuration))
            await onboarding.activate()
            #expect(onboarding.account.step == .locked && onboarding.step == .locked)
            #expect(onboarding.message == english.unlockFirst)
            #expect(await onboarding.account.refresh() == .failed)
            tokens.unlock()
            await onboarding.activate()
            #expect(onboarding.account.step == .signedIn(account.profile.id))
            #expect(onboarding.step == .checking && onboarding.message != english.unlockFirst)
            #expect(tokens.clearings == 0)
            await onboarding.suspend()
        }
    }

    @Test func aMarkThatCannotBeReadIsNoNewInstallation() async throws {
        try await withDirectory { directory in
            let tokens = LockedTokens(account, isLocked: false)
            let configuration = self.configuration(directory, tokens)
            // A directory in its place can be seen, and not read, as a protected file.
            let mark = directory.appendingPathComponent("installed")
            try FileManager.default.createDirectory(at: mark, withIntermediateDirectories: true)
            let locked = Account(configuration)
            try await locked.start()
            #expect(locked.step == .locked && tokens.clearings == 0)
            try FileManager.default.removeItem(at: mark)
            try Data("yes".utf8).write(to: mark)
            let opened = Account(configuration)
            try await opened.start()
            #expect(opened.step == .signedIn(account.profile.id) && tokens.clearings == 0)
        }
    }

    @Test func preferencesThatCannotBeReadAreLeftAsTheyAre() async throws {
        try await withDirectory { directory in
            let file = directory.appendingPathComponent("preferences.json")
            try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
            let preferences = FilePreferences(file: file)
            preferences.set("here", for: "there")
            #expect(preferences.string("there") == nil)
            var isDirectory = ObjCBool(false)
            #expect(FileManager.default.fileExists(atPath: file.path, isDirectory: &isDirectory))
            #expect(isDirectory.boolValue)
        }
    }

    @Test func whatChangesIsTold() async throws {
        try await withDirectory { directory in
            try Data("yes".utf8).write(to: directory.appendingPathComponent("installed"))
            let onboarding = Onboarding(Account(configuration(directory, LockedTokens(account, isLocked: false))))
            await onboarding.start()
            let home = try #require(onboarding.account.home)
            for (read, change) in [
                ({ _ = onboarding.account.server }, { onboarding.account.server = URL(string: "https://b.example") }),
                ({ _ = home.units }, { home.units.volume = .fluidOunces }),
            ] as [(() -> Void, () -> Void)] {
                let isTold = Mutex(false)
                withObservationTracking(read) { isTold.withLock { $0 = true } }
                change()
                #expect(isTold.withLock { $0 })
            }
            let isTold = Mutex(false)
            withObservationTracking {
                _ = onboarding.banner
            } onChange: {
                isTold.withLock { $0 = true }
            }
            onboarding.inviteText = "https://b.example/join/xK9mLp2qR5tN8vW3yBcd4A"
            await onboarding.enterInvite()
            #expect(isTold.withLock { $0 } && onboarding.banner == english.invited)
        }
    }

    @Test func whoseStoreCannotBeOpenedSignsOutAllTheSame() async throws {
        try await withDirectory { directory in
            let tokens = LockedTokens(account, isLocked: false)
            let configuration = self.configuration(directory, tokens)
            try Data("yes".utf8).write(to: directory.appendingPathComponent("installed"))
            let file = StoreFiles(directory: directory).file(server: account.server, userID: account.profile.id)
            // A directory cannot be opened as a store, nor replaced by one.
            try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
            try Data(repeating: 1, count: 10).write(to: URL(fileURLWithPath: file.path + ".damaged-1"))
            let onboarding = Onboarding(Account(configuration))
            await onboarding.start()
            #expect(onboarding.message?.tone == .problem && onboarding.account.home == nil)
            #expect(try await onboarding.account.signOut(losing: true) == .done)
            let left = try FileManager.default.contentsOfDirectory(atPath: directory.path)
            #expect(!left.contains { $0.contains(".sqlite") }, "\(left)")
            #expect(try tokens.read() == nil)
        }
    }

    private func configuration(_ directory: URL, _ tokens: LockedTokens) -> KitConfiguration {
        var configuration = KitConfiguration.preview()
        configuration.directory = directory
        configuration.installation = Installation(directory: directory)
        configuration.tokens = tokens
        return configuration
    }
}

/// A Keychain of a phone that may be locked.
private final class LockedTokens: TokenStore {
    private let state: Mutex<(account: SignedInAccount?, isLocked: Bool, clearings: Int)>

    init(_ account: SignedInAccount, isLocked: Bool = true) { state = Mutex((account, isLocked, 0)) }

    func unlock() { state.withLock { $0.isLocked = false } }

    var clearings: Int { state.withLock { $0.clearings } }

    func read() throws -> SignedInAccount? {
        try state.withLock { state in
            if state.isLocked { throw ProtectedDataUnavailable() }
            return state.account
        }
    }

    func write(_ account: SignedInAccount) throws { state.withLock { $0.account = account } }

    func clear() throws {
        state.withLock { state in
            state.clearings += 1
            state.account = nil
        }
    }
}
