import BabyBasicsAPI
import Foundation
import Testing

@testable import BabyBasicsKit

/// What the web app and the kit compute of the last days: the cases that they share.
@Suite struct LatelyCases {
    private static let start = Timestamp(milliseconds: 1_781_092_800_000)
    private let me = UserID(UUID())
    private let rosa = UserID(UUID())

    private static func cases<Cases: Decodable>(_ name: String, _ type: Cases.Type) throws -> Cases {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fixtures/lately/\(name).json")
        return try JSONDecoder().decode(Cases.self, from: Data(contentsOf: file))
    }

    private static func at(_ minutes: Double) -> Timestamp { start.adding(.seconds(60 * minutes)) }

    private func entry(
        _ kind: String, _ fields: Fields, id: UUID = UUID(), author: UserID? = nil, editor: UserID? = nil,
        touched: Timestamp = LatelyCases.start
    ) -> StoredEntry {
        StoredEntry(
            id: id, kind: kind, childID: ChildID(UUID()), fields: fields, author: Author(userId: author, name: ""),
            createdAt: touched, updatedAt: touched, editorID: editor)
    }

    // MARK: Doses

    private struct Doses: Decodable {
        struct Case: Decodable {
            var name: String
            var given: [Dose]
            var shown: [Dose]
        }
        struct Dose: Decodable, Equatable {
            var hours: Double
            var name: String

            init(hours: Double, name: String) { (self.hours, self.name) = (hours, name) }

            init(from decoder: any Decoder) throws {
                var list = try decoder.unkeyedContainer()
                self.init(hours: try list.decode(Double.self), name: try list.decode(String.self))
            }
        }
        var cases: [Case]
    }

    @Test func doses() throws {
        for item in try Self.cases("doses", Doses.self).cases {
            let given = item.given.map {
                let at = Self.at(-60 * $0.hours).description
                return entry("medication", ["name": .text($0.name), "occurred_at": .text(at)])
            }
            let shown = given.lastDoses(at: Self.start).map {
                Doses.Dose(hours: Self.start.since($0.at) / .seconds(3600), name: $0.fields["name"]?.text ?? "")
            }
            #expect(shown == item.shown, "\(item.name)")
        }
    }

    // MARK: Feeds

    private struct Feeds: Decodable {
        struct Case: Decodable {
            var name: String
            var lately: [Feed]
            var last: Feed?
            var solidsCount: Bool
            var counted: Double?
        }
        struct Start: Decodable {
            var feed: Feed
            var fromEnd: Bool
            var start: Double
        }
        struct Feed: Decodable {
            var type: String
            var from: Double
            var to: Double?

            init(from decoder: any Decoder) throws {
                var list = try decoder.unkeyedContainer()
                type = try list.decode(String.self)
                from = try list.decode(Double.self)
                to = list.isAtEnd ? nil : try list.decode(Double.self)
            }
        }
        var cases: [Case]
        var starts: [Start]
    }

    private func stored(_ feed: Feeds.Feed) -> StoredEntry {
        var fields: Fields = ["type": .text(feed.type), "started_at": .text(Self.at(feed.from).description)]
        fields["ended_at"] = feed.to.map { .text(Self.at($0).description) }
        return entry("feeding", fields)
    }

    @Test func feeds() throws {
        let all = try Self.cases("feeds", Feeds.self)
        for item in all.cases {
            var clock = FeedClock()
            clock.solidsCount = item.solidsCount
            let lately = item.lately.map { stored($0) }
            let found = clock.feed(lately, last: item.last.map { stored($0) } ?? lately.first)
            #expect(found?.at == item.counted.map { Self.at($0) }, "\(item.name)")
        }
        for item in all.starts {
            var clock = FeedClock()
            clock.fromEnd = item.fromEnd
            #expect(clock.start(after: stored(item.feed)) == Self.at(item.start))
        }
    }

    // MARK: Sides

