import BabyBasicsAPI
import Foundation
import Testing

@testable import BabyBasicsKit

/// The cases that server, kit and web app share; how they were made is told beside them.
@Suite struct DashboardCases {
    struct Case: Decodable, CustomTestStringConvertible, Sendable {
        var name: String
        var timezone: String
        var dayStartTime: String
        var now: Timestamp
        var date: CalendarDate?
        var events: [Item]
        var deleted: [String]?
        var expected: Expected
        var testDescription: String { name }
    }

    struct Item: Decodable, Sendable {
        var type: String
        var event: [String: Lenient]
    }

    struct Lenient: Decodable, Sendable {
        var value: EntryValue?
        init(from decoder: any Decoder) throws { value = try? EntryValue(from: decoder) }
    }

    struct Expected: Decodable, Sendable {
        struct Day: Decodable, Sendable {
            var date: CalendarDate
            var startsAt: Timestamp
            var endsAt: Timestamp
        }
        struct Totals: Decodable, Sendable {
            struct Feedings: Decodable, Sendable {
                var count: Int
                var bottleMl: Tenths
                var breastMinutes: Int
            }
            struct Diapers: Decodable, Sendable {
                var count, wet, dirty, mixed, dry: Int
            }
            struct Sleep: Decodable, Sendable {
                var count, minutes, longestMinutes: Int
            }
            struct Notes: Decodable, Sendable { var count: Int }
            var feedings: Feedings
            var diapers: Diapers
            var sleep: Sleep
            var notes: Notes
        }
        struct WeekDay: Decodable, Sendable {
            var date: CalendarDate
            var feedings: Int
            var bottleMl: Tenths
            var diapers: Int
            var sleepMinutes: Int
        }
        var day: Day
        var totals: Totals
        var last: [String: String?]
        var ongoing: [String: String?]
        var week: [WeekDay]
    }

    static let directory = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures/dashboard")

    static func cases() throws -> [Case] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path)
            .filter { $0.hasSuffix(".json") }.sorted().flatMap {
                try JSONDecoder.contract.decode(
                    [Case].self, from: Data(contentsOf: directory.appending(path: $0)))
            }
    }

    @Test func thereAreMany() throws {
        #expect(try Self.cases().count >= 40)
    }

    @Test func everyCaseComesOut() throws {
        for item in try Self.cases() { try check(item) }
    }

    private func check(_ item: Case) throws {
        let borders = try #require(
            DayBorders(timezone: item.timezone, dayStart: item.dayStartTime))
        let deleted = Set(item.deleted ?? [])
        let entries = try item.events.compactMap { event -> StoredEntry? in
            var fields = event.event.compactMapValues(\.value)
            let id = try #require(fields.removeValue(forKey: "id")?.text)
            guard !deleted.contains(id) else { return nil }
            return StoredEntry(
                id: try #require(UUID(uuidString: id)), kind: event.type,
                childID: ChildID(UUID()), fields: fields,
                author: Author(userId: nil, name: ""), createdAt: item.now,
                updatedAt: item.now)
        }
        let summary = DaySummary(
            entries: entries, borders: borders, now: item.now, date: item.date)
        let expected = item.expected
        let name = Comment(rawValue: item.name)
        #expect(summary.date == expected.day.date, name)
        #expect(summary.startsAt == expected.day.startsAt, name)
        #expect(summary.endsAt == expected.day.endsAt, name)
        let totals = expected.totals
        #expect(
            summary.feedings
                == DaySummary.Feedings(
                    count: totals.feedings.count, bottleMl: totals.feedings.bottleMl,
                    breastMinutes: totals.feedings.breastMinutes), name)
        #expect(
            summary.diapers
                == DaySummary.Diapers(
                    count: totals.diapers.count, wet: totals.diapers.wet,
                    dirty: totals.diapers.dirty, mixed: totals.diapers.mixed,
                    dry: totals.diapers.dry), name)
        #expect(
            summary.sleep
                == DaySummary.Sleep(
                    count: totals.sleep.count, minutes: totals.sleep.minutes,
                    longestMinutes: totals.sleep.longestMinutes), name)
        #expect(summary.notes == totals.notes.count, name)
        for (kind, id) in expected.last {
            #expect(summary.last[kind]?.id.text == id, "\(item.name): last \(kind)")
        }
        #expect(summary.ongoingSleep?.id.text == expected.ongoing["sleep"] ?? nil, name)
        #expect(summary.ongoingFeeding?.id.text == expected.ongoing["feeding"] ?? nil, name)
        #expect(
            summary.week
                == expected.week.map {
                    DaySummary.DayOfWeek(
                        date: $0.date, feedings: $0.feedings, bottleMl: $0.bottleMl,
                        diapers: $0.diapers, sleepMinutes: $0.sleepMinutes)
                }, name)
    }
}
