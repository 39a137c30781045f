import BabyBasicsAPI
import Foundation
import GRDB
import Testing

@testable import BabyBasicsKit

@MainActor @Suite struct ScreenTests {
    private let clock = TestClock()

    @Test func aRunningSleepHasAClockAndOneStop() async throws {
        let (home, child) = try await home()
        let today = Today(home, child: child)
        await today.startSleep()
        try await eventually { today.running.count == 1 }
        clock.advance(.seconds(3900))
        today.tick()
        let running = try #require(today.running.first)
        #expect(running.clock.hasPrefix("1:05:"))
        await today.startSleep()
        #expect(today.message?.text.contains("Wren is asleep already, since 1 h") == true)
        await today.stop(running)
        try await eventually { today.running.isEmpty }
        #expect(today.summary?.sleep.minutes == 65)
        #expect(today.last.first?.text == "Woke up, just now")
    }

    @Test func undoIsOfferedForTenSeconds() async throws {
        let (home, child) = try await home()
        let today = Today(home, child: child)
        await today.logDiaper(.wet)
        try await eventually { today.summary?.diapers.count == 1 }
        let offer = try #require(home.undo)
        #expect(offer.text == "Diaper logged for Wren" && offer.action == .logged)
        try await home.takeBack()
        try await eventually { today.summary?.diapers.count == 0 }
        #expect(home.undo == nil)
        await today.logDiaper(.dirty)
        try await eventually { today.entries.count == 1 }
        try await home.delete(today.entries[0])
        try await eventually { today.entries.isEmpty }
        try await home.takeBack()
        try await eventually { today.entries.count == 1 }
        await today.logDiaper(.dry)
        clock.advance(.seconds(11))
        try await home.takeBack()
        #expect(try await home.store.entries(of: child.id).count == 2)
    }

    @Test func theNextBottleIsFilledInFromTheLastInTheDevicesUnit() async throws {
        let (home, child) = try await home()
        home.units.volume = .fluidOunces
        let first = LogEntry(home, kind: FeedingDetails.kind, child: child)
        first.amount = 4
        first.content = .formula
        first.when = .minutesAgo(5)
        await first.save()
        guard case .logged(let entry) = first.step else {
            Issue.record("\(String(describing: first.message))")
            return
        }
        #expect(entry.fields["amount_ml"] == .number(118.3))
        #expect(clock.now.since(entry.at) >= .seconds(300))
        let next = LogEntry(home, kind: FeedingDetails.kind, child: child)
        await next.fillIn()
        #expect(next.method == .bottle && next.amount == 4 && next.content == .formula)
        next.amount = 40
        await next.save()
        #expect(next.step == .editing && next.message?.field == "amount_ml")
        // Twice is once.
        next.amount = 3
        async let one: Void = next.save()
        async let two: Void = next.save()
        _ = await (one, two)
        #expect(try await home.store.entries(of: child.id).count == 2)
    }

    @Test func theOtherBreastIsNext() async throws {
        let (home, child) = try await home()
        let today = Today(home, child: child)
        await today.startFeed(.left)
        let next = LogEntry(home, kind: FeedingDetails.kind, child: child)
        await next.fillIn()
        #expect(next.method == .breast && next.side == .right)
    }

    @Test func afterAFeedAtBothSidesTheOtherThanTheLastIsNext() async throws {
        let (home, child) = try await home()
        let feed = FeedingDetails(
            type: .breast, startedAt: clock.now, side: .both, leftMinutes: 9, rightMinutes: 5, lastSide: .right)
        try await home.store.log(feed, for: child.id)
        let next = LogEntry(home, kind: FeedingDetails.kind, child: child)
        await next.fillIn()
        #expect(next.side == .left)
    }

    @Test(arguments: [false, true])
    func theLastBreastAndTheLastBottleAreFilledInApart(isBottleLast: Bool) async throws {
        let (home, child) = try await home()
        let today = Today(home, child: child)
        if isBottleLast { await today.startFeed(.left) }
        await today.logBottle(90, .breastMilk)
        if !isBottleLast { await today.startFeed(.left) }
        let next = LogEntry(home, kind: FeedingDetails.kind, child: child)
        await next.fillIn()
        #expect(next.method == (isBottleLast ? .bottle : .breast))
        #expect(next.side == .right)
        #expect(next.amount == 90 && next.content == .breastMilk)
    }

    @Test func theFirstBreastIsTheLeftOne() async throws {
        let (home, child) = try await home()
        await Today(home, child: child).logBottle(90)
        let next = LogEntry(home, kind: FeedingDetails.kind, child: child)
        await next.fillIn()
        #expect(next.method == .bottle && next.side == .left)
    }

