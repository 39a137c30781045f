import BabyBasicsAPI
import BabyBasicsClient
import Foundation
import Testing

@testable import BabyBasicsKit

/// A phone that is told, and reminders, with the real server.
@MainActor @Suite struct PushRegistrationTests {
    private let server: InProcessServer

    init() throws { server = try InProcessServer() }

    private func phone() async throws -> NewPhone {
        let phone = await NewPhone(server)
        await phone.register("Maria")
        await phone.setUp("Wren")
        return phone
    }

    private func devices(_ client: APIClient) async throws -> [BabyBasicsAPI.Device] {
        try await client.send(Endpoints.listDevices).body.devices
    }

    private static func token(_ byte: UInt8) -> Data { Data(repeating: byte, count: 32) }

    @Test func nothingIsToldTheServerUntilThePersonWantsIt() async throws {
        let phone = try await phone()
        let push = try phone.home.push
        await push.take(Self.token(1))
        #expect(push.step == .off)
        #expect(!phone.faults.requests.contains { $0.hasSuffix("/devices") })
        push.turnOn()
        #expect(push.step == .waitingForServer)
        await push.take(Self.token(1))
        guard case .registered = push.step else {
            Issue.record("\(push.step)")
            return
        }
        #expect(try await devices(try phone.home.client).map(\.type) == [.apns])
    }

    @Test func eachNewTokenIsToldAndTheSameOneOnce() async throws {
        let phone = try await phone()
        let push = try phone.home.push
        push.turnOn()
        for byte in [1, 1, 2, 2] as [UInt8] { await push.take(Self.token(byte)) }
        #expect(phone.faults.requests.count { $0 == "POST /api/v1/users/me/devices" } == 2)
    }

    @Test func aLostAnswerIsTriedAgainAndItIsOneDevice() async throws {
        let phone = try await phone()
        let push = try phone.home.push
        push.turnOn()
        phone.faults.plan(.loseAnswer)
        await push.take(Self.token(1))
        #expect(push.step == .waitingForServer)
        await push.take(Self.token(1))
        #expect(push.step != .waitingForServer)
        #expect(try await devices(try phone.home.client).count == 1)
    }

    @Test func itIsRememberedOverARestartAndGoneWithTheSession() async throws {
        let phone = try await phone()
        try phone.home.push.turnOn()
        await (try phone.home.push).take(Self.token(1))
        await phone.restart()
        #expect(try phone.home.push.step == .waitingForToken)
        await (try phone.home.push).take(Self.token(1))
        #expect(try await devices(try phone.home.client).count == 1)
        let other = await NewPhone(server)
        other.onboarding.email = "maria@example.com"
        other.onboarding.password = "correct horse battery"
        await other.onboarding.logIn()
        #expect(try await devices(try other.home.client).map(\.current) == [false])
        #expect(try await phone.account.signOut(losing: true) == .done)
        #expect(try await devices(try other.home.client).isEmpty)
    }

    @Test func turnedOffItIsGoneAtTheServer() async throws {
        let phone = try await phone()
        let push = try phone.home.push
        push.turnOn()
        await push.take(Self.token(1))
        await push.turnOff()
        #expect(push.step == .off)
        #expect(try await devices(try phone.home.client).isEmpty)
    }

    // MARK: Reminders

    @Test func aReminderSetOfflineReachesTheServerOnceAndTheOtherPhone() async throws {
        let phone = try await phone()
        let (_, child) = try await phone.family()
        let store = try phone.home.store
        phone.faults.setOffline(true)
        try await store.remind(of: .last(.feeding), child: child, after: .seconds(3 * 3600))
        try await store.remind(of: .last(.feeding), child: child, after: .seconds(4 * 3600))
        #expect(try await store.reminders().map(\.after) == [.seconds(4 * 3600)])
        phone.faults.setOffline(false)
        phone.faults.plan(.loseAnswer)
        try? await phone.home.engine.sendChanges()
        try await phone.home.engine.sendChanges()
        #expect(try await store.reminders().map(\.isWaiting) == [false])
        let there = try await phone.home.client.send(Endpoints.listReminders).body.reminders
        #expect(there.map(\.afterMinutes) == [240])
        let other = await NewPhone(server)
        other.onboarding.email = "maria@example.com"
        other.onboarding.password = "correct horse battery"
        await other.onboarding.logIn()
        try await other.home.engine.fetchChanges()
        #expect(try await other.home.store.reminders().map(\.after) == [.seconds(4 * 3600)])
        try await other.home.store.forgetReminder(of: .last(.feeding), child: child)
        try await other.home.engine.sendChanges()
        try await phone.home.engine.fetchChanges()
        #expect(try await store.reminders().isEmpty)
    }

    @Test func aReminderOfAPlanThatIsGoneIsSaidAndBlocksNothing() async throws {
        let phone = try await phone()
        let (_, child) = try await phone.family()
        let store = try phone.home.store
        try await store.remind(of: .plan(PlanID(UUID())), child: child)
        try await store.remind(of: .last(.diaper), child: child, after: .seconds(7200))
        try await phone.home.engine.sendChanges()
        #expect(try await store.reminders().map(\.about) == [.last(.diaper)])
        #expect(try await store.notices().count == 1)
    }

    @Test func whatIsToldIsReadAndSet() async throws {
        let phone = try await phone()
        let (family, _) = try await phone.family()
        try await eventually { try !phone.home.activeFamily.families.isEmpty }
        let told = TellMe(try phone.home)
        await told.read()
        #expect(told.step == .showing && told.quiet == nil && !told.showsDetails)
        var settings = try #require(told.families[family])
        settings.kinds = ["feeding"]
        await told.set(settings, of: family)
        await told.setQuiet(QuietHours(from: "22:00", to: "06:00"))
        await told.setShowsDetails(true)
        let again = TellMe(try phone.home)
        await again.read()
        #expect(again.families[family]?.kinds == ["feeding"])
        #expect(again.quiet == QuietHours(from: "22:00", to: "06:00") && again.showsDetails)
        await again.setQuiet(nil)
        #expect(again.quiet == nil && again.message == nil)
    }
}
