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
            var at: Timestamp

            enum CodingKeys: String, CodingKey {
                case at
                case gap = "gap_minutes"
            }
        }

        struct Sleep: Decodable, Equatable {
            var since: Timestamp
            var gap: Double
            var at: Timestamp

            enum CodingKeys: String, CodingKey {
                case since, at
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
            let feed = NextFeed(entries, now: item.now)
                .map { Case.Feed(gap: ($0.gap / .seconds(6)).rounded() / 10, at: $0.at.truncatedToMilliseconds) }
            let sleep = NextSleep(entries, now: item.now)
                .map {
                    Case.Sleep(
                        since: $0.since, gap: ($0.gap / .seconds(6)).rounded() / 10, at: $0.at.truncatedToMilliseconds)
                }
            #expect(feed == item.expected.feed, "\(item.name)")
            #expect(sleep == item.expected.sleep, "\(item.name)")
        }
    }
}
