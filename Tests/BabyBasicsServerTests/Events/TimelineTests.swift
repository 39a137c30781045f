import BabyBasicsAPI
import Foundation
import Postgres
import TestSupport
import Testing

@Suite("Timeline and lists")
struct TimelineTests {
    let nursery: Nursery

    init() throws {
        nursery = try Nursery()
    }

    /// Events of all kinds, many at the same moment.
    private func fill(_ count: Int, from start: Int = 0) throws {
        let items = (start..<start + count).map { index -> JSON in
            let sample = Sample.all[index % Sample.all.count]
            let time = Timestamp(
                microsecondsSince1970: 1_770_000_000_000_000 + Int64(index / 6) * 60_000_000)
            return [
                "type": .string(sample.name),
                "event": sample.most.with([
                    sample.time: .string(time.description),
                    "ended_at": sample.kind == "sleeps" || sample.kind == "feedings"
                        ? .string(time.adding(.seconds(30)).description) : nil,
                ]),
            ]
        }
        let answer = nursery.send("POST", "events", ["events": .array(items)])
        guard answer.status == 201 else { throw Missing() }
    }

    private func walk(_ path: String, between: (Int) throws -> Void = { _ in }) throws -> [JSON] {
        var found: [JSON] = []
        var cursor: String?
        var pages = 0
        repeat {
            let query = cursor.map { "&cursor=\($0)" } ?? ""
            let answer = nursery.send("GET", path + query)
            guard answer.status == 200 else { throw Missing() }
            let list =
                answer.json["events"] != .null ? answer.json["events"] : answer.json["feedings"]
            #expect(answer.json["count"].number == Double(list.array.count))
            found += list.array
            cursor = answer.json["next_cursor"].string
            try between(pages)
            pages += 1
        } while cursor != nil && pages < 1000
        return found
    }

    private func isNewestFirst(_ items: [JSON]) -> Bool {
        zip(items, items.dropFirst()).allSatisfy { left, right in
            let (a, b) = (left["at"].string ?? "", right["at"].string ?? "")
            return a != b
                ? a > b : (left["event"]["id"].string ?? "") > (right["event"]["id"].string ?? "")
        }
    }