    @Test func everyKindCanBeLoggedByItsFields() async throws {
        let (home, child) = try await home()
        for kind in EventKind.all {
            let form = LogEntry(home, kind: kind, child: child)
            form.text = "First smile"
            form.food = "Pear"
            form.amount = 90
            form.name = "bath"
            form.degrees = 37
            form.weight = 5
            form.end = .now
            await form.save()
            guard case .logged(let entry) = form.step else {
                Issue.record("\(kind.name): \(String(describing: form.message))")
                continue
            }
            #expect(entry.kind == kind.name)
        }
        #expect(
            try await Set(home.store.entries(of: child.id).map(\.kind))
                == Set(EventKind.all.map(\.name)))
    }

    @Test func theTimelineIsByDayAndFiltered() async throws {
        let (home, child) = try await home()
        for hours in [1, 26, 27] {
            let form = LogEntry(home, kind: NoteDetails.kind, child: child)
            form.text = "note \(hours)"
            form.when = .minutesAgo(hours * 60)
            await form.save()
        }
        let today = Today(home, child: child)
        await today.logDiaper(.wet)
        let timeline = EntryTimeline(home, child: child)
        try await eventually { timeline.sections.map(\.entries.count) == [2, 2] }
        timeline.kinds = ["diaper"]
        try await eventually { timeline.sections.flatMap(\.entries).map(\.kind) == ["diaper"] }
        let entry = timeline.sections[0].entries[0]
        await timeline.edit(entry, ["color": .text("yellow")])
        try await eventually {
            timeline.sections.first?.entries.first?.fields["color"] == .text("yellow")
        }
        await timeline.delete(entry)
        try await eventually { timeline.sections.isEmpty }
        await timeline.edit(entry, ["color": nil])
        #expect(timeline.message?.text == "This entry was deleted. Log it again if you need it.")
    }

    @Test(arguments: [
        ("2026-03-28", "2026-03-28T06:00:00.000Z", "2026-03-29T05:00:00.000Z"),
        ("2026-10-24", "2026-10-24T05:00:00.000Z", "2026-10-25T06:00:00.000Z"),
    ])
    func aDayOfTheTimelineIsFromSevenToSevenAlsoWhenClocksChange(date: String, start: String, end: String)
        async throws
    {
        let (home, child) = try await home()
        let day = try #require(CalendarDate(date)).daysSince1970
        let start = try #require(Timestamp(start))
        let end = try #require(Timestamp(end))
        for at in [start.adding(.seconds(-1)), start, end.adding(.seconds(-1)), end] {
            try await home.store.log(NoteDetails(content: "Hello", occurredAt: at), for: child.id)
        }
        let timeline = EntryTimeline(home, child: child)
        try await eventually { timeline.sections.map(\.entries.count) == [1, 2, 1] }
        #expect(timeline.sections.map(\.id.daysSince1970) == [day + 1, day, day - 1])
    }

    /// By a ratio of the best of five each, in turn: a screen reads its days, however many lie before them.
    @Test func withTwentyThousandEntriesTheScreenComesAsSoonAsWithTwoHundred() async throws {
        let few = try await home(with: 200)
        let many = try await home(with: 20_000)
        var best = (few: Duration.seconds(600), many: Duration.seconds(600))
        for _ in 0..<5 {
            best.few = min(best.few, try await openingAndLogging(in: few))
            best.many = min(best.many, try await openingAndLogging(in: many))
        }
        #expect(best.many < best.few * 8, "\(best)")
    }

    private func home(with entries: Int) async throws -> (Home, StoredChild) {
        let (home, child) = try await home()
        let family = try await home.store.families()[0].id
        try await home.store.fill(entries, child: child.id, family: family, until: clock.now)
        return (home, child)
    }

    private func openingAndLogging(in place: (home: Home, child: StoredChild)) async throws -> Duration {
        try await ContinuousClock().measure {
            let today = Today(place.home, child: place.child)
            try await eventually { today.summary?.diapers.count ?? 0 > 0 }
            let before = today.entries.count
            await today.logDiaper(.wet)
            try await eventually { today.entries.count == before + 1 }
        }
    }

    @Test func howLongAgo() {
        let minutes = { Duration.seconds(60 * $0) }
        #expect(english.ago(minutes(0)) == "just now")
        #expect(english.ago(minutes(5)) == "5 min ago")
        #expect(english.ago(minutes(130)) == "2 h 10 min ago")
        #expect(english.ago(minutes(120)) == "2 h ago")
        #expect(english.ago(minutes(3000)) == "2 days ago")
        #expect(english.clock(.seconds(750)) == "12:30")
        #expect(english.clock(.seconds(3909)) == "1:05:09")
    }

    private func home() async throws -> (Home, StoredChild) { try await previewHome(clock) }
}

extension AccountStore {
    /// A year of diapers, one every 26 minutes.
    func fill(_ count: Int, child: ChildID, family: FamilyID, until: Timestamp) async throws {
        try await write { db, now in
            for index in 0..<count {
                let at = until.adding(.seconds(-1600 * index))
                try EntryRow(
                    id: UUID(), kind: "diaper", familyID: family,
                    fields: [
                        "child_id": .text(child.description), "type": .text("wet"),
                        "occurred_at": .text(at.description),
                    ], serverFields: [:], author: Author(userId: nil, name: ""), createdAt: at,
                    updatedAt: at, revision: Int64(index)
                ).insert(db)
            }
        }
    }
}
