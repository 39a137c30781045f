import BabyBasicsAPI
import Foundation
import Testing

@testable import BabyBasicsKit

/// What a notification's buttons are, and what a tap does.
@MainActor @Suite struct PushActionTests {
    private let clock = TestClock()
    private let family = FamilyID(UUID())
    private let child = ChildID(UUID())
    private let plan = PlanID(UUID())

    private func payload(
        _ kind: String, child: ChildID?, plan: PlanID? = nil, logs: String? = nil, family: FamilyID? = nil
    )
        -> [AnyHashable: Any]
    {
        var payload: [AnyHashable: Any] = [
            "aps": ["category": kind], "kind": kind, "tag": "t", "family_id": (family ?? self.family).description,
        ]
        payload["child_id"] = child?.description
        payload["plan_id"] = plan?.description
        payload["event_kind"] = logs
        return payload
    }

    @Test func theCategoriesAreTheServersKindsWithTheirButtons() {
        #expect(PushCategory.all(english).map(\.id) == ["reminder", "dose", "told"])
        #expect(
            PushCategory.all(english).map { $0.buttons.map(\.title) } == [
                ["Log", "In 30 min"], ["Give", "In 30 min"], [],
            ])
    }

    @Test func aPayloadAndAButtonAreAnAction() {
        let dose = payload("dose", child: child, plan: plan)
        let reminder = payload("reminder", child: child, logs: "feeding")
        let tap = "com.apple.UNNotificationDefaultActionIdentifier"
        #expect(PushAction(button: "give", userInfo: dose) == .give(plan, child, family))
        #expect(PushAction(button: "log", userInfo: reminder) == .log("feeding", child, family))
        #expect(PushAction(button: "later", userInfo: dose) == .later(tag: "t"))
        #expect(PushAction(button: tap, userInfo: dose) == .open(family, child))
        #expect(PushAction(button: tap, userInfo: payload("told", child: nil)) == .open(family, nil))
        #expect(PushAction(button: "com.apple.UNNotificationDismissActionIdentifier", userInfo: dose) == nil)
        #expect(PushAction(button: tap, userInfo: ["aps": [:]]) == nil, "not the server's")
        #expect(PushAction(button: tap, userInfo: payload("advert", child: nil)) == nil, "of a later server")
    }

    private func home() async throws -> (Home, StoredChild, StoredPlan) {
        let (home, child) = try await previewHome(clock)
        let fields: Fields = [
            "name": .text("Paracetamol"), "every_hours": .number(6), "starts_on": .text("2026-11-01"),
        ]
        let entry = try await home.store.log(kind: "plan", fields, for: child.id)
        return (home, child, try #require(StoredPlan(entry)))
    }

    @Test func giveGivesTheDoseAndAsksBeforeOneThatIsTooSoon() async throws {
        let (home, child, plan) = try await home()
        let give = PushAction.give(plan.id, child.id, child.familyID)
        guard case .given(let dose, _) = try await home.perform(give) else {
            Issue.record("not given")
            return
        }
        #expect(dose.planID == plan.id && home.undo?.entry.id == dose.id)
        clock.advance(.seconds(2 * 3600))
        guard case .asks(let question, _) = try await home.perform(give) else {
            Issue.record("not asked")
            return
        }
        #expect(question.text == "You gave Paracetamol 2 h ago. Log anyway?")
        #expect(question.reason == "The plan says every 6 h.")
        #expect(try await home.store.entries(of: child.id).count == 1)
    }

    @Test func logOpensTheFormAndATapTheChild() async throws {
        let (home, child, _) = try await home()
        guard case .logs(let kind, let who) = try await home.perform(.log("feeding", child.id, child.familyID)) else {
            Issue.record("no form")
            return
        }
        #expect(kind.name == "feeding" && who.id == child.id)
        guard case .shows(let shown) = try await home.perform(.open(child.familyID, child.id)) else {
            Issue.record("not shown")
            return
        }
        #expect(shown?.id == child.id)
        guard case .tellsAgain("t", let after) = try await home.perform(.later(tag: "t")) else {
            Issue.record("not again")
            return
        }
        #expect(after == .seconds(1800))
    }

    @Test func whatIsNotThereAnyMoreIsSaid() async throws {
        let (home, child, plan) = try await home()
        guard case .gone = try await home.perform(.open(family, child.id)) else {
            Issue.record("a family that is gone")
            return
        }
        try await home.store.delete(plan.entry.id)
        guard case .gone(let message) = try await home.perform(.give(plan.id, child.id, child.familyID)) else {
            Issue.record("a plan that is gone")
            return
        }
        #expect(message == english.planGone)
    }
}
