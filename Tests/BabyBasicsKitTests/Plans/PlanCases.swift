import BabyBasicsAPI
import Foundation
import Testing

@testable import BabyBasicsKit

/// When a dose is due, and when one comes too soon: as the web app has it, and the server.
@Suite struct PlanCases {
    private static let now = Timestamp("2026-06-10T12:00:00.000Z") ?? .systemNow
    private let child = ChildID(UUID())
    private let plan = UUID()
    private let rosa = UserID(UUID())
    private let me = UserID(UUID())
    private let borders = DayBorders(timezone: "UTC", dayStart: "07:00") ?? .utc

    private func planned(
        _ more: Fields = [:], id: UUID? = nil, made: String = "2026-06-01T09:00:00.000Z"
    ) throws -> StoredPlan {
        let made = try #require(Timestamp(made))
        let fields: Fields = ["name": .text("Paracetamol"), "starts_on": .text("2026-06-01")]
        return try #require(
            StoredPlan(
                StoredEntry(
                    id: id ?? plan, kind: "plan", childID: child, fields: fields.merging(more) { $1 },
                    author: Author(userId: nil, name: ""), createdAt: made, updatedAt: made)))
    }

    private func dose(
        _ hours: Double, of plan: UUID?? = nil, name: String = "Paracetamol", by: UserID? = nil
    ) -> StoredEntry {
        let at = Self.now.adding(.seconds(-3600 * hours))
        var fields: Fields = ["name": .text(name), "occurred_at": .text(at.description)]
        fields["plan_id"] = (plan ?? self.plan).map { .text($0.text) }
        return StoredEntry(
            id: UUID(), kind: "medication", childID: child, fields: fields,
            author: Author(userId: by ?? rosa, name: "Rosa"), createdAt: at, updatedAt: at)
    }

    private func next(
        _ plan: StoredPlan, _ given: [StoredEntry] = [], after hours: Double = 0, _ borders: DayBorders? = nil
    ) -> String? {
        let now = Self.now.adding(.seconds(3600 * hours))
        return PlanStanding(plan, given: given, borders: borders ?? self.borders, now: now).nextAt
            .map { String($0.description.dropFirst(5).prefix(11)) }
    }

    @Test func everyFewHoursFromTheLastDoseOnAndBeforeTheFirstFromWhenItWasMade() throws {
        let six = try planned(["every_hours": .number(6)])
        #expect(next(six, [dose(2), dose(9)]) == "06-10T16:00")
        #expect(next(six, [dose(50)]) == "06-08T16:00", "past, and still due")
        #expect(next(six) == "06-01T09:00")
        #expect(next(try planned(["every_hours": .number(6), "starts_on": .text("2026-06-12")])) == "06-12T07:00")
        #expect(
            next(try planned(["every_hours": .number(24), "ends_on": .text("2026-06-10")]), [dose(2)]) == nil,
            "over by then")
        #expect(next(try planned(), [dose(2)]) == nil, "when needed it is never due")
    }

    @Test func dosesOfAnotherPlanOrOfNoneAreNoneOfThisOnes() throws {
        let six = try planned(["every_hours": .number(6)])
        #expect(next(six, [dose(1, of: UUID()), dose(1, of: .some(nil))]) == "06-01T09:00")
        let standing = PlanStanding(
            try planned(), given: [dose(1), dose(3), dose(6)], borders: borders, now: Self.now)
        #expect(standing.givenToday == 2, "the day began at seven")
        #expect(standing.last?.at == Self.now.adding(.seconds(-3600)))
    }

    @Test func setTimesTheFirstThatNobodyHasGivenYet() throws {
        let twice = try planned(["times": .list(["08:00", "20:00"])])
        #expect(next(twice) == "06-10T08:00", "past, and still due")
        #expect(next(twice, [dose(4)]) == "06-10T20:00")
        #expect(next(twice, [dose(0.5)]) == "06-10T20:00", "late")
        #expect(next(twice, [dose(1), dose(4)]) == "06-11T08:00", "two doses, two times")
        #expect(next(twice, [dose(-6.5 + 6.5)], after: 6.5) == "06-10T20:00")
        let once: (Fields) throws -> StoredPlan = { try planned(["times": .list(["08:00"])].merging($0) { $1 }) }
        #expect(next(try once(["starts_on": .text("2026-06-20")])) == "06-20T08:00")
        #expect(next(try once(["ends_on": .text("2026-06-10")]), [dose(4)]) == nil)
        let new = try planned(["times": .list(["08:00"])], made: "2026-06-10T11:00:00.000Z")
        #expect(next(new) == "06-11T08:00", "not what was before it was made")
    }

    // MARK: The cases that the web app and the server have as well

    private struct Planned: Decodable {
        struct Person: Decodable { var timezone, dayStartTime: String }
        struct Plan: Decodable {
            var name: String
            var everyHours, maxPerDay: Int?
            var times: [String]?
            var startsOn, endsOn: CalendarDate?
            var createdAt: Timestamp
        }
        struct Dose: Decodable {
            var at: Timestamp
            var name: String?
            var planId: String?
        }
        var person: Person
        var plan: Plan

        var borders: DayBorders {
            get throws { try #require(DayBorders(timezone: person.timezone, dayStart: person.dayStartTime)) }
        }

        func stored(_ id: UUID) throws -> StoredPlan {
            var fields: Fields = ["name": .text(plan.name)]
            fields["every_hours"] = plan.everyHours.map { .number(Tenths($0)) }
            fields["max_per_day"] = plan.maxPerDay.map { .number(Tenths($0)) }
            fields["times"] = plan.times.map { .list($0) }
            fields["starts_on"] = plan.startsOn.map { .text($0.description) }
            fields["ends_on"] = plan.endsOn.map { .text($0.description) }
            return try #require(
                StoredPlan(
                    StoredEntry(
                        id: id, kind: "plan", childID: ChildID(UUID()), fields: fields,
                        author: Author(userId: nil, name: ""), createdAt: plan.createdAt, updatedAt: plan.createdAt)))
        }
    }

    private func dose(at: Timestamp, of plan: UUID?, name: String) -> StoredEntry {
        dose(Self.now.since(at) / .seconds(3600), of: .some(plan), name: name)
    }

    private struct DueCase: Decodable {
        var name: String
        var given: [Timestamp]
        var now: Timestamp
        var expected: Expected

        struct Expected: Decodable {
            var nextAt: Timestamp?
            var givenToday: Int
            /// What is due after that one, if it is given at its time.
            var following: Timestamp?
        }
    }

    @Test func due() throws {
        let cases = try SharedCases.read("plans/due.json", [DueCase].self)
        let plans = try SharedCases.read("plans/due.json", [Planned].self)
        #expect(cases.count >= 24)
        for (item, planned) in zip(cases, plans) {
            let stored = try planned.stored(plan)
            let given = item.given.map { dose(at: $0, of: plan, name: stored.name) }
            let standing = PlanStanding(stored, given: given, borders: try planned.borders, now: item.now)
            #expect(standing.nextAt == item.expected.nextAt, "\(item.name)")
            #expect(standing.givenToday == item.expected.givenToday, "\(item.name)")
            guard let following = item.expected.following, let next = standing.nextAt else { continue }
            let later = PlanStanding(
                stored, given: given + [dose(at: next, of: plan, name: stored.name)], borders: try planned.borders,
                now: max(next, item.now))
            #expect(later.nextAt == following, "\(item.name)")
        }
    }

    private struct NearCase: Decodable {
        var name: String
        var given: [Planned.Dose]
        var dose: Timestamp
        var expected: Expected?

        struct Expected: Decodable, Equatable {
            var code: String
            var other: Timestamp
            var count: Int
        }
    }

    @Test func near() throws {
        let cases = try SharedCases.read("plans/near.json", [NearCase].self)
        let plans = try SharedCases.read("plans/near.json", [Planned].self)
        #expect(cases.count >= 12)
        for (item, planned) in zip(cases, plans) {
            let given = item.given.map { one in
                dose(at: one.at, of: one.planId.map { $0 == "p" ? plan : UUID() }, name: one.name ?? "Paracetamol")
            }
            let near = TooNear(try planned.stored(plan), given: given, at: item.dose, borders: try planned.borders)
                .map { NearCase.Expected(code: $0.code.rawValue, other: $0.other.at, count: $0.count) }
            #expect(near == item.expected, "\(item.name)")
        }
    }

    @Test func whatIsGivenEarlyTheEveningBeforeIsFollowedByTheDayAfterTomorrows() throws {
        let midnight = DayBorders(timezone: "UTC", dayStart: "00:00")
        let once = try planned(["times": .list(["00:30"])])
        // At noon, and after a dose an hour and a half early, at 23:00.
        #expect(next(once, [], midnight) == "06-10T00:30", "past, and still due")
        #expect(next(once, [dose(11.5)], midnight) == "06-11T00:30")
        #expect(next(once, [dose(-11), dose(11.5)], after: 11, midnight) == "06-12T00:30")
        #expect(next(once, [dose(-11), dose(11.5)], after: 12.2, midnight) == "06-12T00:30", "and so after midnight")
        // Where the day begins at seven, six in the morning is the day before.
        #expect(next(try planned(["times": .list(["07:30"])]), [dose(-18)], after: 18.5) == "06-12T07:30")
        let ended = try planned(["times": .list(["00:30"]), "ends_on": .text("2026-06-11")])
        #expect(next(ended, [dose(-11)], after: 11, midnight) == nil)
    }

    @Test func whereADayHasAsManyDosesAsItMayHaveTheNextIsTomorrows() throws {
        let hours = try planned(["every_hours": .number(4), "max_per_day": .number(2)])
        #expect(next(hours, [dose(4)]) == "06-10T12:00")
        #expect(next(hours, [dose(1), dose(4)]) == "06-11T07:00")
        let times = try planned(["times": .list(["08:00", "14:00", "20:00"]), "max_per_day": .number(2)])
        #expect(next(times, [dose(4)]) == "06-10T14:00")
        #expect(next(times, [dose(1), dose(4)]) == "06-11T08:00")
    }

    @Test func setTimesAreOfThePersonsClocksAndDay() throws {
        let york = DayBorders(timezone: "America/New_York", dayStart: "07:00")
        #expect(next(try planned(["times": .list(["08:00"])]), [], york) == "06-10T12:00")
        // Three in the morning belongs to the day that began the morning before.
        #expect(next(try planned(["times": .list(["03:00"])])) == "06-11T03:00")
        let ended = try planned(["ends_on": .text("2026-06-09")])
        let days = try ["2026-06-09", "2026-06-10"].map { try #require(CalendarDate($0)) }
        #expect(ended.holds(on: days[0]) && !ended.holds(on: days[1]))
    }

    private func near(_ plan: StoredPlan, _ given: [StoredEntry], hours: Double = 0) -> [String]? {
        TooNear(plan, given: given, at: Self.now.adding(.seconds(-3600 * hours)), borders: borders).map { near in
            [near.code.rawValue, "\((Self.now.since(near.other.at) / .seconds(360)).rounded() / 10)", "\(near.count)"]
        }
    }

    @Test func tooSoonButForAQuarterOfAnHour() throws {
        let six = try planned(["every_hours": .number(6)])
        #expect(near(six, [dose(2), dose(8)]) == ["TOO_SOON", "2.0", "1"])
        #expect(near(six, [dose(5.75)]) == nil)
        #expect(near(six, [dose(5.5)]) == ["TOO_SOON", "5.5", "0"])
        #expect(near(six, [dose(2)], hours: 5) == ["TOO_SOON", "2.0", "1"], "one that is logged later, before another")
        #expect(near(six, [dose(2, of: UUID(), name: "Iron"), dose(2, of: .some(nil), name: "Vitamin D")]) == nil)
        #expect(near(six, [dose(2, of: UUID())]) == ["TOO_SOON", "2.0", "1"], "the same medicine, by another plan")
        let byName = dose(2, of: .some(nil), name: " paracetamol ")
        #expect(near(six, [byName]) == ["TOO_SOON", "2.0", "1"], "logged by its name alone")
    }

    @Test func tooManyOfThePersonsDay() throws {
        let thrice = try planned(["max_per_day": .number(3)])
        #expect(near(thrice, [dose(1), dose(2), dose(4)]) == ["TOO_MANY", "1.0", "3"])
        #expect(near(thrice, [dose(1), dose(2), dose(6)]) == nil, "the day began at seven")
    }

    @Test func ofTwoInTheSameMinuteTheLaterIsSaidToWhoeverGaveIt() throws {
        let mine = dose(0, by: me)
        let theirs = dose(0.01)
        func pairs(_ person: UserID) throws -> [[UUID]] {
            TooNear.made(
                by: person, since: Self.now.adding(.seconds(-86_400)), of: [try planned(["every_hours": .number(6)])],
                among: [mine, theirs], borders: borders
            ).map { [$0.one.id, $0.near.other.id] }
        }
        #expect(try pairs(me) == [[mine.id, theirs.id]])
        #expect(try pairs(rosa) == [])
    }

    @Test func aPlanSaysHowOften() throws {
        #expect(
            try english.schedule(planned(["every_hours": .number(6), "max_per_day": .number(4)]))
                == "every 6 h, at most 4 times a day")
        #expect(
            try english.schedule(planned(["times": .list(["08:00", "14:00", "20:00"])]))
                == "at 08:00, 14:00 and 20:00")
        #expect(
            try english.schedule(planned(["max_per_day": .number(1)])) == "when needed, at most once a day")
    }
}
