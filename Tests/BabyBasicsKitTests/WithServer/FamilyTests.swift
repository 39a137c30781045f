import BabyBasicsAPI
import Foundation
import Testing

@testable import BabyBasicsKit

@MainActor @Suite struct FamilyTests {
    private let server: InProcessServer
    private var clock: TestClock { server.clock }

    init() throws { server = try InProcessServer() }

    @Test func renamingAddingAndRemovingShowUpOnTheScreen() async throws {
        let (maria, sam) = try await two(.caregiver)
        let home = try maria.home
        let id = try await home.store.families()[0].id
        let settings = FamilySettings(home, family: id)
        try await eventually { settings.members.count == 2 && settings.step == .showing }
        await settings.rename("The Bretz Family")
        try await eventually { settings.family?.name == "The Bretz Family" }
        var form = settings.newChild()
        form.name = "Robin"
        maria.faults.plan(.loseAnswer)
        await settings.addChild(form)
        await settings.addChild(form)
        try await eventually { settings.children.map(\.name) == ["Wren", "Robin"] }
        #expect(try await maria.counts().children == 2)
        let member = try #require(settings.members.first { $0.name == "Sam" })
        #expect(settings.roleName(member) == "Caregiver")
        await settings.remove(member)
        try await eventually { settings.members.count == 1 }
        try await sam.home.engine.fetchChanges()
        #expect(try await sam.home.store.families().isEmpty)
        // Nothing left: set-up, without registering.
        sam.onboarding.familiesGone()
        #expect(sam.onboarding.step == .setUp)
        #expect(sam.onboarding.familyName == "Sam’s Family")
    }

    @Test func aNameThatIsCorrectedAfterALostAnswerIsTaken() async throws {
        let maria = await NewPhone(server)
        await maria.register("Maria")
        await maria.setUp("Wren")
        let home = try maria.home
        let settings = FamilySettings(home, family: try await home.store.families()[0].id)
        var child = settings.newChild()
        child.name = "Robbin"
        maria.faults.plan(.loseAnswer, .loseRequest)
        await settings.addChild(child)
        #expect(settings.message?.tone == .problem)
        child.name = "Robin "
        child.dateOfBirth = CalendarDate(daysSince1970: 20_000)
        await settings.addChild(child)
        let robin = try await home.client.send(Endpoints.getChild, path: child.id).body.child
        #expect(robin.name == "Robin" && robin.dateOfBirth.description == "2024-10-04")
        var family = settings.newFamily()
        family.name = "Granma's"
        maria.faults.plan(.loseAnswer, .loseRequest)
        await settings.createFamily(family)
        family.name = "Grandma's"
        await settings.createFamily(family)
        #expect(try await home.client.send(Endpoints.getFamily, path: family.id).body.family.name == "Grandma's")
        try await eventually { home.activeFamily.family?.name == "Grandma's" }
    }

    @Test func leavingTakesTheFamilyFromTheDeviceAndSendsWhatWaitedFirst() async throws {
        let (maria, sam) = try await two(.caregiver)
        let home = try sam.home
        let family = try await home.store.families()[0].id
        let child = try await home.store.children(of: family)[0]
        try await home.store.log(
            DiaperDetails(type: .wet, occurredAt: clock.now), for: child.id)
        let settings = FamilySettings(home, family: family)
        await settings.leave()
        #expect(settings.message == nil)
        try await eventually { settings.step == .gone }
        #expect(try await maria.events(of: child.id).count == 1)
        #expect(try await home.store.notices().isEmpty)
    }

    @Test func aRefusalIsSaidInTheServersWords() async throws {
        let maria = await NewPhone(server)
        await maria.register("Maria")
        await maria.setUp("Wren")
        let settings = FamilySettings(
            try maria.home, family: try await maria.home.store.families()[0].id)
        await settings.leave()
        #expect(
            settings.message?.text
                == "You are the only member. Delete the family instead.")
        #expect(try await maria.home.store.families().count == 1)
    }

    @Test func switchingAndFallingBackToTheOldest() async throws {
        let phone = await NewPhone(server)
        await phone.register("Maria")
        await phone.setUp("Wren")
        let home = try phone.home
        let first = try await home.store.families()[0].id
        let settings = FamilySettings(home, family: first)
        var form = settings.newFamily()
        form.name = "Grandma's"
        await settings.createFamily(form)
        try await eventually { home.activeFamily.family?.name == "Grandma's" }
        #expect(home.activeFamily.children.isEmpty)
        home.activeFamily.switch(to: first)
        #expect(home.activeFamily.children.map(\.name) == ["Wren"])
        #expect(phone.configuration.preferences.string("activeFamilyId") == first.description)
        let second = try #require(home.activeFamily.families.last)
        home.activeFamily.switch(to: second.id)
        await FamilySettings(home, family: second.id).deleteFamily()
        try await eventually { home.activeFamily.family?.id == first }
        await phone.restart()
        let again = try phone.home.activeFamily
        try await eventually { again.family?.id == first }
    }

    @Test func inviting() async throws {
        let phone = await NewPhone(server)
        await phone.register("Maria")
        await phone.setUp("Wren")
        let home = try phone.home
        let family = try await home.store.families()[0]
        let flow = InviteFlow(home, family: family)
        #expect(flow.options.map(\.name) == ["Parent", "Caregiver", "Viewer"])
        #expect(flow.options[0].meaning == "Parents can invite and manage family settings, and log everything.")
        flow.role = .parent
        await flow.create()
        guard case .created(let invite) = flow.step else {
            Issue.record("\(String(describing: flow.message))")
            return
        }
        #expect(invite.role == "Parent")
        #expect(invite.shareText == "Join Maria’s Family on Baby Basics! \(invite.link)")
        #expect(invite.expiresAt > clock.now.adding(.seconds(6 * 86_400)))
        #expect(flow.open.map(\.role) == [.parent])
        flow.another()
        #expect(flow.step == .choosing)
        let open = try #require(flow.open.first)
        phone.faults.plan(.loseAnswer)
        await flow.revoke(open)
        #expect(flow.open.isEmpty)
        await flow.revoke(open)
        #expect(flow.open.isEmpty && flow.message == nil)
        phone.faults.setOffline(true)
        await flow.create()
        #expect(flow.message?.tone == .problem)
    }

    private func two(_ role: MemberRole) async throws -> (NewPhone, NewPhone) {
        let maria = await NewPhone(server)
        await maria.register("Maria")
        await maria.setUp("Wren")
        let home = try maria.home
        let flow = InviteFlow(home, family: try await home.store.families()[0])
        flow.role = role
        await flow.create()
        let sam = await NewPhone(server)
        await sam.register("Sam")
        if case .created(let invite) = flow.step { sam.onboarding.inviteText = invite.link }
        await sam.onboarding.enterInvite()
        try await home.engine.fetchChanges()
        return (maria, sam)
    }
}
