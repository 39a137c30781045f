import BabyBasicsAPI
import Foundation
import Testing

@testable import BabyBasicsKit

/// What was last, the day before, both sides of a feed, sleeps that overlap, and what was deleted.
@MainActor @Suite struct TodayTests {
    private let clock = TestClock()

    private func home() async throws -> (Home, StoredChild) { try await previewHome(clock) }

    private func ago(_ minutes: Int) -> Timestamp { clock.now.adding(.seconds(-60 * minutes)) }

    @Test func aVitaminHidesNoOtherMedicine() async throws {
        let (home, child) = try await home()
        let given = [(300, "Paracetamol"), (60, "Vitamin D"), (200, "paracetamol"), (90, "Iron"), (80, "Drops")]
        for (minutes, name) in given {
            try await home.store.log(MedicationDetails(occurredAt: ago(minutes), name: name), for: child.id)
        }
        let today = Today(home, child: child)
        try await eventually { today.last.count == 3 }
        #expect(today.last.map { $0.entry.fields["name"]?.text } == ["Vitamin D", "Drops", "Iron"])
        #expect(today.moreMedicines.map { $0.entry.fields["name"]?.text } == ["paracetamol"])
        #expect(Set(today.last.map(\.id)).count == 3)
    }

    @Test func solidsDoNotResetTheClockUnlessThisDeviceWasToldSo() async throws {
        let (home, child) = try await home()
        let breast = FeedingDetails(type: .breast, startedAt: ago(120), endedAt: ago(100), side: .left)
        try await home.store.log(breast, for: child.id)
        try await home.store.log(FeedingDetails(type: .solid, startedAt: ago(30), food: "Pear"), for: child.id)
        let today = Today(home, child: child)
        try await eventually { today.last.first?.text == "Left breast, 2 h ago" }
        #expect(today.solids?.text == "Pear, 30 min ago")
        home.feedClock.fromEnd = true
        #expect(today.last.first?.text.hasPrefix("Left breast, 1 h 40 min") == true)
        home.feedClock.solidsCount = true
        #expect(today.last.first?.text == "Pear, 30 min ago" && today.solids == nil)
        // It outlives a restart.
        #expect(FeedClock(home.configuration.preferences) == home.feedClock)
    }

    @Test func yesterdayIsOneTapAwayAndThePresentStays() async throws {
        let (home, child) = try await home()
        try await home.store.log(FeedingDetails(type: .bottle, startedAt: ago(26 * 60), amountMl: 80), for: child.id)
        try await home.store.log(FeedingDetails(type: .bottle, startedAt: ago(60), amountMl: 120), for: child.id)
        let today = Today(home, child: child)
        await today.startSleep()
        try await eventually { today.running.count == 1 && today.summary?.feedings.bottleMl == 120 }
        #expect(today.dayTitle == "The day so far" && !today.hasDayAfter)
        today.showDayBefore()
        try await eventually { today.summary?.feedings.bottleMl == 80 }
        #expect(today.dayTitle == "Yesterday" && today.hasDayAfter)
        #expect(today.running.count == 1 && today.last.first?.text == "Bottle 120 ml, 1 h ago")
        today.showDayBefore()
        try await eventually { today.summary?.feedings.count == 0 }
        #expect(today.dayTitle.contains("23"))
        today.showDayAfter()
        today.showDayAfter()
        #expect(today.date == nil && !today.hasDayAfter)
        today.showDayAfter()
        #expect(today.date == nil)
        try await eventually { today.summary?.feedings.bottleMl == 120 }
    }

    // MARK: Sides

