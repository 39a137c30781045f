import BabyBasicsAPI
import Foundation
import Testing

@testable import BabyBasicsKit

/// What the web app and the kit say of what may come next: the cases that they share.
@Suite struct NextCases {
    private struct Case: Decodable {
        var name: String
        var now: Timestamp
        var events: [Item]
        var expected: Expected

        struct Item: Decodable {
            var type: String
            var event: [String: EntryValue?]
        }

        struct Expected: Decodable {
            var feed: Feed?
            var sleep: Sleep?
        }

        struct Feed: Decodable, Equatable {
            var gap: Double
            var at, from, to: Timestamp

            enum CodingKeys: String, CodingKey {
                case at, from, to
                case gap = "gap_minutes"
            }
        }

        struct Sleep: Decodable, Equatable {
            var since: Timestamp
            var gap: Double
            var at, from, to: Timestamp

            enum CodingKeys: String, CodingKey {
                case since, at, from, to
                case gap = "gap_minutes"
            }
        }
    }

    private static func cases() throws -> [Case] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fixtures/next/cases.json")
        return try JSONDecoder().decode([Case].self, from: Data(contentsOf: file))
    }

    private func stored(_ item: Case.Item) -> StoredEntry? {
        var fields = item.event.compactMapValues { $0 }
        guard fields["deleted_at"] == nil else { return nil }
        fields["id"] = nil
        return StoredEntry(
            id: UUID(), kind: item.type, childID: ChildID(UUID()), fields: fields,
            author: Author(userId: nil, name: ""), createdAt: .systemNow, updatedAt: .systemNow)
    }

    @Test func cases() throws {
        let cases = try Self.cases()
        #expect(cases.count >= 22)
        for item in cases {
            let entries = item.events.compactMap { stored($0) }
            let feed = NextFeed(entries, now: item.now).map {
                Case.Feed(gap: minutes($0.gap), at: shown($0.at), from: shown($0.from), to: shown($0.to))
            }
            let sleep = NextSleep(entries, now: item.now).map {
                Case.Sleep(
                    since: $0.since, gap: minutes($0.gap), at: shown($0.at), from: shown($0.from), to: shown($0.to))
            }
            #expect(feed == item.expected.feed, "\(item.name)")
            #expect(sleep == item.expected.sleep, "\(item.name)")
        }
    }

    private func minutes(_ gap: Duration) -> Double { (gap / .seconds(6)).rounded() / 10 }

    private func shown(_ time: Timestamp) -> Timestamp { time.truncatedToMilliseconds }

    @Test func whatMayComeIsSaidToTenMinutes() throws {
        func at(_ time: String) throws -> Timestamp { try #require(Timestamp("2026-06-10T\(time):00Z")) }
        func told(_ time: String, _ from: String, _ to: String) throws -> String {
            let clock = { (time: Timestamp) in english.clock(time) }
            let text = english.about(try at(time), from: try at(from), to: try at(to))
            // Clocks of twelve hours or of twenty-four, as the machine has them.
            return try ["14:00", "14:10", "14:20", "15:00"].reduce(text) { text, time in
                text.replacing(clock(try at(time)), with: time)
            }
        }
        #expect(try told("14:14", "14:09", "14:51") == "about 14:10 (14:00 to 15:00)")
        #expect(try told("14:15", "14:10", "14:20") == "about 14:20 (14:10 to 14:20)")
        #expect(try told("14:10", "14:10", "14:10") == "about 14:10")
    }
}
