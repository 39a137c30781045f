import BabyBasicsAPI
import BabyBasicsClient
import Foundation
import Testing

@testable import BabyBasicsKit

@MainActor @Suite struct OnboardingTests {
    private let server: InProcessServer
    private var clock: TestClock { server.clock }

    init() throws { server = try InProcessServer() }

    @Test func organic() async throws {
        let phone = await NewPhone(server)
        #expect(phone.onboarding.step == .doors)
        phone.onboarding.choose(.createAccount)
        #expect(phone.onboarding.banner == nil)
        await phone.register("Johnny Appleseed")
        #expect(phone.onboarding.step == .setUp)
        #expect(phone.onboarding.welcome == "Welcome, Johnny!")
        #expect(phone.onboarding.familyName == "Johnny’s Family")
        #expect(phone.onboarding.password.isEmpty)
        phone.onboarding.familyName = "The Appleseeds"
        await phone.setUp("Wren")
        #expect(phone.onboarding.step == .home)
        let home = try phone.home
        try await eventually { home.activeFamily.children.map(\.name) == ["Wren"] }
        #expect(home.activeFamily.family?.name == "The Appleseeds")
        #expect(home.borders.timeZone.identifier == "Europe/Berlin", "as the device has it")
        #expect(try await phone.counts().families == 1)
    }

    @Test(arguments: [
        [Faults.Fault.loseRequest], [.loseAnswer], [.pass, .loseRequest], [.pass, .loseAnswer],
    ])
    func getStartedAfterALostAnswerMakesOneFamilyAndOneChild(faults: [Faults.Fault]) async throws {
        let phone = await NewPhone(server)
        await phone.register("Johnny")
        for fault in faults { phone.faults.plan(fault) }
        // The client sends again by itself; it is held back to see what the person's second press does.
        phone.faults.plan(.loseRequest)
        await phone.setUp("Wren")
        if phone.onboarding.step != .home {
            #expect(phone.onboarding.message?.tone == .problem)
            // The app is killed in between, and the name changed.
            await phone.restart()
            phone.onboarding.familyName = "The Bretzes"
            await phone.setUp("Wren Bretz")
        }
        #expect(phone.onboarding.step == .home)
        #expect(try await phone.counts().families == 1)
        #expect(try await phone.counts().children == 1)
    }

    @Test func pressingTwiceMakesOne() async throws {
        let phone = await NewPhone(server)
        await phone.register("Johnny")
        phone.onboarding.babyName = "Wren"
        async let first: Void = phone.onboarding.getStarted()
        async let second: Void = phone.onboarding.getStarted()
        _ = await (first, second)
        #expect(try await phone.counts().families == 1)
        #expect(try await phone.counts().children == 1)
    }

    @Test func whatIsMissingIsAskedFor() async throws {
        let phone = await NewPhone(server)
        await phone.register("Johnny")
        await phone.setUp("  ")
        #expect(phone.onboarding.message?.field == "baby_name")
        phone.onboarding.familyName = ""
        await phone.setUp("Wren")
        #expect(phone.onboarding.message?.field == "name")
        #expect(try await phone.counts().families == 0)
    }

    @Test func refusalsOfTheAccountsScreensSayWhatToDo() async throws {
        let phone = await NewPhone(server)
        await phone.register("Johnny")
        let other = await NewPhone(server)
        await other.register("Johnny")
        #expect(other.onboarding.message == english.emailTaken)
        other.onboarding.email = "johnny@example.com"
        other.onboarding.password = "wrong horse"
        await other.onboarding.logIn()
        #expect(other.onboarding.message == english.wrongCredentials)
        other.onboarding.email = "maria@example.com"
        other.onboarding.password = "short"
        await other.onboarding.createAccount()
        #expect(other.onboarding.message?.field == "password")
        #expect(other.account.home == nil)
    }