    @Test("All kinds merged, newest first, equal times by id", arguments: [1, 3, 7, 50, 200])
    func pages(_ limit: Int) throws {
        try fill(60)
        let items = try walk("timeline?limit=\(limit)")
        #expect(Set(items.map { $0["type"].string }) == Set(Sample.all.map(\.name)))
        #expect(items.count == 60)
        #expect(Set(items.map { $0["event"]["id"] }).count == 60)
        #expect(isNewestFirst(items))
        for item in items {
            let sample = try Sample.of(item["type"].string.required())
            #expect(item["at"] == item["event"][sample.time])
            #expect(item.keys == ["type", "at", "event"])
        }
        let single = try walk("feedings?limit=\(limit)")
        #expect(
            single == items.filter { $0["type"] == "feeding" }.map { $0["event"] })
    }

    @Test("A page is stable while events are added: nothing is missed, nothing comes twice")
    func insertsBetween() throws {
        try fill(90)
        let before = Set(
            nursery.send("GET", "timeline?limit=200").json["events"].array.map {
                $0["event"]["id"]
            })
        var added = 0
        let items = try walk("timeline?limit=7") { page in
            // Before, behind and at the very moments that the pages end at.
            try fill(6, from: (page * 13) % 100)
            added += 6
        }
        let ids = items.map { $0["event"]["id"] }
        #expect(Set(ids).count == ids.count)
        #expect(before.isSubset(of: ids))
        #expect(isNewestFirst(items))
        #expect(added > 0)
    }

    @Test("from and to are [from, to), together with a cursor too")
    func range() throws {
        for minute in 0..<6 {
            _ = try nursery.log(
                "diapers", ["type": "wet", "occurred_at": .string("2026-02-25T12:0\(minute):00Z")])
        }
        func minutes(_ query: String) -> [String] {
            nursery.send("GET", query).json["events"].array.map {
                String(($0["at"].string ?? "").dropFirst(14).prefix(2))
            }
        }
        let from = "from=2026-02-25T12:01:00Z"
        #expect(minutes("timeline?\(from)&to=2026-02-25T12:04:00Z") == ["03", "02", "01"])
        #expect(
            minutes("timeline?from=2026-02-25T13:01:00%2B01:00&to=2026-02-25T13:04:00+01:00")
                == ["03", "02", "01"])
        #expect(minutes("timeline?from=2026-02-25T12:04:00Z") == ["05", "04"])
        #expect(minutes("timeline?to=2026-02-25T12:02:00.001Z") == ["02", "01", "00"])
        #expect(minutes("timeline?from=2026-02-25T12:04:00Z&to=2026-02-25T12:04:00Z") == [])
        #expect(minutes("timeline?from=0001-01-01T00:00:00Z&to=9999-12-31T23:59:59Z").count == 6)
        let first = nursery.send("GET", "timeline?\(from)&limit=2").json
        let cursor = try first["next_cursor"].string.required()
        #expect(minutes("timeline?\(from)&limit=9&cursor=\(cursor)") == ["03", "02", "01"])
        #expect(
            minutes("timeline?\(from)&to=2026-02-25T12:03:00Z&cursor=\(cursor)") == ["02", "01"])
    }

    @Test("types names the kinds that are wanted")
    func types() throws {
        try fill(12)
        func types(_ value: String) -> Set<String?> {
            Set(
                nursery.send("GET", "timeline?types=\(value)").json["events"].array.map {
                    $0["type"].string
                })
        }
        #expect(types("feeding,sleep") == ["feeding", "sleep"])
        #expect(types("note") == ["note"])
        #expect(types("note,note") == ["note"])
        #expect(types("feeding%2Cdiaper") == ["feeding", "diaper"])
        #expect(types("sleep,note,diaper,feeding") == ["sleep", "note", "diaper", "feeding"])
    }

    @Test(
        "A query parameter that is not as described is named",
        arguments: [
            ("limit=0", "limit"), ("limit=201", "limit"), ("limit=", "limit"), ("limit", "limit"),
            ("limit=-1", "limit"), ("limit=1.5", "limit"), ("limit=%31%00", "limit"),
            ("limit=9999999999999999999", "limit"), ("limit=%D9%A1", "limit"),
            ("limit=1&limit=2", "limit"), ("from=x", "from"), ("from=2026-02-25", "from"),
            ("from=%", "from"), ("from=%2", "from"), ("from=%zz", "from"), ("from=%ff", "from"),
            ("from=2026-02-25T12:00:60Z", "from"), ("from=0000-01-01T00:00:00Z", "from"),
            ("to=10000-01-01T00:00:00Z", "to"), ("to=%00", "to"), ("cursor=", "cursor"),
            ("cursor=x", "cursor"), ("cursor=////////////////////////////////", "cursor"),
            ("cursor=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "cursor"),
            ("cursor=f_________________________________", "cursor"), ("types=", "types"),
            ("types=nap", "types"), ("types=feeding,", "types"), ("types=Feeding", "types"),
            ("types=feeding%00", "types"), ("types=feeding+sleep", "types"),
            ("types=feeding&types=sleep", "types"), ("%6cimit=0", "limit"),
        ])
    func badQueries(_ query: String, _ name: String) {
        let answer = nursery.send("GET", "timeline?\(query)")
        #expect(answer.status == 400, "\(query)")
        #expect(answer.fields == [name])
        if name != "types" {
            #expect(nursery.send("GET", "sleeps?\(query)").fields == [name])
        }
    }

    @Test("All bad parameters are named; unknown ones are ignored")
    func queries() throws {
        let answer = nursery.send("GET", "timeline?limit=0&from=x&to=y&cursor=z&types=w&u=%")
        #expect(answer.fields == ["limit", "from", "to", "cursor", "types"])
        #expect(nursery.send("GET", "timeline?u=%&%=x&&=&limit=200").status == 200)
        #expect(nursery.send("GET", "timeline?").status == 200)
    }

    @Test("Cursors of any 24 bytes are read or refused, never an error of ours")
    func cursors() throws {
        try fill(8)
        var random = SystemRandomNumberGenerator()
        for index in 0..<60 {
            var bytes = (0..<24).map { _ in UInt8.random(in: 0...255, using: &random) }
            // Times that make sense, too.
            if index.isMultiple(of: 2) { bytes[0] = 0 }
            let cursor = Data(bytes).base64EncodedString().replacing("+", with: "-").replacing(
                "/", with: "_")
            let status = nursery.send("GET", "timeline?cursor=\(cursor)").status
            #expect(status == 200 || status == 400)
            if index.isMultiple(of: 2) { #expect(status == 200) }
        }
    }
}
