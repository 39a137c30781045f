import BabyBasicsAPI
import Foundation
import Testing

@testable import BabyBasicsKit

/// A month of days, a search, pumped milk and what is asked in the night: the cases that the web app and the kit share.
@Suite struct FindingCases {
    private struct MonthCase: Decodable {
        var name, month, timezone, dayStart: String
        var events: [SharedCases.Item]
        var dates: Int
        var expected: [String: [String]]
    }

    @Test func months() throws {
        let cases = try SharedCases.read("month/cases.json", [MonthCase].self)
        #expect(cases.count >= 5)
        for item in cases {
            let borders = try #require(DayBorders(timezone: item.timezone, dayStart: item.dayStart))
            for day in ["01", "28"] {
                let date = try #require(CalendarDate("\(item.month)-\(day)"))
                let month = Month(item.events.compactMap(\.entry), holding: date, borders: borders)
                let found = month.days.filter { !$0.kinds.isEmpty }.map { ($0.id.description, $0.kinds) }
                #expect(Dictionary(uniqueKeysWithValues: found) == item.expected, "\(item.name)")
                #expect(month.days.count == item.dates && month.id.description == "\(item.month)-01", "\(item.name)")
            }
        }
    }

    @Test(arguments: [
        ("2026-01-31", -1, "2025-12-01"), ("2026-12-01", 1, "2027-01-01"), ("2026-03-15", -14, "2025-01-01"),
    ])
    func monthsBeforeAndAfterOverTheYearsEnd(date: String, months: Int, first: String) throws {
        let date = try #require(CalendarDate(date))
        #expect(Month.first(holding: date, after: months).description == first)
    }

    private struct SearchCase: Decodable {
        var type, query: String
        var event: [String: EntryValue?]
        var found: Bool
    }

    @Test func searches() throws {
        let cases = try SharedCases.read("search/cases.json", [SearchCase].self)
        #expect(cases.count >= 15)
        for item in cases {
            let entry = try #require(SharedCases.Item(type: item.type, event: item.event).entry)
            #expect(EntrySearch(item.query).finds(entry) == item.found, "\(item.query) in \(item.event)")
        }
    }

    @Test func aSearchIsAlsoByKindAndByWhoLogged() throws {
        let (rosa, tom) = (UserID(UUID()), UserID(UUID()))
        func note(_ kind: String, by person: UserID?) -> StoredEntry {
            StoredEntry(
                id: UUID(), kind: kind, childID: ChildID(UUID()), fields: ["notes": .text("a rash")],
                author: Author(userId: person, name: ""), createdAt: .systemNow, updatedAt: .systemNow)
        }
        let all = [
            note("diaper", by: rosa), note("feeding", by: rosa), note("diaper", by: tom), note("diaper", by: nil),
        ]
        func places(_ search: EntrySearch) -> [Int] { all.indices.filter { search.finds(all[$0]) } }
        #expect(places(EntrySearch("rash")) == [0, 1, 2, 3])
        #expect(places(EntrySearch("rash", kinds: ["diaper"])) == [0, 2, 3])
        #expect(places(EntrySearch("rash", person: rosa)) == [0, 1])
        #expect(places(EntrySearch("rash", kinds: ["diaper"], person: tom)) == [2])
        #expect(places(EntrySearch("", person: tom)) == [2] && places(EntrySearch("fever", person: tom)).isEmpty)
    }

    private struct MilkCase: Decodable {
        var name: String
        var now: Timestamp
        var events: [SharedCases.Item]
        var expected: Expected

        struct Expected: Decodable, Equatable {
            var ml: Tenths
            var oldest: Timestamp?
        }
    }

    @Test func milk() throws {
        let cases = try SharedCases.read("milk/cases.json", [MilkCase].self)
        #expect(cases.count >= 12)
        for item in cases {
            for events in [item.events, item.events.reversed()] {
                let stash = MilkStash(events.compactMap(\.entry), now: item.now)
                #expect(MilkCase.Expected(ml: stash.milliliters, oldest: stash.oldest) == item.expected, "\(item.name)")
            }
        }
    }

    private struct NightCase: Decodable {
        var name: String
        var asked: Asked
        var events: [SharedCases.Item]
        var expected: Expected

        struct Asked: Decodable {
            var now: Timestamp
            var timezone, dayStart: String
            var born: CalendarDate
        }
        struct Expected: Decodable, Equatable {
            var feeds24H: Int
            var longestSleep: Longest
            var wetAt: Timestamp?
        }
        struct Longest: Decodable, Equatable {
            var thisWeekMinutes, lastWeekMinutes: Int
        }
    }

    @Test func nights() throws {
        let cases = try SharedCases.read("asked/cases.json", [NightCase].self)
        #expect(cases.count >= 8)
        for item in cases {
            let borders = try #require(DayBorders(timezone: item.asked.timezone, dayStart: item.asked.dayStart))
            for events in [item.events, item.events.reversed()] {
                let asked = AskedInTheNight(
                    events.compactMap(\.entry), born: item.asked.born, borders: borders, now: item.asked.now)
                let found = NightCase.Expected(
                    feeds24H: asked.feedsOfADay,
                    longestSleep: .init(
                        thisWeekMinutes: asked.longestSleepThisWeek, lastWeekMinutes: asked.longestSleepLastWeek),
                    wetAt: asked.wetAt)
                #expect(found == item.expected, "\(item.name)")
            }
        }
    }
}
