import BabyBasicsAPI
import Foundation
import Testing

@testable import BabyBasicsKit

/// The screens that look back: months, jumps to a day, searches, pumped milk, what is asked in the night, and the sheets for
/// the doctor, each as the store has it by now.
@MainActor @Suite struct FindingTests {
    private let clock = TestClock()

    private func ago(hours: Double) -> Timestamp { clock.now.adding(.seconds(-3600 * hours)) }

    @discardableResult
    private func note(_ words: String, hours: Double, for child: StoredChild, _ home: Home) async throws -> StoredEntry
    {
        try await home.store.log(NoteDetails(content: words, occurredAt: ago(hours: hours)), for: child.id)
    }

    // MARK: Months

    @Test func aMonthIsThereAtOnceAndItsDotsFollowTheStore() async throws {
        let (home, child) = try await previewHome(clock)
        let overview = MonthOverview(home, child: child)
        #expect(overview.title == "November 2026" && overview.month.days.count == 30 && overview.kinds.isEmpty)
        try await note("now", hours: 1, for: child, home)
        try await note("last month", hours: 24 * 30, for: child, home)
        let bottle = FeedingDetails(type: .bottle, startedAt: ago(hours: 2), amountMl: 90)
        let fed = try await home.store.log(bottle, for: child.id)
        func day(_ date: String) -> [String]? { overview.month.days.first { $0.id.description == date }?.kinds }
        try await eventually { day("2026-11-25") == ["feeding", "note"] }
        #expect(overview.kinds == ["feeding", "note"] && overview.today.description == "2026-11-25")
        try await home.store.delete(fed.id)
        try await eventually { day("2026-11-25") == ["note"] }
        #expect(!overview.hasMonthAfter)
        overview.showMonthAfter()
        #expect(overview.title == "November 2026")
        overview.showMonthBefore()
        #expect(overview.title == "October 2026" && overview.month.days.count == 31 && overview.hasMonthAfter)
        try await eventually { day("2026-10-26") == ["note"] }
        overview.show(overview.today)
        try await eventually { day("2026-11-25") == ["note"] }
    }

    // MARK: The timeline

    @Test func aJumpToADayShowsItAndWhatWasBefore() async throws {
        let (home, child) = try await previewHome(clock)
        for hours in [1.0, 25, 49] { try await note("\(hours)", hours: hours, for: child, home) }
        let timeline = EntryTimeline(home, child: child)
        try await eventually { timeline.sections.count == 3 }
        timeline.date = CalendarDate("2026-11-24")
        try await eventually { timeline.sections.map(\.id.description) == ["2026-11-24", "2026-11-23"] }
        timeline.date = nil
        try await eventually { timeline.sections.count == 3 }
    }

    @Test func aSearchFindsOfAnyDayAndFollowsTheStore() async throws {
        let (home, child) = try await previewHome(clock)
        let smile = try await note("First smile", hours: 1, for: child, home)
        try await note("She smiles", hours: 900, for: child, home)
        try await home.store.log(
            FeedingDetails(type: .solid, startedAt: ago(hours: 3), food: "Crème brûlée"), for: child.id,
            notes: "a smile")
        try await home.store.log(DiaperDetails(type: .wet, occurredAt: ago(hours: 2)), for: child.id)
        let timeline = EntryTimeline(home, child: child)
        timeline.date = CalendarDate("2026-11-24")
        timeline.query = "SMILE"
        try await eventually { timeline.found == 3 && timeline.sections.flatMap(\.entries).count == 3 }
        #expect(timeline.sections.flatMap(\.entries).map(\.kind) == ["note", "feeding", "note"], "newest first")
        timeline.query = "smile creme"
        try await eventually { timeline.sections.flatMap(\.entries).map(\.kind) == ["feeding"] }
        timeline.query = "smile"
        timeline.kinds = ["note"]
        try await eventually { timeline.sections.flatMap(\.entries).map(\.kind) == ["note", "note"] }
        try await home.store.edit(smile.id, ["content": .text("First tooth")])
        try await eventually { timeline.found == 1 && timeline.sections.flatMap(\.entries).count == 1 }
        timeline.query = " "
        timeline.kinds = nil
        timeline.date = nil
        try await eventually { timeline.found == nil && timeline.sections.flatMap(\.entries).count == 4 }
    }

    @Test func entriesOfOnePersonAreShownAlsoAmongThoseThatAreFound() async throws {
        let (home, child) = try await previewHome(clock)
        let rosa = UserID(UUID())
        let hers = ServerEvent(
            id: UUID(), kind: "note",
            fields: [
                "child_id": .text(child.id.description), "content": .text("Slept well"),
                "occurred_at": .text(ago(hours: 1).description),
            ], author: Author(userId: rosa, name: "Rosa"), createdAt: clock.now, updatedAt: clock.now, revision: 9)
        try await home.store.apply([hers], family: child.familyID)
        try await note("Slept badly", hours: 2, for: child, home)
        let timeline = EntryTimeline(home, child: child)
        timeline.person = rosa
        try await eventually { timeline.sections.flatMap(\.entries).map(\.id) == [hers.id] }
        timeline.query = "slept"
        try await eventually { timeline.found == 1 }
        timeline.person = nil
        try await eventually { timeline.found == 2 }
    }

    // MARK: Milk and the night

