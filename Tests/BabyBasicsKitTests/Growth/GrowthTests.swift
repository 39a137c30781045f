import BabyBasicsAPI
import Foundation
import GRDB
import Testing

@testable import BabyBasicsKit

@MainActor @Suite struct GrowthTests {
    private let clock = TestClock()

    private static let zone = TimeZone(identifier: "America/New_York") ?? .gmt
    private static let born = CalendarDate("2026-01-10") ?? CalendarDate(daysSince1970: 0)

    private func entry(_ at: String, _ fields: Fields) throws -> StoredEntry {
        var fields = fields
        fields["occurred_at"] = .text(at)
        return StoredEntry(
            id: UUID(), kind: "measurement", childID: ChildID(UUID()), fields: fields,
            author: Author(userId: nil, name: ""), createdAt: clock.now, updatedAt: clock.now)
    }

    private func point(_ at: String, _ fields: Fields, _ measure: GrowthStandard.Measure = .weight, due: String? = nil)
        throws -> GrowthPoint?
    {
        GrowthPoint(
            try entry(at, fields), measure, sex: .girl, born: Self.born, due: due.flatMap { CalendarDate($0) },
            at: Self.zone)
    }

    @Test func ageIsByTheDateOnThePersonsClocks() throws {
        // Still 10 February in New York.
        let point = try #require(try point("2026-02-11T03:00:00.000Z", ["weight_g": .number(4200)]))
        #expect(point.daysSinceBirth == 31 && point.ageDays == 31 && point.value == 4.2)
        let lms = try #require(GrowthStandard.who.lms(.girl, .weight, day: 31))
        #expect(point.zScore == lms.zScore(4.2, of: .weight))
        #expect(english.standing(point) == "P49, z −0.01")
        #expect(try self.point("2026-02-11T03:00:00.000Z", ["weight_g": .number(4200)], .head) == nil)
    }

    @Test(arguments: [
        ("2026-02-10", -25, true), ("2026-04-10", 34, true), ("2028-01-09", 673, true), ("2028-01-11", 731, false),
    ])
    func whoWasBornEarlyIsAsOldAsCountedFromTheDueDateUntilTwoYears(day: String, age: Int, isCorrected: Bool) throws {
        let point = try #require(
            try point("\(day)T15:00:00.000Z", ["weight_g": .number(4000)], due: "2026-03-07"))
        #expect(point.ageDays == age && point.isCorrected == isCorrected)
        // Before the due date there is no standard.
        #expect((point.zScore == nil) == (age < 0))
    }

    @Test(arguments: [("2026-01-31", 0), ("2026-02-01", 22), ("2026-01-01", 0), ("2027-06-01", 0)])
    func threeWeeksAreNotEarlyAndADueDateThatCannotBeIsNone(due: String, days: Int) {
        #expect(GrowthAge.daysEarly(born: Self.born, due: CalendarDate(due)) == days)
        #expect(GrowthAge.daysEarly(born: Self.born, due: nil) == 0)
    }

    @Test func theScreenAsksForTheSexAndThenShowsCurvesAndPoints() async throws {
        let born = clock.now.utcDate.daysSince1970 - 100
        let (home, child) = try await home(born: CalendarDate(daysSince1970: born))
        let growth = Growth(home, child: child)
        try await eventually { growth.step == .asking }
        #expect(growth.curves.isEmpty)
        for (days, grams) in [(60, 5200), (20, 5900)] {
            let at = clock.now.adding(.seconds(-86_400 * days))
            try await home.store.log(
                kind: "measurement",
                ["occurred_at": .text(at.description), "weight_g": .number(Tenths(tenths: grams * 10))], for: child.id)
        }
        try await growth.answer(GrowthAnswers(sex: .girl, dueDate: CalendarDate(daysSince1970: born + 35)))
        try await eventually { growth.step == .showing && growth.points.count == 2 }
        #expect(growth.points.map(\.ageDays) == [5, 45])
        #expect(growth.correction?.hasPrefix("5 weeks early") == true)
        #expect(growth.curves.map(\.id) == ["P3", "P15", "P50", "P85", "P97"])
        let last = growth.curves.map { $0.places.last?.value ?? 0 }
        #expect(last == last.sorted() && Set(last).count == 5)
        #expect(growth.curves.allSatisfy { $0.places.first?.day == 0 && ($0.places.last?.day ?? 0) >= 100 })
        growth.measure = .head
        #expect(growth.points.isEmpty && growth.curves[2].places[0].value == 33.8787)
        // It is asked once, and never sent.
        let again = Growth(home, child: child)
        try await eventually { again.step == .showing }
        #expect(try await home.store.pendingChanges().count == 2)
    }

    @Test func theAnswersGoWithTheChild() async throws {
        let (home, child) = try await home(born: Self.born)
        try await home.store.keep(GrowthAnswers(sex: .boy), of: child.id)
        try await home.store.write { [user = home.store.userID] db, now in
            try FeedApplier(db: db, userID: user, now: now).removeChild(child.id, revision: nil)
        }
        let left = try await home.store.database.read { try AccountStore.growthAnswers(of: child.id, $0) }
        #expect(left == GrowthAnswers())
    }

    private func home(born: CalendarDate) async throws -> (Home, StoredChild) {
        let (home, child) = try await previewHome(clock)
        try await home.store.adopt(
            ServerChild(
                id: child.id, familyID: child.familyID, name: child.name, dateOfBirth: born, createdAt: clock.now,
                revision: 100))
        return (home, try await home.store.children(of: child.familyID)[0])
    }
}
