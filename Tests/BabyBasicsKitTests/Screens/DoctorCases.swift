import BabyBasicsAPI
import Foundation
import Testing

@testable import BabyBasicsKit

/// What the web app and the kit say to a doctor: the cases that they share.
@Suite struct DoctorCases {
    private struct Case: Decodable {
        var name: String
        var asked: Asked
        var events: [SharedCases.Item]
        var expected: Expected

        struct Asked: Decodable {
            var from, to: CalendarDate
            var now: Timestamp
            var timezone, dayStart: String
        }
    }

    private struct Expected: Decodable, Equatable {
        var fullDays: Int
        var sums: Sums
        var longestSleepMinutes: Int
        var temperatures: [Temperature]
        var medicines: [Medicine]
        var notes: [Note]

        struct Sums: Decodable, Equatable {
            var feedings: Int
            var bottleMl: Tenths
            var breastMinutes, solids, sleepMinutes, diapers, wet, dirty: Int
        }
        struct Temperature: Decodable, Equatable {
            var at: Timestamp
            var celsius: Tenths
            var site: String?
        }
        struct Medicine: Decodable, Equatable {
            var name: String
            var count: Int
            var last: Timestamp
            var doses: [String]
        }
        struct Note: Decodable, Equatable {
            var at: Timestamp
            var content: String
        }
    }

    private func expected(_ report: DoctorReport) -> Expected {
        let sums = report.sums
        return Expected(
            fullDays: report.fullDays,
            sums: .init(
                feedings: sums.feedings, bottleMl: sums.bottleMl, breastMinutes: sums.breastMinutes,
                solids: sums.solids, sleepMinutes: sums.sleepMinutes, diapers: sums.diapers, wet: sums.wet,
                dirty: sums.dirty),
            longestSleepMinutes: report.longestSleepMinutes,
            temperatures: report.temperatures.map { .init(at: $0.at, celsius: $0.celsius, site: $0.site) },
            medicines: report.medicines.map { .init(name: $0.name, count: $0.count, last: $0.last, doses: $0.doses) },
            notes: report.notes.map { .init(at: $0.at, content: $0.content) })
    }

    @Test func cases() throws {
        let cases = try SharedCases.read("doctor/cases.json", [Case].self)
        #expect(cases.count >= 5)
        for item in cases {
            let asked = item.asked
            let borders = try #require(DayBorders(timezone: asked.timezone, dayStart: asked.dayStart))
            for entries in [item.events.compactMap(\.entry), item.events.reversed().compactMap(\.entry)] {
                let report = DoctorReport(entries, from: asked.from, to: asked.to, borders: borders, now: asked.now)
                #expect(expected(report) == item.expected, "\(item.name)")
                #expect(report.days.count == asked.from.through(asked.to).count)
                #expect(report.days.compactMap { $0 }.allSatisfy { asked.from <= $0.id && $0.id <= asked.to })
                #expect((report.means == nil) == (report.fullDays == 0))
            }
        }
    }

    @Test func aDayOnAverageIsOfTheDaysThatAreOverAndKnown() throws {
        let item = try #require(
            try SharedCases.read("doctor/cases.json", [Case].self).first { $0.expected.fullDays == 2 })
        let asked = item.asked
        let borders = try #require(DayBorders(timezone: asked.timezone, dayStart: asked.dayStart))
        let report = DoctorReport(
            item.events.compactMap(\.entry), from: asked.from, to: asked.to, borders: borders, now: asked.now)
        let means = try #require(report.means)
        #expect(means.feedings == 2 && means.bottleMl == 75.3 && means.breastMinutes == 6 && means.wet == 1)
        // Two days of which nothing is known, two that are full, and today, which goes on.
        #expect(report.days.map { $0?.feedings } == [nil, nil, 2, 2, 1])
    }
}