    @Test func milkIsTheFamilysAndSaidInItsUnit() async throws {
        let (home, child) = try await previewHome(clock)
        try await home.store.log(
            FeedingDetails(type: .bottle, startedAt: ago(hours: 60), amountMl: 90, content: .breastMilk), for: child.id)
        let milk = PumpedMilk(home, family: child.familyID)
        try await eventually { milk.isRead }
        #expect(milk.text == nil, "nobody pumps")
        try await home.store.log(PumpingDetails(startedAt: ago(hours: 30), amountMl: 100), for: child.id)
        try await home.store.log(PumpingDetails(startedAt: ago(hours: 3), amountMl: 80), for: child.id)
        try await eventually { milk.text == "Pumped and not given yet: 180 ml, the oldest from yesterday." }
        try await home.store.log(
            FeedingDetails(type: .bottle, startedAt: ago(hours: 2), amountMl: 120, content: .breastMilk), for: child.id)
        try await eventually { milk.text == "Pumped and not given yet: 60 ml, the oldest from today." }
        home.units.volume = .fluidOunces
        #expect(milk.text == "Pumped and not given yet: 2 fl oz, the oldest from today.")
        try await home.store.log(DiscardDetails(occurredAt: ago(hours: 1), amountMl: 60), for: child.id)
        try await eventually { milk.text == "All pumped milk has been given." }
    }

    @Test func whatIsAskedInTheNightIsSaidWhereThereIsSomething() async throws {
        let (home, child) = try await previewHome(clock)
        let glance = AtAGlance(home, child: child)
        try await eventually { glance.asked != nil }
        #expect(glance.lines.isEmpty)
        try await home.store.log(DiaperDetails(type: .wet, occurredAt: ago(hours: 2)), for: child.id)
        try await home.store.log(FeedingDetails(type: .bottle, startedAt: ago(hours: 1), amountMl: 90), for: child.id)
        try await home.store.log(SleepDetails(startedAt: ago(hours: 8), endedAt: ago(hours: 3)), for: child.id)
        try await home.store.log(
            SleepDetails(startedAt: ago(hours: 8 + 24 * 8), endedAt: ago(hours: 3.75 + 24 * 8)), for: child.id)
        let lines = ["1 feed in the last 24 hours", "Longest sleep this week 5 h, last week 4 h 15 min"]
        try await eventually { glance.lines == lines }
        // A day later the feed is not of the last 24 hours.
        clock.advance(.seconds(86_400))
        glance.tick()
        try await eventually { glance.lines == Array(lines.dropFirst()) }
        // Of a newborn, wet diapers count.
        let born = CalendarDate(daysSince1970: clock.now.utcDate.daysSince1970 - 10)
        try await home.store.adopt(
            ServerChild(
                id: child.id, familyID: child.familyID, name: child.name, dateOfBirth: born, createdAt: clock.now,
                revision: 100))
        try await eventually { glance.lines.last == "Last wet diaper 1 day ago" }
    }

    // MARK: The doctor

    @Test func theSheetsAreOfTwoWeeksUntilTheLastVisitIsSaid() async throws {
        let (home, child) = try await previewHome(clock)
        let sheets = DoctorSheets(home, child: child)
        try await eventually { sheets.report != nil }
        #expect(sheets.span == .twoWeeks && sheets.report?.from.description == "2026-11-12")
        #expect(sheets.report?.to.description == "2026-11-25")
        try await home.store.log(
            NoteDetails(content: "Rash", occurredAt: ago(hours: 24 * 20), forDoctor: true), for: child.id)
        try await sheets.answer(GrowthAnswers(sex: .girl, lastVisit: CalendarDate("2026-10-30")))
        try await eventually { sheets.report?.notes.map(\.content) == ["Rash"] }
        #expect(sheets.span == .sinceVisit && sheets.report?.from.description == "2026-10-30")
        sheets.span = .twoWeeks
        try await eventually { sheets.report?.notes.isEmpty == true }
        sheets.span = .month
        try await eventually { sheets.report?.from.description == "2026-10-27" }
        // It is asked once.
        let again = DoctorSheets(home, child: child)
        try await eventually { again.span == .sinceVisit && again.report?.from.description == "2026-10-30" }
        // The next day is another range.
        clock.advance(.seconds(86_400))
        again.tick()
        try await eventually { again.report?.to.description == "2026-11-26" }
    }

    @Test(arguments: [
        (DoctorSheets.Span?.none, String?.none, "2026-11-12"), (nil, "2026-11-20", "2026-11-20"),
        (.sinceVisit, nil, "2026-11-12"), (.sinceVisit, "2026-12-01", "2026-11-12"),
        (.sinceVisit, "2026-01-01", "2026-08-26"), (.twoWeeks, "2026-11-20", "2026-11-12"),
        (.month, "2026-11-20", "2026-10-27"),
    ])
    func theFirstDayOfTheSheets(span: DoctorSheets.Span?, visit: String?, first: String) throws {
        let today = try #require(CalendarDate("2026-11-25"))
        let visit = visit.flatMap { CalendarDate($0) }
        #expect(DoctorSheets.firstDay(span, visit: visit, today: today).description == first)
    }

    @Test func measurementsStandBesideTheStandardOnceTheSexIsSaid() async throws {
        let (home, child) = try await previewHome(clock)
        for (hours, grams) in [(480.0, 5200), (24, 5900)] {
            try await home.store.log(
                MeasurementDetails(occurredAt: ago(hours: hours), weightG: grams), for: child.id)
        }
        let sheets = DoctorSheets(home, child: child)
        try await eventually { sheets.measured.count == 2 }
        #expect(sheets.measured.map { $0.entry.fields["weight_g"]?.number } == [5900, 5200], "the latest first")
        #expect(!sheets.measured.contains { !$0.points.isEmpty })
        try await sheets.answer(GrowthAnswers(sex: .girl))
        try await eventually { sheets.measured.first?.points[.weight]?.percentile != nil }
        let growth = Growth(home, child: child)
        try await eventually { growth.step == .showing && growth.points.count == 2 }
        #expect(sheets.measured.reversed().map { $0.points[.weight] } == growth.points, "as growth has them")
        #expect(sheets.measured[0].points[.head] == nil)
    }
}
