import BabyBasicsAPI
import Foundation
import Testing

@testable import BabyBasicsKit

/// Today with plans and reminders, and the forms of both.
@MainActor @Suite struct TodayPlansTests {
    private let clock = TestClock()

    private func editor(_ home: Home, _ child: StoredChild) async throws -> StoredPlan {
        let editor = PlanEditor(home, child: child)
        editor.name = " Paracetamol "
        editor.dose = "2.5 ml"
        await editor.save()
        guard case .saved(let plan) = editor.step else { throw StoreRefusal.noSuchEntry }
        return plan
    }

    @Test func aPlanIsMadeChangedAndEndedByItsForm() async throws {
        let (home, child) = try await previewHome(clock)
        let plan = try await editor(home, child)
        #expect(plan.name == "Paracetamol" && plan.everyHours == 6 && plan.entry.isWaiting)
        let change = PlanEditor(home, child: child, plan: plan)
        change.way = .times
        change.times = ["20:00", "08:00", "20:00"]
        await change.save()
        #expect(try await home.store.plans(of: child.id).map(\.times) == [["08:00", "20:00"]])
        #expect(try await home.store.plans(of: child.id).map(\.everyHours) == [nil])
        let ended = PlanEditor(home, child: child, plan: plan)
        await ended.delete()
        #expect(ended.step == .deleted)
        #expect(try await home.store.plans(of: child.id).isEmpty)
        try await home.takeBack()
        #expect(try await home.store.plans(of: child.id).count == 1)
    }

    @Test func whatIsMissingIsSaidAtOnce() async throws {
        let (home, child) = try await previewHome(clock)
        let editor = PlanEditor(home, child: child)
        func message(_ change: (PlanEditor) -> Void) async -> String? {
            change(editor)
            await editor.save()
            return editor.message?.field
        }
        #expect(await message { _ in } == "name")
        #expect(
            await message {
                $0.name = "Iron"
                $0.hours = nil
            } == "every_hours")
        #expect(await message { $0.hours = 169 } == "every_hours")
        #expect(
            await message {
                $0.way = .times
                $0.times = []
            } == "times")
        #expect(await message { $0.times = ["25:00"] } == "times")
        #expect(
            await message {
                $0.times = ["08:00"]
                $0.endsOn = CalendarDate("2020-01-01")
            } == "ends_on")
        #expect(await message { $0.endsOn = nil } == nil)
    }

    @Test func whatIsDueIsGivenWithOneTouchAndASecondDoseIsAskedAbout() async throws {
        let (home, child) = try await previewHome(clock)
        let plan = try await editor(home, child)
        let today = Today(home, child: child)
        try await eventually { today.due.first?.isDue == true }
        #expect(today.due[0].text == "Paracetamol due now" && today.due[0].detail == "2.5 ml · not given yet")
        await today.give(plan)
        #expect(today.question == nil)
        try await eventually { today.due.first?.isDue != true }
        await today.give(plan)
        #expect(today.question?.title == "You gave Paracetamol just now.")
        today.giveNothing()
        #expect(try await home.store.entries(of: child.id).count == 1)
        await today.give(plan)
        await today.giveAnyway()
        #expect(try await home.store.entries(of: child.id).count == 2)
        try await eventually { today.known.count == 2 }
        #expect(today.overlap == nil, "said once")
    }

    @Test func theFormOfAMedicineAsksTooAndKnowsThePlanByItsName() async throws {
        let (home, child) = try await previewHome(clock)
        let plan = try await editor(home, child)
        func log(_ form: LogEntry) async {
            form.name = "paracetamol"
            await form.save()
        }
        let first = LogEntry(home, kind: MedicationDetails.kind, child: child)
        await log(first)
        guard case .logged(let dose) = first.step else {
            Issue.record("\(first.step)")
            return
        }
        #expect(dose.planID == plan.id)
        let second = LogEntry(home, kind: MedicationDetails.kind, child: child)
        await log(second)
        guard case .asking(let question) = second.step else {
            Issue.record("\(second.step)")
            return
        }
        #expect(question.near.other.id == dose.id)
        second.goBack()
        #expect(second.step == .editing)
        await second.save()
        await second.save(anyway: true)
        #expect(try await home.store.entries(of: child.id).count == 2)
    }

    @Test func aDoseThatMovesToTheTwinLeavesItsPlan() async throws {
        let (home, wren) = try await previewHome(clock, children: ["Wren", "Robin"])
        let robin = try await home.store.children(of: wren.familyID)[1]
        let plan = try await editor(home, wren)
        let dose = try await home.give(plan, to: wren)
        let timeline = EntryTimeline(home, child: wren)
        await timeline.edit(dose, ["dose": .text("5 ml")])
        #expect(try await home.store.entry(dose.id)?.planID == plan.id)
        await timeline.move(dose, to: wren)
        #expect(try await home.store.entry(dose.id)?.planID == plan.id, "it is where it was")
        await timeline.move(dose, to: robin)
        let moved = try #require(try await home.store.entry(dose.id))
        #expect(moved.childID == robin.id && moved.planID == nil && moved.fields["name"] == .text("Paracetamol"))
        // The form may say which of the other child's plans it is of.
        let other = try await editor(home, robin)
        let second = try await home.give(plan, to: wren)
        await timeline.edit(
            second, ["child_id": .text(robin.id.description), "plan_id": .text(other.id.description)])
        #expect(try await home.store.entry(second.id)?.planID == other.id)
    }

    @Test func aReminderThatIsDueIsOnTodayUntilItIsSeenOrTheNextIsLogged() async throws {
        let (home, child) = try await previewHome(clock)
        let bell = Bell(home, about: .last(.feeding), child: child)
        #expect(bell.title == "After the start of Wren’s last feed")
        #expect(bell.choices.map(\.text) == ["Off", "2 h", "2½ h", "3 h", "4 h"])
        await bell.choose(bell.choices[3])
        try await eventually { bell.chosen?.text == "3 h" }
        let today = Today(home, child: child)
        await today.logBottle(120)
        try await eventually { today.known.count == 1 && today.reminders.count == 1 }
        #expect(today.dueReminders.isEmpty)
        clock.advance(.seconds(3 * 3600 + 600))
        today.tick()
        #expect(today.dueReminders.map(\.text) == ["3 h 10 min since the last feed"])
        today.dismiss(today.dueReminders[0])
        #expect(today.dueReminders.isEmpty)
        await bell.choose(bell.choices[0])
        try await eventually { bell.reminder == nil }
        #expect(try await home.store.reminders().isEmpty)
    }

    @Test func aBottleAfterTheBreastIsToldWithIt() async throws {
        let (home, child) = try await previewHome(clock)
        let start = clock.now
        try await home.store.log(
            FeedingDetails(type: .breast, startedAt: start, endedAt: start.adding(.seconds(900)), side: .left),
            for: child.id)
        clock.advance(.seconds(1800))
        try await home.store.log(
            FeedingDetails(type: .bottle, startedAt: clock.now, amountMl: 60), for: child.id)
        let today = Today(home, child: child)
        try await eventually { today.known.count == 2 }
        #expect(today.last.first?.text == "Left breast, then 60 ml, 30 min ago")
    }
}
