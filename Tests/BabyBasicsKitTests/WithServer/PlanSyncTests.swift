import BabyBasicsAPI
import BabyBasicsClient
import Foundation
import Testing

@testable import BabyBasicsKit

/// Plans of medicine between two phones and the real server: as entries are, offline and over a line that loses answers.
@Suite struct PlanSyncTests {
    private let iron: Fields = [
        "name": .text("Iron"), "every_hours": .number(24), "starts_on": .text("2026-11-01"), "max_per_day": .number(1),
    ]

    /// A plan that both phones and the server have.
    private func shared() async throws -> (Household, UUID) {
        let house = try await Household()
        let plan = try await house.maria.store.log(kind: "plan", iron, for: house.child)
        try await house.maria.engine.sendChanges()
        try await house.johnny.engine.fetchChanges()
        return (house, plan.id)
    }

    private func plans(_ house: Household) async throws -> [Plan] {
        try await house.johnny.client.send(Endpoints.listPlans, path: house.child).body.plans
    }

    @Test func madeAndChangedOfflineItIsThereAtOnceAndSentBeforeItsDose() async throws {
        let house = try await Household()
        let store = house.maria.store
        house.maria.faults.setOffline(true)
        let plan = try await store.log(kind: "plan", iron, for: house.child)
        try await store.edit(plan.id, ["every_hours": nil, "times": .list(["08:00", "20:00"])])
        let dose = MedicationDetails(occurredAt: house.clock.now, name: "Iron", planId: PlanID(plan.id))
        try await store.log(dose, for: house.child)
        try await store.log(house.bottle(60), for: house.child)
        #expect(try await store.plans(of: house.child).map(\.times) == [["08:00", "20:00"]])
        #expect(
            try await store.entries(of: house.child).map(\.kind) == ["feeding", "medication"], "no list finds a plan")
        house.maria.faults.setOffline(false)
        let before = house.maria.faults.requests.count
        try await house.maria.engine.sendChanges()
        let sent = house.maria.faults.requests.dropFirst(before).map { $0.split(separator: "/").last.map(String.init) }
        #expect(sent == ["plans", "events"])
        #expect(try await store.pendingChanges().isEmpty)
        try await house.johnny.engine.fetchChanges()
        let there = try #require(try await house.johnny.store.plans(of: house.child).first)
        #expect(there.name == "Iron" && there.times == ["08:00", "20:00"] && there.everyHours == nil)
        #expect(there.maxPerDay == 1 && there.startsOn.description == "2026-11-01")
        #expect(try await house.johnny.store.entries(of: house.child).contains { $0.planID == there.id })
        #expect(try await store.problems().isEmpty)
    }

    @Test(arguments: [Faults.Fault.loseRequest, .loseAnswer])
    func aLostCreationIsSentAgainAndMadeOnce(fault: Faults.Fault) async throws {
        let house = try await Household()
        let plan = try await house.maria.store.log(kind: "plan", iron, for: house.child)
        house.maria.faults.plan(fault)
        await #expect(throws: TransportFailure.self) { try await house.maria.engine.sendChanges() }
        // Changed after the server may have seen it, it is an edit.
        try await house.maria.store.edit(plan.id, ["dose": .text("5 drops")])
        try await house.maria.engine.sendChanges()
        #expect(try await plans(house).map(\.dose) == ["5 drops"])
        #expect(try await house.maria.store.pendingChanges().isEmpty)
    }

    @Test(arguments: [Faults.Fault.pass, .loseRequest, .loseAnswer])
    func aDeletionIsForEveryoneAndCanBeTakenBack(fault: Faults.Fault) async throws {
        let (house, id) = try await shared()
        let entry = try #require(try await house.maria.store.plans(of: house.child).first?.entry)
        house.maria.faults.plan(fault)
        try await house.maria.store.delete(id)
        #expect(try await house.maria.store.plans(of: house.child).isEmpty)
        try? await house.maria.engine.sendChanges()
        try await house.maria.engine.sendChanges()
        #expect(try await plans(house).isEmpty)
        try await house.johnny.engine.fetchChanges()
        #expect(try await house.johnny.store.plans(of: house.child).isEmpty)
        house.maria.faults.plan(fault)
        try await house.maria.store.undoDelete(entry)
        #expect(try await house.maria.store.plans(of: house.child).map(\.name) == ["Iron"])
        try? await house.maria.engine.sendChanges()
        try await house.maria.engine.sendChanges()
        #expect(try await plans(house).map(\.id.uuid) == [id])
    }

    @Test func twoPeopleChangeIt() async throws {
        let (house, id) = try await shared()
        try await house.johnny.store.edit(id, ["dose": .text("5 drops")])
        try await house.johnny.engine.sendChanges()
        try await house.maria.store.edit(id, ["notes": .text("with juice")])
        try await house.maria.engine.sendChanges()
        let plan = try #require(try await plans(house).first)
        #expect(plan.dose == "5 drops" && plan.notes == "with juice")
    }

    @Test(arguments: [true, false])
    func whereOneChoseHoursAndTheOtherTimesTheLaterChoiceHolds(isLater: Bool) async throws {
        let (house, id) = try await shared()
        func choose() async throws { try await house.maria.store.edit(id, ["every_hours": .number(8)]) }
        if !isLater { try await choose() }
        try await house.johnny.store.edit(id, ["every_hours": nil, "times": .list(["09:00"])])
        try await house.johnny.engine.sendChanges()
        if isLater { try await choose() }
        try await house.maria.engine.sendChanges()
        let plan = try #require(try await plans(house).first)
        #expect(plan.everyHours == (isLater ? 8 : nil) && plan.times == (isLater ? nil : ["09:00"]))
        #expect(try await house.maria.store.rejectedChanges().isEmpty)
    }

    @Test func whatTheServerRefusesIsKeptWithItsReasonAndBlocksNothing() async throws {
        let house = try await Household()
        let wrong = iron.merging(["every_hours": .number(999)]) { $1 }
        try await house.maria.store.log(kind: "plan", wrong, for: house.child)
        let bottle = try await house.maria.store.log(house.bottle(60), for: house.child)
        try await house.maria.engine.sendChanges()
        let rejected = try #require(try await house.maria.store.rejectedChanges().first)
        #expect(rejected.kind == "plan" && rejected.reasons.map(\.field) == ["every_hours"])
        #expect(try await house.event(bottle.id) != nil)
        try await house.maria.store.retry(
            rejected, fields: rejected.fields.merging(["every_hours": .number(12)]) { $1 })
        try await house.maria.engine.sendChanges()
        #expect(try await plans(house).map(\.everyHours) == [12])
    }

    @Test func onlyParentsChangePlans() async throws {
        let (house, id) = try await shared()
        try await house.maria.client.send(
            Endpoints.changeMember, path: house.family, house.johnny.user, body: MemberChanges(role: .caregiver))
        // Not heard of yet: the server refuses, and the plan is as it was.
        try await house.johnny.store.edit(id, ["dose": .text("a spoon")])
        try await house.johnny.engine.sendChanges()
        #expect(try await house.johnny.store.rejectedChanges().count == 1)
        try await house.johnny.engine.fetchChanges()
        #expect(try await house.johnny.store.plans(of: house.child).map(\.dose) == [nil])
        await #expect(throws: StoreRefusal.parentsPlan) { try await house.johnny.store.delete(id) }
    }

    @Test(arguments: [Faults.Fault.pass, .loseRequest, .loseAnswer])
    func aDoseThatMovesToTheTwinLeavesItsPlanForEveryone(fault: Faults.Fault) async throws {
        let (house, id) = try await shared()
        let twin = try await house.twin()
        try await house.maria.engine.fetchChanges()
        try await house.johnny.engine.fetchChanges()
        let store = house.maria.store
        let dose = MedicationDetails(occurredAt: house.clock.now, name: "Iron", planId: PlanID(id))
        let given = try await store.log(dose, for: house.child)
        try await house.maria.engine.sendChanges()
        house.maria.faults.plan(fault)
        try await store.edit(given.id, ["child_id": .text(twin.description)])
        try? await house.maria.engine.sendChanges()
        try await house.maria.engine.sendChanges()
        try await house.johnny.engine.fetchChanges()
        for phone in [house.maria, house.johnny] {
            let moved = try #require(try await phone.store.entry(given.id))
            #expect(moved.childID == twin && moved.planID == nil)
        }
        let there = try #require(try await house.events(of: twin)[given.id])
        #expect(there.fields["plan_id"] == nil)
    }

    @Test func aPlanWithAnEventsIdTakesNothingAway() async throws {
        let house = try await Household()
        let bottle = try await house.maria.store.log(house.bottle(60), for: house.child)
        try await house.maria.engine.sendChanges()
        let plan = NewPlan(id: PlanID(bottle.id), name: "Iron", startsOn: house.clock.now.utcDate)
        try await house.johnny.client.send(Endpoints.createPlan, path: house.child, body: plan)
        try await house.maria.engine.fetchChanges()
        try await house.johnny.client.send(Endpoints.deletePlan, path: house.child, PlanID(bottle.id))
        try await house.maria.engine.fetchChanges()
        #expect(try await house.maria.store.entry(bottle.id)?.kind == "feeding")
    }

    /// One truth: what the device works out is what the server's dashboard and warnings say.
    @Test func itStandsAsTheServersDashboardSays() async throws {
        let (house, id) = try await shared()
        let store = house.maria.store
        var six = iron
        six["every_hours"] = .number(6)
        six["max_per_day"] = nil
        let other = try await store.log(
            kind: "plan", six.merging(["name": .text("Ibuprofen")]) { $1 }, for: house.child)
        let twice: Fields = ["every_hours": nil, "times": .list(["06:00", "14:30"])].compactMapValues { $0 }
        try await store.log(
            kind: "plan", twice.merging(["name": .text("Vitamin D"), "starts_on": .text("2026-11-02")]) { $1 },
            for: house.child)
        try await house.maria.engine.sendChanges()
        let borders = try #require(DayBorders(timezone: "UTC", dayStart: "07:00"))
        _ = try await house.maria.client.send(
            Endpoints.updateMe, body: UserChanges(timezone: "UTC", dayStartTime: "07:00"))
        for hours in [0.0, 1, 5.5, 7] {
            house.clock.advance(.seconds(3600 * hours))
            for plan in [id, other.id] {
                let now = house.clock.now
                let given = try await store.entries(of: house.child, EntryFilter(kinds: ["medication"]))
                let known = try #require(try await store.plans(of: house.child).first { $0.id.uuid == plan })
                let near = TooNear(known, given: given, at: now, borders: borders)
                let answer = try await house.maria.client.send(
                    Endpoints.createEvent(MedicationDetails.self), path: house.child,
                    body: EventDraft(
                        MedicationDetails(occurredAt: now, name: known.name, planId: known.id)))
                let codes = answer.body.warnings.map(\.code)
                #expect(near.map(\.code) == codes.first, "\(known.name) after \(hours) h")
                try await house.maria.engine.fetchChanges()
            }
            let given = try await store.entries(of: house.child, EntryFilter(kinds: ["medication"]))
            let dashboard = try await house.maria.client.send(Endpoints.getDashboard, path: house.child).body.dashboard
            let now = house.clock.now
            for there in dashboard.plans {
                let plan = try #require(try await store.plans(of: house.child).first { $0.id == there.plan.id })
                let here = PlanStanding(plan, given: given, borders: borders, now: now)
                #expect(here.nextAt == there.nextAt && here.givenToday == there.givenToday, "\(plan.name) \(hours)")
                #expect(here.last.map { $0.id } == there.last?.id.uuid)
            }
            #expect(dashboard.plans.count == 3)
        }
    }
}