    @Test func invitedAndNew() async throws {
        let link = try await invite(role: .caregiver)
        let phone = await NewPhone(server)
        await phone.onboarding.open(try #require(URL(string: link)))
        #expect(phone.onboarding.step == .createAccount)
        #expect(phone.onboarding.banner == "You’ve been invited to a family!")
        // Kept over a restart.
        await phone.restart()
        #expect(phone.onboarding.banner != nil)
        await phone.register("Sam")
        #expect(phone.onboarding.step == .home)
        #expect(phone.onboarding.message?.text == "You joined Maria’s Family!")
        #expect(phone.onboarding.banner == nil)
        let home = try phone.home
        try await eventually { home.activeFamily.children.map(\.name) == ["Wren"] }
        #expect(home.activeFamily.family?.role == .caregiver)
        // Set-up is skipped for good.
        await phone.restart()
        #expect(phone.onboarding.step == .home)
    }

    @Test func invitedAndSignedIn() async throws {
        let link = try await invite(role: .parent)
        let phone = await NewPhone(server)
        await phone.register("Sam")
        await phone.setUp("Robin")
        phone.onboarding.inviteText = "Hi Sam, \(link)."
        await phone.onboarding.enterInvite()
        #expect(phone.onboarding.message == english.joined("Maria’s Family"))
        let home = try phone.home
        try await eventually { home.activeFamily.family?.name == "Maria’s Family" }
        #expect(home.activeFamily.families.count == 2)
    }

    @Test func anInviteThatIsNoLongerValidLeadsToSetUp() async throws {
        let phone = await NewPhone(server)
        await phone.onboarding.open(
            try #require(URL(string: "https://baby.example.com/join/aaaaaaaaaaaaaaaaaaaaaA")))
        await phone.register("Sam")
        #expect(phone.onboarding.step == .setUp)
        #expect(phone.onboarding.message == english.inviteNoLongerValid)
        #expect(phone.onboarding.banner == nil)
    }

    @Test func onesOwnInviteAndAnOldOneAreSaidKindly() async throws {
        let phone = await NewPhone(server)
        await phone.register("Maria")
        await phone.setUp("Wren")
        let link = try await makeInvite(phone, .parent)
        phone.onboarding.inviteText = link
        await phone.onboarding.enterInvite()
        #expect(phone.onboarding.message == english.ownInvite)
        #expect(phone.onboarding.step == .home && phone.onboarding.banner == nil)
        let other = await NewPhone(server)
        await other.onboarding.open(try #require(URL(string: link)))
        await other.register("Sam")
        let second = try await makeInvite(phone, .caregiver)
        other.onboarding.inviteText = second
        await other.onboarding.enterInvite()
        #expect(other.onboarding.message == Message("You’re already in this family.", .note))
        #expect(other.onboarding.step == .home)
    }

    @Test func withoutNetworkTheInviteIsKeptAndTriedAgain() async throws {
        let link = try await invite(role: .caregiver)
        let phone = await NewPhone(server)
        await phone.register("Sam")
        phone.faults.setOffline(true)
        phone.onboarding.inviteText = link
        await phone.onboarding.enterInvite()
        #expect(phone.onboarding.message == english.inviteWaits)
        #expect(phone.onboarding.step == .checking)
        phone.faults.setOffline(false)
        await phone.onboarding.retry()
        #expect(phone.onboarding.step == .home)
        #expect(phone.onboarding.message == english.joined("Maria’s Family"))
    }

    @Test func aLostAnswerToAcceptingIsNoError() async throws {
        let link = try await invite(role: .caregiver)
        let phone = await NewPhone(server)
        await phone.register("Sam")
        phone.faults.plan(.loseAnswer)
        phone.onboarding.inviteText = link
        await phone.onboarding.enterInvite()
        await phone.onboarding.retry()
        #expect(phone.onboarding.message == english.joined("Maria’s Family"))
    }

    @Test func anInviteOutlivesASessionThatHasEnded() async throws {
        let link = try await invite(role: .caregiver)
        let phone = await NewPhone(server)
        await phone.register("Sam")
        try await phone.endSession()
        phone.onboarding.inviteText = link
        await phone.onboarding.enterInvite()
        #expect(phone.onboarding.step == .logIn)
        #expect(phone.onboarding.banner != nil)
        phone.onboarding.password = "correct horse battery"
        await phone.onboarding.logIn()
        #expect(phone.onboarding.message == english.joined("Maria’s Family"))
    }

    @Test(arguments: [false, true])
    func aSignedInPhoneOpensOnTheDashboardWhileTheServerIsSilent(isInvited: Bool) async throws {
        let link = try await invite(role: .caregiver)
        let phone = await NewPhone(server)
        await phone.register("Sam")
        await phone.setUp("Robin")
        if isInvited {
            phone.faults.setOffline(true)
            await phone.onboarding.open(try #require(URL(string: link)))
            phone.faults.setOffline(false)
        }
        phone.faults.setSilent(true)
        let opening = Task { await phone.restart() }
        try await eventually { phone.faults.heldRequests == 1 }
        #expect(phone.onboarding.step == .home)
        phone.faults.setSilent(false)
        await opening.value
        #expect(phone.onboarding.step == .home)
        #expect(phone.onboarding.message == (isInvited ? english.joined("Maria’s Family") : nil))
    }

    @Test func aLinkThatIsOpenedWhileTheServerIsSilentIsTakenAfterwards() async throws {
        let link = try await invite(role: .caregiver)
        let phone = await NewPhone(server)
        await phone.register("Sam")
        await phone.setUp("Robin")
        phone.faults.setSilent(true)
        let opening = Task { await phone.restart() }
        try await eventually { phone.faults.heldRequests == 1 }
        await phone.onboarding.open(try #require(URL(string: link)))
        phone.faults.setSilent(false)
        await opening.value
        #expect(phone.onboarding.message == english.joined("Maria’s Family"))
    }

    @Test(arguments: [false, true])
    func whoSignsOutWhileTheServerIsSilentStaysSignedOut(isExpired: Bool) async throws {
        let phone = await NewPhone(server)
        await phone.register("Sam")
        await phone.setUp("Robin")
        if isExpired { try await phone.endSession() }
        phone.faults.setSilent(true)
        let opening = Task { await phone.restart() }
        try await eventually { phone.faults.heldRequests == 1 }
        phone.faults.setOffline(true)
        #expect(try await phone.account.signOut(losing: true) == .done)
        phone.onboarding.choose(.doors)
        phone.faults.setSilent(false)
        await opening.value
        #expect(phone.onboarding.step == .doors && phone.onboarding.message == nil)
    }

    @Test func aTokenOlderThanThirtyDaysIsDropped() async throws {
        let phone = await NewPhone(server)
        let pending = PendingInvite(
            preferences: phone.configuration.preferences, now: { [clock] in clock.now })
        pending.keep("aaaaaaaaaaaaaaaaaaaaaA")
        clock.advance(.seconds(30 * 86_400))
        #expect(pending.token != nil)
        clock.advance(.seconds(1))
        #expect(pending.token == nil)
        #expect(phone.configuration.preferences.string("pendingInviteToken") == nil)
    }

    @Test func aLinkOfAnotherServerIsRefusedWithBothNames() async throws {
        let phone = await NewPhone(server)
        phone.onboarding.inviteText = "https://evil.example/join/xK9mLp2qR5tN8vW3yBcd4A"
        await phone.onboarding.enterInvite()
        let text = try #require(phone.onboarding.message?.text)
        #expect(text.contains("evil.example") && text.contains("baby.example.com"))
        #expect(phone.onboarding.banner == nil)
        phone.onboarding.inviteText = "no link at all"
        await phone.onboarding.enterInvite()
        #expect(phone.onboarding.message == english.noLink)
    }

    @Test func withoutAServerTheLinkTellsWhich() async throws {
        let phone = await NewPhone(server)
        phone.account.server = nil
        await phone.restart()
        #expect(phone.onboarding.step == .server)
        await phone.onboarding.open(
            try #require(URL(string: "https://baby.example.com/join/xK9mLp2qR5tN8vW3yBcd4A")))
        #expect(phone.onboarding.step == .server)
        #expect(phone.onboarding.address.text == "baby.example.com")
        await phone.onboarding.checkAddress()
        #expect(phone.onboarding.step == .createAccount)
    }

    @Test func theSamePersonFindsTheOutboxAfterSigningInAgain() async throws {
        let phone = await NewPhone(server)
        await phone.register("Maria")
        await phone.setUp("Wren")
        let home = try phone.home
        let child = try #require(
            try await home.store.children(
                of: try await home.store.families()[0].id
            ).first)
        try await home.store.log(
            DiaperDetails(type: .wet, occurredAt: clock.now), for: child.id)
        try await phone.endSession()
        await home.engine.start()
        try await eventually { phone.account.step == .expired }
        phone.onboarding.sessionEnded()
        #expect(phone.onboarding.step == .logIn)
        #expect(phone.onboarding.message == english.sessionEnded)
        // Another person finds another store.
        let stranger = phone.onboarding
        stranger.name = "Sam"
        stranger.email = "sam@example.com"
        stranger.password = "correct horse battery"
        await stranger.createAccount()
        #expect(try await phone.home.store.pendingChanges().isEmpty)
        #expect(try await phone.account.signOut() == .done)
        stranger.email = "maria@example.com"
        stranger.password = "correct horse battery"
        await stranger.logIn()
        #expect(stranger.step == .home)
        #expect(try await phone.home.store.pendingChanges().count == 1)
        try await phone.home.engine.sendChanges()
        let (_, logged) = try await phone.family()
        #expect(try await phone.events(of: logged).count == 1)
    }

    @Test func signingOutAsksFirstWhileEntriesWait() async throws {
        let phone = await NewPhone(server)
        await phone.register("Maria")
        await phone.setUp("Wren")
        let home = try phone.home
        let family = try await home.store.families()[0].id
        let child = try await home.store.children(of: family)[0]
        phone.faults.setOffline(true)
        try await home.store.log(
            DiaperDetails(type: .wet, occurredAt: clock.now), for: child.id)
        let file = StoreFiles(directory: phone.directory)
            .file(server: InProcessServer.url, userID: home.store.userID)
        guard case .wouldLose(1, let message) = try await phone.account.signOut() else {
            Issue.record("It did not ask")
            return
        }
        #expect(message.text.contains("1 entry is not saved"))
        #expect(FileManager.default.fileExists(atPath: file.path))
        #expect(try await phone.account.signOut(losing: true) == .done)
        #expect(!FileManager.default.fileExists(atPath: file.path))
        #expect(try phone.configuration.tokens.read() == nil)
    }

    @Test func signingOutAsksFirstWhileEntriesAreKeptAside() async throws {
        let phone = await NewPhone(server)
        await phone.register("Maria")
        await phone.setUp("Wren")
        let store = try phone.home.store
        let child = try await store.children(of: try await store.families()[0].id)[0]
        try await store.log(
            FeedingDetails(type: .bottle, startedAt: clock.now, amountMl: 1200), for: child.id)
        guard case .wouldLose(1, let message) = try await phone.account.signOut() else {
            Issue.record("It did not ask")
            return
        }
        #expect(message.text.contains("Look at what couldn’t be saved, or sign out and lose it"))
        #expect(try await store.rejectedChanges().count == 1)
    }

    @Test func anAppInstalledAnewForgetsWhatAKeychainKept() async throws {
        let phone = await NewPhone(server)
        await phone.register("Maria")
        // Deleting the app takes its files, not the Keychain's secrets.
        try FileManager.default.removeItem(at: phone.directory.appendingPathComponent("installed"))
        await phone.restart()
        #expect(phone.account.home == nil)
        #expect(phone.onboarding.step == .doors)
    }

    private func invite(role: MemberRole) async throws -> String {
        let maria = await NewPhone(server)
        await maria.register("Maria")
        await maria.setUp("Wren")
        return try await makeInvite(maria, role)
    }

    private func makeInvite(_ phone: NewPhone, _ role: MemberRole) async throws -> String {
        let home = try phone.home
        let family = try #require(try await home.store.families().first)
        let flow = InviteFlow(home, family: family)
        flow.role = role
        await flow.create()
        guard case .created(let invite) = flow.step else { throw StoreRefusal.noSuchEntry }
        return invite.link
    }
}