    private struct Sides: Decodable {
        struct Case: Decodable {
            var name: String
            var changes: [Change]
            var now, left, right: Double
            var last: BreastSide?
            var isPaused: Bool
            var fields: FieldChanges
        }
        struct Untouched: Decodable {
            var feed: Fields
            var changes: [Change]
        }
        struct Change: Decodable {
            var minute: Double
            var side: BreastSide?

            init(from decoder: any Decoder) throws {
                var list = try decoder.unkeyedContainer()
                minute = try list.decode(Double.self)
                side = try list.decodeNil() ? nil : list.decode(BreastSide.self)
            }
        }
        var cases: [Case]
        var untouched: [Untouched]
    }

    private func clock(_ changes: [Sides.Change]) -> BreastClock {
        BreastClock(changes: changes.map { .init(at: Self.at($0.minute), side: $0.side) })
    }

    @Test func sides() throws {
        let all = try Self.cases("sides", Sides.self)
        for item in all.cases {
            let clock = clock(item.changes)
            let standing = clock.standing(at: Self.at(item.now))
            #expect(standing.last == item.last && standing.isPaused == item.isPaused, "\(item.name)")
            for (side, minutes) in [(BreastSide.left, item.left), (.right, item.right)] {
                #expect(standing.taken[side] ?? .zero == .seconds(60 * minutes), "\(item.name)")
            }
            #expect(clock.fields(at: Self.at(item.now)) == item.fields, "\(item.name)")
        }
        for item in all.untouched {
            var fields = item.feed
            fields["started_at"] = .text(Self.start.description)
            #expect(BreastClock(of: entry("feeding", fields)) == clock(item.changes))
        }
    }

    // MARK: Overlaps

    private struct OverlapCases: Decodable {
        struct Found: Decodable {
            var name: String
            var one: Sleep
            var others: [Sleep]
            var found: [String]
        }
        struct Sleep: Decodable {
            var id: String
            var from: Double
            var to: Double?

            init(from decoder: any Decoder) throws {
                var list = try decoder.unkeyedContainer()
                id = try list.decode(String.self)
                from = try list.decode(Double.self)
                to = try list.decodeNil() ? nil : list.decode(Double.self)
            }
        }
        struct Made: Decodable {
            var name: String
            var sleeps: [Touched]
            var since: Double
            var pairs: [[String]]
        }
        struct Touched: Decodable {
            var id: String
            var from: Double
            var to: Double?
            var by: String
            var editor: String?
            var touched: Double
        }
        var of: [Found]
        var made: [Made]
    }

    private func sleep(
        _ id: String, _ from: Double, _ to: Double?, touched: Double = 0, by: String = "me", editor: String? = nil
    ) throws -> StoredEntry {
        var fields: Fields = ["started_at": .text(Self.at(from).description)]
        fields["ended_at"] = to.map { .text(Self.at($0).description) }
        let number = try #require(id.utf8.first)
        let named = try #require(UUID(uuidString: "00000000-0000-7000-8000-0000000000\(String(number, radix: 16))"))
        func who(_ name: String) -> UserID { name == "me" ? me : rosa }
        return entry(
            "sleep", fields, id: named, author: who(by), editor: editor.map(who), touched: Self.at(touched))
    }

    @Test func overlaps() throws {
        let all = try Self.cases("overlaps", OverlapCases.self)
        func name(_ entry: StoredEntry) -> String { String(UnicodeScalar(entry.id.uuid.15)) }
        for item in all.of {
            let sleeps = try ([item.one] + item.others).map { try sleep($0.id, $0.from, $0.to) }
            #expect(Overlaps.of(sleeps[0], among: sleeps).map(name) == item.found, "\(item.name)")
        }
        for item in all.made {
            let sleeps = try item.sleeps.map {
                try sleep($0.id, $0.from, $0.to, touched: $0.touched, by: $0.by, editor: $0.editor)
            }
            let pairs = Overlaps.made(by: me, since: Self.at(item.since), among: sleeps)
            #expect(pairs.map { [name($0.one), name($0.other)] } == item.pairs, "\(item.name)")
        }
    }
}
