import BabyBasicsAPI
import Foundation
import Postgres
import TestSupport
import Testing

@testable import BabyBasicsServer

@Suite("What each field of an event may be")
struct EventRulesTests {
    let nursery: Nursery

    init() throws {
        nursery = try Nursery()
    }

    /// JSON texts that no field takes.
    private static let never = [
        "5", "-1", "true", "[]", "{}", "[\"x\"]", "1e400", "\"\\u0000\"", "\"a\\u0000b\"",
        "\"\\ud800\"", "\"\\u0007\"", "\"\\u007f\"",
    ]

    @Test("Values of a wrong type, NUL and lone surrogates name their field", arguments: Sample.all)
    func wrongTypes(_ sample: Sample) throws {
        guard case .object(let members) = sample.most else { throw Missing() }
        for name in members.keys {
            for value in Self.never + ["\"\"", "\"x\"", "\"wet \"", "\"BREAST\""]
            where !isRight(name, value, in: sample) {
                let base = sample.least.with(["type": members["type"], "nothing": 0]).with([name: nil]).text
                let body = base.dropLast() + ",\"\(name)\":\(value)}"
                let answer = nursery.send("POST", sample.kind, raw: String(body))
                #expect(answer.status == 400, "\(name) = \(value)")
                #expect(
                    answer.fields.contains(name) || value == "1e400",
                    "\(name) = \(value): \(answer.fields)")
                #expect(answer.code == "VALIDATION_ERROR")
            }
        }
    }

    private func isRight(_ name: String, _ value: String, in sample: Sample) -> Bool {
        switch name {
        case "notes", "dose": ["\"x\"", "\"\"", "\"wet \"", "\"BREAST\""].contains(value)
        case "content", "name": ["\"x\"", "\"wet \"", "\"BREAST\""].contains(value)
        case "amount_ml": value == "5"
        case "for_doctor": ["true", "false"].contains(value)
        // Of another type; they have their own tests.
        case "side", "food": sample.name == "feeding"
        default: false
        }
    }

    @Test("Deep brackets are refused, wherever they stand", arguments: Sample.all)
    func brackets(_ sample: Sample) throws {
        guard case .object(let members) = sample.most else { throw Missing() }
        for name in members.keys {
            let deep = String(repeating: "[", count: 10_000)
            for tail in ["", String(repeating: "]", count: 10_000)] {
                let body = sample.least.text.dropLast() + ",\"\(name)\":\(deep)\(tail)}"
                #expect(nursery.send("POST", sample.kind, raw: String(body)).status == 400)
            }
        }
    }

    @Test("What is required is required, also as null", arguments: Sample.all)
    func required(_ sample: Sample) throws {
        guard case .object(let members) = sample.least else { throw Missing() }
        for name in members.keys where name != "ended_at" {
            for value in [nil, JSON.null] as [JSON?] {
                let body = sample.least.with([name: value])
                // One that comes alone happens now, unless it says when.
                let item: JSON = ["type": .string(sample.name), "event": body]
                let prefix = "events[0].event."
                let batch = nursery.send("POST", "events", ["events": [item]])
                #expect(batch.fields == Set(sample.missing(name).map { prefix + $0 }))
                #expect(batch.json["error"]["details"][0]["reason"] == "required")
                let created = nursery.send("POST", sample.kind, body.with(["ended_at": nil]))
                if name == sample.time {
                    let now = nursery.server.clock.now().truncatedToMilliseconds.microsecondsSince1970
                    let at = try #require(Timestamp(created.json[sample.name][name].string.required()))
                    #expect(abs(now - at.microsecondsSince1970) < 10_000_000)
                    if sample.kind == "sleeps" { try nursery.server.database.execute("delete from events") }
                } else {
                    #expect(created.status == 400, "\(name)")
                    #expect(created.fields == sample.missing(name))
                }
            }
        }
        let event = try nursery.log(sample.kind, sample.least)
        let path = "\(sample.kind)/\(try event["id"].string.required())"
        for name in members.keys where name != "ended_at" {
            #expect(nursery.send("PATCH", path, [name: nil]).fields == sample.missing(name))
            let replacement = sample.least.with([name: nil])
            #expect(nursery.send("PUT", path, replacement).fields == sample.missing(name))
        }
        for body in ["", "[]", "null", "5", "{", "{\"type\":"] {
            #expect(nursery.send("POST", sample.kind, raw: body).status == 400)
            #expect(nursery.send("PATCH", path, raw: body).status == 400)
        }
    }

    @Test(
        "Times", arguments: Sample.all,
        [
            ("2026-02-25T12:00:00Z", "2026-02-25T12:00:00.000Z"),
            ("2026-02-25T12:00:00.123456Z", "2026-02-25T12:00:00.123Z"),
            ("2026-02-25t12:00:00z", "2026-02-25T12:00:00.000Z"),
            ("2026-02-25T12:00:00+14:00", "2026-02-24T22:00:00.000Z"),
            ("2026-02-25T12:00:00-12:00", "2026-02-26T00:00:00.000Z"),
            ("2024-02-29T23:59:59.999Z", "2024-02-29T23:59:59.999Z"),
            ("1900-01-01T00:00:00Z", "1900-01-01T00:00:00.000Z"),
            ("1899-12-31T23:59:59.999Z", nil), ("1900-01-01T00:00:00+14:00", nil),
            ("0000-01-01T00:00:00Z", nil), ("0001-01-01T00:00:00+14:00", nil),
            ("9999-12-31T23:59:59Z", nil), ("9999-12-31T23:59:59-14:00", nil),
            ("2016-12-31T23:59:60Z", nil), ("2026-02-29T12:00:00Z", nil),
            ("2026-02-25T24:00:00Z", nil), ("2026-02-25T12:60:00Z", nil),
            ("2026-02-25T12:00:00", nil), ("2026-02-25T12:00Z", nil), ("2026-02-25", nil),
            ("2026-02-25 12:00:00Z", nil), ("2026-02-25T12:00:00+24:00", nil),
            ("2026-02-25T12:00:00.Z", nil), ("1772020800", nil), ("now", nil), ("infinity", nil),
            ("", nil), (" 2026-02-25T12:00:00Z", nil),
        ] as [(String, String?)])
    func times(_ sample: Sample, _ time: (given: String, kept: String?)) {
        var body = sample.least.with([sample.time: .string(time.given)])
        if sample.kind == "sleeps", let kept = time.kept { body = body.with(["ended_at": .string(kept)]) }
        let answer = nursery.send("POST", sample.kind, body)
        #expect(answer.status == (time.kept == nil ? 400 : 201), "\(time.given)")
        if let kept = time.kept {
            #expect(answer.json[sample.name][sample.time].string == kept)
        } else {
            #expect(answer.fields.contains(sample.time))
        }
    }

    @Test("Five minutes ahead of the server and no more", arguments: Sample.all)
    func ahead(_ sample: Sample) throws {
        func time(_ seconds: Int) -> JSON {
            // Each request comes a second later.
            let now = nursery.server.clock.now().adding(.seconds(seconds + 1))
            return .string(now.truncatedToMilliseconds.description)
        }
        let body = sample.least.with(["ended_at": nil])
        let refused = nursery.send("POST", sample.kind, body.with([sample.time: time(305)]))
        #expect(refused.fields == [sample.time])
        #expect(refused.json["error"]["details"][0]["message"] == "is in the future")
        #expect(nursery.send("POST", sample.kind, body.with([sample.time: time(299)])).status == 201)
    }

    @Test("The end is at most 24 hours after the start, and not before it", arguments: Sample.all.filter(\.lasts))
    func ends(_ sample: Sample) throws {
        for (end, status) in [
            ("2026-02-25T12:00:00Z", 201), ("2026-02-26T12:00:00Z", 201),
            ("2026-02-26T12:00:00.001Z", 400), ("2026-02-25T11:59:59.999Z", 400),
            ("2026-02-25T13:00:00+02:00", 400), ("2026-02-25T13:00:00-02:00", 201),
        ] {
            let answer = nursery.send(
                "POST", sample.kind, sample.least.with(["ended_at": .string(end)]))
            #expect(answer.status == status, "\(end)")
            if status == 400 { #expect(answer.fields == ["ended_at"]) }
        }
        let event = try nursery.log(sample.kind, sample.least)
        let path = "\(sample.kind)/\(try event["id"].string.required())"
        #expect(nursery.send("PATCH", path, ["ended_at": "2026-02-25T12:30:00Z"]).status == 200)
        #expect(
            nursery.send("PATCH", path, ["started_at": "2026-02-25T12:31:00Z"]).fields
                == ["ended_at"])
        #expect(nursery.send("PATCH", path, ["started_at": "2026-02-25T12:30:00Z"]).status == 200)
        let open = nursery.send("PATCH", path, ["ended_at": nil])
        if sample.kind == "sleeps" {
            #expect(open.fields == ["started_at"], "it would go on since long ago")
        } else {
            #expect(open.json[sample.name]["ended_at"] == .null)
        }
    }

    @Test(
        "Amounts are more than 0 and at most 1000 once they are rounded to one decimal",
        arguments: [
            ("120", "120"), ("120.0", "120"), ("0.1", "0.1"), ("33.3", "33.3"), ("1000", "1000"),
            ("999.9", "999.9"), ("1e2", "100"), ("1E-1", "0.1"), ("0", nil), ("-0", nil),
            ("-5", nil), ("0.05", "0.1"), ("0.049", nil), ("33.33", "33.3"), ("118.294", "118.3"), ("88.75", "88.8"),
            ("1000.04", "1000"), ("1000.05", nil), ("1000.1", nil), ("1e400", nil), ("1e-400", nil), ("\"120\"", nil),
            ("true", nil), ("100.00000000000001", "100"), ("99999999999999999999", nil),
        ] as [(String, String?)])
    func amounts(_ given: String, _ kept: String?) {
        let body =
            #"{"type":"bottle","started_at":"2026-02-25T12:00:00Z","amount_ml":\#(given)}"#
        let answer = nursery.send("POST", "feedings", raw: body)
        #expect(answer.status == (kept == nil ? 400 : 201), "\(given)")
        if let kept {
            let text = String(decoding: answer.body, as: UTF8.self)
            #expect(text.contains("\"amount_ml\":\(kept),"), "\(text)")
            let id = answer.json["feeding"]["id"].string ?? ""
            let read = nursery.send("GET", "feedings/\(id)")
            #expect(read.body == answer.body)
        } else {
            #expect(answer.fields == ["amount_ml"])
        }
    }

    @Test(
        "Numbers of the other kinds: both bounds count, and some have no decimals",
        arguments: [
            ("pumpings", "amount_ml", ["0.1", "2000", "1999.9"], ["0", "-1", "2000.1", "2000.05"]),
            (
                "measurements", "weight_g", ["200", "60000", "4e3", "4350.0"],
                ["199", "199.9", "60001", "4350.5", "-4350"]
            ),
            ("measurements", "length_cm", ["20", "150", "54.5"], ["19.9", "150.1", "150.05"]),
            ("measurements", "head_cm", ["15", "70", "37.2"], ["14.9", "70.1", "70.05"]),
            ("temperatures", "celsius", ["30", "45", "37.8"], ["29.9", "45.1", "45.05", "\"38\""]),
        ] as [(String, String, [String], [String])])
    func numbers(_ kind: String, _ name: String, _ right: [String], _ wrong: [String]) throws {
        let sample = try Sample.all.first { $0.kind == kind }.required()
        func log(_ number: String) -> Answer {
            let base = sample.least.with(["weight_g": nil]).with([name: nil]).text.dropLast()
            return nursery.send("POST", kind, raw: "\(base),\"\(name)\":\(number)}")
        }
        for number in right {
            let answer = log(number)
            #expect(answer.status == 201, "\(number)")
            #expect(answer.json[sample.name][name].number == Double(number))
            let id = answer.json[sample.name]["id"].string ?? ""
            #expect(nursery.send("GET", "\(kind)/\(id)").body == answer.body)
        }
        for number in wrong {
            let answer = log(number)
            #expect(answer.status == 400, "\(number)")
            #expect(answer.fields == [name])
        }
    }

    @Test("A measurement has one of its three at least, whatever becomes of it")
    func atLeastOne() throws {
        let three: Set = ["weight_g", "length_cm", "head_cm"]
        let sample = try Sample.of("measurement")
        let nothing = sample.least.with(["weight_g": nil])
        let refused = nursery.send("POST", "measurements", nothing)
        #expect(refused.status == 400 && refused.fields == three)
        #expect(
            refused.json["error"]["details"][2]["message"] == "at least one of weight_g, length_cm, head_cm is required"
        )
        let nulls = nothing.with(["weight_g": .null, "length_cm": .null, "head_cm": .null])
        #expect(nursery.send("POST", "measurements", nulls).fields == three)
        let batch: JSON = ["events": [["type": "measurement", "event": nothing]]]
        #expect(nursery.send("POST", "events", batch).fields == Set(three.map { "events[0].event.\($0)" }))
        // A wrong value is a fault of its own.
        #expect(nursery.send("POST", "measurements", nothing.with(["head_cm": 5])).fields == ["head_cm"])
        for name in three {
            let one = nothing.with([name: name == "weight_g" ? 4000 : 50])
            #expect(nursery.send("POST", "measurements", one).status == 201)
        }

        let event = try nursery.log("measurements", sample.most)
        let path = "measurements/\(try event["id"].string.required())"
        #expect(nursery.send("PATCH", path, ["weight_g": nil, "head_cm": nil]).status == 200)
        #expect(nursery.send("PATCH", path, ["length_cm": nil]).fields == three)
        #expect(nursery.send("PATCH", path, ["notes": "Wriggled"]).status == 200)
        #expect(nursery.send("PUT", path, nothing).fields == three)
        let swapped = nursery.send("PATCH", path, ["length_cm": nil, "head_cm": 38])
        #expect(swapped.json["measurement"]["head_cm"] == 38 && swapped.json["measurement"]["length_cm"] == .null)
    }

    @Test("Text keeps its inside, loses white space at its ends, and has its length in code points")
    func texts() throws {
        /// What is kept of a text; "refused" where it is not taken.
        func kept(_ kind: String, _ name: String, _ text: String) throws -> JSON {
            let sample = try Sample.all.first { $0.kind == kind }.required()
            let base = name == "food" ? sample.least.with(["type": "solid"]) : sample.least
            let answer = nursery.send("POST", kind, base.with([name: .string(text)]))
            if answer.status == 400 { #expect(answer.fields == [name]) }
            return answer.status == 201 ? answer.json[sample.name][name] : "refused"
        }
        for (kind, name, max) in [
            ("feedings", "notes", 2000), ("diapers", "notes", 2000), ("notes", "notes", 2000),
            ("notes", "content", 5000), ("feedings", "food", 200), ("medications", "name", 100),
            ("medications", "dose", 50), ("activities", "name", 60),
        ] {
            for character in ["é", "👶"] {
                let text = String(repeating: character, count: max)
                #expect(try kept(kind, name, text) == .string(text))
            }
            #expect(try kept(kind, name, String(repeating: "x", count: max + 1)) == "refused")
            #expect(try kept(kind, name, "  \n x \u{2003}") == "x")
            #expect(try kept(kind, name, "a\u{1}b") == "refused")
            #expect(try kept(kind, name, "a\u{85}b") == "refused")
            let lines = "a\r\nb\tc\n\nd"
            let isLine = ["food", "name", "dose"].contains(name)
            #expect(try kept(kind, name, lines) == (isLine ? "refused" : .string(lines)))
            if isLine { #expect(try kept(kind, name, "a\u{202e}b") == "refused") }
        }
        #expect(try kept("feedings", "notes", " \n") == .null)
        #expect(try kept("notes", "content", " \n") == "refused")
        #expect(try kept("notes", "content", "") == "refused")
        #expect(try kept("feedings", "food", "") == .null)
        #expect(try kept("medications", "dose", " ") == .null)
        for nothing in ["", " ", "\u{200b}"] {
            #expect(try kept("medications", "name", nothing) == "refused")
            #expect(try kept("activities", "name", nothing) == "refused")
        }
    }

    @Test("A field of another type is refused by its name")
    func otherTypes() throws {
        let start: JSON = ["started_at": "2026-02-25T12:00:00Z"]
        for (type, name, value): (String, String, JSON) in [
            ("breast", "amount_ml", 100), ("breast", "content", "formula"),
            ("breast", "food", "pear"), ("bottle", "side", "left"), ("bottle", "food", "pear"),
            ("solid", "side", "left"), ("solid", "amount_ml", 100), ("solid", "content", "mixed"),
        ] {
            let body = start.with(["type": .string(type), "side": type == "breast" ? "left" : nil])
            let answer = nursery.send("POST", "feedings", body.with([name: value]))
            #expect(answer.status == 400, "\(type) \(name)")
            #expect(answer.fields == [name])
            #expect(nursery.send("POST", "feedings", body.with([name: .null])).status == 201)
        }
        #expect(
            nursery.send("POST", "feedings", start.with(["type": "breast"])).fields == ["side"])
        for side in ["left", "right", "both"] {
            let body = start.with(["type": "breast", "side": .string(side)])
            #expect(nursery.send("POST", "feedings", body).status == 201)
        }
        #expect(
            nursery.send("POST", "feedings", start.with(["type": "soup", "side": "left"])).fields
                == ["type"])
    }

    @Test("Every bad field is named")
    func severalProblems() {
        let answer = nursery.send(
            "POST", "feedings",
            ["id": "x", "type": "bottle", "amount_ml": 0, "content": "tea", "notes": 5])
        #expect(answer.fields == ["id", "amount_ml", "content", "notes"])
        let reasons = answer.json["error"]["details"].array.map { "\($0["field"].text) \($0["reason"].text)" }
        #expect(
            Set(reasons) == [
                #""id" "format""#, #""amount_ml" "too_small""#, #""content" "not_listed""#, #""notes" "type""#,
            ])
    }
}

extension Sample {
    /// Whether its kind has an end.
    fileprivate var lasts: Bool { most.keys.contains("ended_at") }

    /// The fields that an answer names where one of the smallest event is missing.
    fileprivate func missing(_ name: String) -> Set<String> {
        let kind = EventKind.all.first { $0.plural == self.kind }
        let choice = Set(kind.map { kind in kind.atLeastOneOf.map { kind.fields[$0].name } } ?? [])
        return choice.contains(name) ? choice : [name]
    }
}
