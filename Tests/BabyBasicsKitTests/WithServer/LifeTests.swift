import BabyBasicsAPI
import BabyBasicsClient
import Foundation
import GRDB
import Testing

@testable import BabyBasicsKit

/// An account through an iPhone's life: on screen and off, refreshed in the background, signed out on a dead line.
@MainActor @Suite struct LifeTests {
    private let server: InProcessServer

    init() throws { server = try InProcessServer() }

    // MARK: Invites

    @Test func anInviteTappedOfflineJoinsByItselfWhenTheNetworkIsBack() async throws {
        let link = try await invite()
        let phone = await NewPhone(server)
        await phone.register("Sam")
        phone.faults.setOffline(true)
        await phone.onboarding.open(try #require(URL(string: link)))
        #expect(phone.onboarding.message == english.inviteWaits)
        phone.faults.setOffline(false)
        phone.network.change()
        try await eventually { phone.onboarding.message == english.joined("Maria’s Family") }
        #expect(phone.onboarding.step == .home && phone.onboarding.banner == nil)
    }

    @Test func withoutASignOfTheNetworkItIsTriedAfterAWhile() async throws {
        let link = try await invite()
        let phone = await NewPhone(server) {
            $0.environment.sleep = { _ in try await Task.sleep(for: .milliseconds(50)) }
        }
        await phone.register("Sam")
        phone.faults.setOffline(true)
        await phone.onboarding.open(try #require(URL(string: link)))
        phone.faults.setOffline(false)
        try await eventually { phone.onboarding.message == english.joined("Maria’s Family") }
    }

    @Test func tooManyTriesAreSaidInTheirOwnWordsAndWaited() async throws {
        let link = try await invite()
        let (pauses, goOn) = AsyncStream.makeStream(of: Void.self)
        let phone = await NewPhone(server) {
            $0.environment.sleep = { pause in
                #expect(pause == .seconds(120))
                for await _ in pauses { return }
            }
        }
        await phone.register("Sam")
        // Longer than what the client itself waits.
        phone.faults.refuse(429, headers: ["Retry-After": "120"])
        await phone.onboarding.open(try #require(URL(string: link)))
        #expect(phone.onboarding.message == english.inviteBusy)
        let asked = phone.faults.requests.count
        phone.network.change()
        try await Task.sleep(for: .milliseconds(200))
        #expect(phone.faults.requests.count == asked)
        goOn.yield()
        try await eventually { phone.onboarding.message == english.joined("Maria’s Family") }
    }

    @Test func whatIsToBeTriedAgainIsTriedThoughSomethingElseWasUnderWayThen() async throws {
        let link = try await invite()
        // The pause is over before what comes behind the refused request is.
        let phone = await NewPhone(server) { $0.environment.sleep = { _ in } }
        await phone.register("Sam")
        phone.faults.refuse(429, headers: ["Retry-After": "120"])
        await phone.onboarding.open(try #require(URL(string: link)))
        try await eventually { phone.onboarding.message == english.joined("Maria’s Family") }
    }

    @Test func theLinksPortIsKept() async throws {
        let phone = await NewPhone(server)
        phone.account.server = nil
        await phone.restart()
        await phone.onboarding.open(
            try #require(URL(string: "https://baby.example.com:8443/join/xK9mLp2qR5tN8vW3yBcd4A")))
        #expect(phone.onboarding.address.text == "baby.example.com:8443")
        await phone.onboarding.checkAddress()
        #expect(phone.account.server?.absoluteString == "https://baby.example.com:8443")
    }

    // MARK: The end

    @Test func signingOutOnADeadLineTakesThreeSecondsAtMost() async throws {
        let phone = await NewPhone(server)
        await phone.register("Maria")
        await phone.setUp("Wren")
        await phone.onboarding.activate()
        phone.faults.setSilent(true)
        let start = ContinuousClock.now
        #expect(try await phone.account.signOut() == .done)
        #expect(Account.longestSignOut == .seconds(3))
        // Against hanging: without a deadline it never ends. A busy machine may take its time.
        #expect(ContinuousClock.now - start < .seconds(20))
        #expect(phone.account.step == .signedOut)
    }

    @Test func a401AnywhereEndsTheSessionAndKeepsTheStore() async throws {
        let phone = await NewPhone(server)
        await phone.register("Maria")
        await phone.setUp("Wren")
        let home = try phone.home
        let settings = FamilySettings(home, family: try await phone.family().0)
        try await phone.endSession()
        await settings.rename("The Bretzes")
        try await eventually { phone.account.step == .expired }
        #expect(phone.onboarding.step == .logIn && phone.onboarding.message == english.sessionEnded)
        phone.onboarding.email = "maria@example.com"
        phone.onboarding.password = "correct horse battery"
        await phone.onboarding.logIn()
        #expect(phone.onboarding.step == .home)
        #expect(try await phone.family().0 == settings.family?.id)
    }

    @Test func deletingTheAccountTakesItsDataOffTheDevice() async throws {
        let phone = await NewPhone(server)
        await phone.register("Maria")
        await phone.setUp("Wren")
        let flow = DeleteAccount(phone.account)
        await flow.look()
        #expect(flow.warning.contains("will be gone for good"))
        flow.password = "wrong horse battery"
        await flow.confirm()
        #expect(flow.step == .asking && flow.message?.field == "password")
        flow.password = "correct horse battery"
        await flow.confirm()
        #expect(flow.step == .deleted && flow.password.isEmpty)
        #expect(phone.account.home == nil && phone.account.step == .signedOut)
        #expect(try phone.configuration.tokens.read() == nil)
        let left = try FileManager.default.contentsOfDirectory(atPath: phone.directory.path)
        #expect(!left.contains { $0.contains(".sqlite") })
        // The email can be registered anew.
        await phone.register("Maria")
        #expect(phone.onboarding.step == .setUp)
    }

    @Test func theOnlyParentOfOthersNamesTheFamilies() async throws {
        let maria = await NewPhone(server)
        let link = try await invite(maria)
        let sam = await NewPhone(server)
        await sam.register("Sam")
        await sam.onboarding.open(try #require(URL(string: link)))
        let flow = DeleteAccount(maria.account)
        flow.password = "correct horse battery"
        await flow.confirm()
        #expect(flow.step == .onlyParent(["Maria’s Family"]))
        #expect(flow.message?.text.contains("only parent of Maria’s Family") == true)
        #expect(maria.account.home != nil)
    }

    // MARK: On screen and off

    @Test func theEngineRunsWhileTheAppIsOnScreenAlsoAfterSigningIn() async throws {
        let phone = await NewPhone(server)
        await phone.onboarding.activate()
        await phone.register("Maria")
        await phone.setUp("Wren")
        let engine = try phone.home.engine
        try await eventually { await engine.currentPhase == .running }
        await phone.onboarding.suspend()
        #expect(await engine.currentPhase == .stopped)
        await phone.onboarding.activate()
        try await eventually { await engine.currentPhase == .running }
        await phone.onboarding.suspend()
    }

    @Test func aSuspendedAppTakesNoLockOfASharedStore() async throws {
        let phone = await NewPhone(server) { $0.sharesStore = true }
        await phone.register("Maria")
        await phone.setUp("Wren")
        let (_, child) = try await phone.family()
        let store = try phone.home.store
        await phone.onboarding.suspend()
        await #expect(throws: DatabaseError.self) {
            try await store.log(DiaperDetails(type: .wet, occurredAt: server.clock.now), for: child)
        }
        await phone.onboarding.activate()
        try await store.log(DiaperDetails(type: .wet, occurredAt: server.clock.now), for: child)
        await phone.onboarding.suspend()
    }

    @Test func aNotificationsTapKnowsWhatOthersDidMeanwhile() async throws {
        let maria = await NewPhone(server)
        let link = try await invite(maria)
        let sam = await NewPhone(server)
        await sam.register("Sam")
        await sam.onboarding.open(try #require(URL(string: link)))
        let (family, child) = try await maria.family()
        let plan = try await maria.home.store.log(
            kind: "plan",
            ["name": .text("Paracetamol"), "every_hours": .number(6), "starts_on": .text("2026-11-01")], for: child)
        try await maria.home.engine.sendChanges()
        let give = PushAction.give(PlanID(plan.id), child, family)
        guard case .given = try await sam.home.perform(give) else {
            Issue.record("a plan that is new is not there")
            return
        }
        try await sam.home.engine.sendChanges()
        for isOffline in [false, true] {
            maria.faults.setOffline(isOffline)
            guard case .asks(let question, _) = try await maria.home.perform(give) else {
                Issue.record("a dose that another gave is given again")
                return
            }
            #expect(question.text.hasPrefix("Sam gave Paracetamol"))
        }
    }

    @Test func aRefreshInTheBackgroundSendsAndReadsOnce() async throws {
        let maria = await NewPhone(server)
        let link = try await invite(maria)
        let sam = await NewPhone(server)
        await sam.register("Sam")
        await sam.onboarding.open(try #require(URL(string: link)))
        let (_, child) = try await maria.family()
        let logged = try await maria.home.store.log(
            DiaperDetails(type: .wet, occurredAt: server.clock.now), for: child)
        // The app was killed; iOS starts it for the refresh.
        await maria.restart()
        #expect(await maria.account.refresh() == .newData)
        #expect(await sam.account.refresh() == .newData)
        #expect(try await sam.home.store.entry(logged.id) != nil)
        #expect(await sam.account.refresh() == .noData)
        let engine = try sam.home.engine
        #expect(await engine.currentPhase == .stopped)
        sam.faults.setSilent(true)
        #expect(await sam.account.refresh(within: .milliseconds(100)) == .failed)
        sam.faults.setSilent(false)
        #expect(try await sam.account.signOut() == .done)
        #expect(await sam.account.refresh() == .noData)
    }

    @Test func theNameOfARenamedChildFollows() async throws {
        let phone = await NewPhone(server)
        await phone.register("Maria")
        await phone.setUp("Wren")
        let home = try phone.home
        let (family, id) = try await phone.family()
        let child = try #require(try await home.store.children(of: family).first)
        let today = Today(home, child: child)
        let timeline = EntryTimeline(home, child: child)
        let form = LogEntry(home, kind: NoteDetails.kind, child: child)
        let growth = Growth(home, child: child)
        let settings = FamilySettings(home, family: family)
        await settings.change(child, name: "Robin", dateOfBirth: child.dateOfBirth)
        try await eventually { today.child.name == "Robin" && timeline.child.name == "Robin" }
        try await eventually { form.child.name == "Robin" && growth.child.name == "Robin" }
        #expect(today.child.id == id)
    }

    @Test func theQuietLineTellsWhatWaits() async throws {
        let phone = await NewPhone(server)
        await phone.register("Maria")
        await phone.setUp("Wren")
        let home = try phone.home
        let (family, _) = try await phone.family()
        let today = Today(home, child: try await home.store.children(of: family)[0])
        for _ in 0..<3 { await today.logDiaper(.wet) }
        try await eventually { home.status.waiting == 3 }
        #expect(home.status.line == "3 entries waiting")
        try await home.engine.sendChanges()
        try await eventually { home.status.line == nil }
    }

    @Test func whoMayHelpIsToldByRoleAndPolicy() async throws {
        let maria = await NewPhone(server)
        let link = try await invite(maria)
        let sam = await NewPhone(server)
        await sam.register("Sam")
        await sam.onboarding.open(try #require(URL(string: link)))
        let settings = FamilySettings(try sam.home, family: try await sam.family().0)
        try await eventually { settings.family != nil }
        await settings.rename("Mine")
        #expect(settings.message?.text.hasSuffix("Ask a parent of the family.") == true)
        let owner = UserID(UUID())
        var family = try #require(settings.family)
        family.sharingPolicy = .coParent
        family.role = .parent
        family.ownerID = owner
        let refusal = APIFailure(status: 403, code: .forbidden, message: "No")
        #expect(
            english.failure(refusal, helper: .inFamily(family, userID: UserID(UUID()))).text
                == "No. Ask the owner of the family to do it.")
    }

    private func invite(_ phone: NewPhone? = nil) async throws -> String {
        var maria = phone
        if maria == nil { maria = await NewPhone(server) }
        let home = try await setUp(try #require(maria))
        let flow = InviteFlow(home, family: try #require(try await home.store.families().first))
        flow.role = .caregiver
        await flow.create()
        guard case .created(let invite) = flow.step else { throw StoreRefusal.noSuchEntry }
        return invite.link
    }

    private func setUp(_ maria: NewPhone) async throws -> Home {
        await maria.register("Maria")
        await maria.setUp("Wren")
        return try maria.home
    }
}