    private func breast(_ today: Today) throws -> Today.Running { try #require(today.running.first) }

    @Test func aFeedKnowsItsSidesAndItsPauseIsNoTime() async throws {
        let (home, child) = try await home()
        let today = Today(home, child: child)
        await today.startFeed(.left)
        try await eventually { today.running.count == 1 }
        #expect(try breast(today).sides?.text == nil && breast(today).sides?.switchTitle == "Switch to right")
        clock.advance(.seconds(7 * 60))
        await today.switchSide(try breast(today))
        try await eventually { today.running.first?.entry.fields["last_side"] == .text("right") }
        #expect(try breast(today).entry.fields["left_minutes"] == .number(7), "who stops it elsewhere has them")
        #expect(try breast(today).entry.fields["side"] == .text("both"))
        clock.advance(.seconds(3 * 60))
        today.pause(try breast(today))
        #expect(try breast(today).sides?.isPaused == true)
        clock.advance(.seconds(20 * 60))
        // The app was killed meanwhile.
        let again = Today(home, child: child)
        try await eventually { again.running.count == 1 }
        #expect(try breast(again).sides?.text == "left 7 min, right 3 min")
        again.pause(try breast(again))
        #expect(try breast(again).sides?.isPaused == false)
        clock.advance(.seconds(2 * 60))
        await again.stop(try breast(again))
        try await eventually { again.running.isEmpty && again.summary?.feedings.breastMinutes == 12 }
        let fields = try #require(again.entries.first).fields
        #expect(fields["left_minutes"] == .number(7) && fields["right_minutes"] == .number(5))
        #expect(fields["side"] == .text("both") && fields["last_side"] == .text("right"))
    }

    @Test func aFeedThatStoodStillEndedWhenItWasPaused() async throws {
        let (home, child) = try await home()
        let today = Today(home, child: child)
        await today.startFeed(.right)
        try await eventually { today.running.count == 1 }
        clock.advance(.seconds(8 * 60))
        today.pause(try breast(today))
        clock.advance(.seconds(3600))
        await today.stop(try breast(today))
        try await eventually { today.running.isEmpty }
        let feed = try #require(today.entries.first)
        #expect(feed.fields["right_minutes"] == .number(8) && feed.fields["left_minutes"] == nil)
        #expect(feed.endedAt.map { $0.since(feed.at) < .seconds(9 * 60) } == true)
    }

    @Test func whatNobodyTouchedIsStoppedAsBefore() async throws {
        let (home, child) = try await home()
        let today = Today(home, child: child)
        await today.startFeed(.left)
        try await eventually { today.running.count == 1 }
        clock.advance(.seconds(600))
        await today.stop(try breast(today))
        try await eventually { today.running.isEmpty }
        let fields = try #require(today.entries.first).fields
        #expect(fields["left_minutes"] == nil && fields["last_side"] == nil && fields["side"] == .text("left"))
    }

    // MARK: Overlaps

    @Test func whoMakesSleepsOverlapIsToldOnce() async throws {
        let (home, child) = try await home()
        let first = try await home.store.log(SleepDetails(startedAt: ago(200), endedAt: ago(140)), for: child.id)
        let second = try await home.store.log(SleepDetails(startedAt: ago(160), endedAt: ago(100)), for: child.id)
        let today = Today(home, child: child)
        try await eventually { today.overlap != nil }
        let overlap = try #require(today.overlap)
        #expect(overlap.one.id == second.id && overlap.other.id == first.id)
        #expect(overlap.text.hasPrefix("The nap from ") && overlap.text.hasSuffix(" by you."))
        today.dismiss(overlap)
        #expect(today.overlap == nil)
        let another = Today(home, child: child)
        try await eventually { another.summary?.sleep.count == 2 }
        #expect(another.overlap == nil)
        // Put right by itself, and made anew by another edit of the other one.
        try await home.store.edit(first.id, ["ended_at": .text(ago(150).description)])
        try await eventually { today.overlap?.one.id == first.id }
        try await home.store.edit(first.id, ["ended_at": .text(ago(190).description)])
        try await eventually { today.overlap == nil }
    }

    // MARK: What was deleted

    @Test func whatWasDeletedComesBackForThirtyDays() async throws {
        let (home, child) = try await home()
        let kept = try await home.store.log(DiaperDetails(type: .wet, occurredAt: ago(10)), for: child.id)
        let screen = DeletedEntries(home, child: child)
        try await home.store.delete(kept.id)
        try await eventually { screen.deleted.map(\.title) == ["Wet diaper"] }
        await screen.bringBack(screen.deleted[0])
        #expect(screen.message == english.isBack("Wet diaper"))
        try await eventually { screen.deleted.isEmpty }
        #expect(try await home.store.entries(of: child.id).map(\.kind) == ["diaper"])
    }

    @Test func alsoWhatSomebodyElseDeleted() async throws {
        let (home, child) = try await home()
        let id = UUID()
        let family = child.familyID
        func event(_ revision: Int64) -> ServerEvent {
            ServerEvent(
                id: id, kind: "note",
                fields: [
                    "child_id": .text(child.id.description), "content": .text("Hello"),
                    "occurred_at": .text(clock.now.description),
                ], author: Author(userId: nil, name: "Rosa"), createdAt: clock.now, updatedAt: clock.now,
                revision: revision)
        }
        func apply(_ change: @escaping @Sendable (FeedApplier) throws -> Void) async throws {
            let user = home.store.userID
            try await home.store.write { db, now in try change(FeedApplier(db: db, userID: user, now: now)) }
        }
        let (first, third) = (event(1), event(3))
        try await apply { try $0.apply(first, family: family) }
        try await apply { try $0.remove(id, revision: 2) }
        let screen = DeletedEntries(home, child: child)
        try await eventually { screen.deleted.map(\.title) == ["Hello"] }
        #expect(screen.deleted[0].entry.author.name == "Rosa" && screen.deleted[0].ago == "deleted just now")
        // Somebody else brings it back.
        try await apply { try $0.apply(third, family: family) }
        try await eventually { screen.deleted.isEmpty }
        try await apply { try $0.remove(id, revision: 4) }
        try await eventually { screen.deleted.count == 1 }
        // Here it comes back under its own name, for everyone.
        await screen.bringBack(screen.deleted[0])
        #expect(try await home.store.pendingChanges().map(\.operation) == [.restore])
        #expect(try await home.store.entries(of: child.id).map(\.id) == [id])
        // After thirty days nobody can.
        try await home.store.delete(id)
        clock.advance(.seconds(31 * 86_400))
        let later = DeletedEntries(home, child: child)
        try await eventually { screen.deleted.count == 1 }
        #expect(later.deleted.isEmpty)
    }
}
