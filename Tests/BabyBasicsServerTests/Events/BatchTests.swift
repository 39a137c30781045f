import Foundation
import Postgres
import TestSupport
import Testing

@Suite("Batches of events")
struct BatchTests {
    let nursery: Nursery

    init() throws {
        nursery = try Nursery()
    }

    private func item(_ type: String, _ event: JSON) -> JSON {
        ["type": .string(type), "event": event]
    }

    private func batch(_ items: [JSON], as user: TestUser? = nil) -> Answer {
        nursery.send("POST", "events", ["events": .array(items)], as: user)
    }

    private func countAll() throws -> Int {
        try Sample.all.reduce(0) { try $0 + nursery.server.database.count($1.kind) }
    }

    private func id() -> JSON { .string(UUID().uuidString.lowercased()) }

    @Test("Who shows no session is refused before the body is read")
    func strangers() {
        let note = item("note", ["content": .string(String(repeating: "ä", count: 1000)), "occurred_at": "x"])
        let body: JSON = ["events": .array(Array(repeating: note, count: 400))]
        let path = "children/\(nursery.child)/events"
        func seconds(_ status: Int, as user: TestUser?) -> Double {
            let start = Date()
            #expect(nursery.server.send("POST", path, as: user, body).status == status)
            return Date().timeIntervalSince(start)
        }
        let (member, stranger) = (seconds(400, as: nursery.parent), seconds(401, as: nil))
        #expect(stranger < member / 2)
    }

    @Test("Events of all kinds in one request, in its order, each with a number of its own")
    func order() throws {
        let before = try nursery.lastRevision()
        let items = (0..<12).map { index in
            let sample = Sample.all[(index * 7) % Sample.all.count]
            return item(sample.name, sample.most.with([sample.time: "2026-02-25T12:00:00Z"]))
        }
        let answer = batch(items, as: nursery.caregiver)
        #expect(answer.status == 201)
        #expect(answer.json["count"] == 12)
        let events = answer.json["events"].array
        #expect(events.map { $0["type"] } == items.map { $0["type"] })
        #expect(
            events.map { $0["event"]["revision"] }
                == (1...12).map { .number(Double(before + $0)) })
        #expect(try nursery.lastRevision() == before + 12)
        for event in events {
            #expect(event["at"] == "2026-02-25T12:00:00.000Z")
            #expect(event["event"]["created_by"]["name"] == "Maria")
            let kind = try Sample.of(event["type"].string.required()).kind
            let path = "\(kind)/\(event["event"]["id"].string ?? "")"
            #expect(
                nursery.send("GET", path).json[event["type"].string ?? ""] == event["event"])
        }
        let sleeps = events.filter { $0["type"] == "sleep" }
        #expect(sleeps.allSatisfy { $0["warnings"].array.count == sleeps.count - 1 })
        #expect(try nursery.server.database.count("audit_logs where entity_type = 'note'") == 0)
    }

    @Test("One bad event refuses all, and every bad field is named with its place")
    func atomic() throws {
        let good = item("note", Sample.all[3].least)
        let bad = item("feeding", Sample.all[0].most.with(["amount_ml": 0, "side": "left"]))
        let before = try nursery.lastRevision()
        let answer = batch([
            good, good, good, bad, item("nap", [:]), ["event": [:]], item("diaper", 5), 7,
            item("note", ["content": "x", "occurred_at": "9999-01-01T00:00:00Z", "id": 5]),
            item("sleep", [:]), ["type": "note"],
        ])
        #expect(answer.status == 400)
        #expect(
            answer.fields == [
                "events[3].event.amount_ml", "events[3].event.side", "events[4].type",
                "events[5].type", "events[6].event", "events[7]",
                "events[8].event.id", "events[8].event.occurred_at", "events[9].event.started_at",
                "events[10].event",
            ])
        #expect(try countAll() == 0)
        #expect(try nursery.lastRevision() == before)
        let conflict = batch([
            good, item("sleep", ["started_at": nursery.hoursAgo(2)]),
            item("sleep", ["started_at": nursery.hoursAgo(1)]),
        ])
        #expect(conflict.status == 409)
        #expect(conflict.fields == ["events[2].event.started_at"])
        #expect(try countAll() == 0)
    }

    @Test("Identifiers that exist answer with what exists, whatever the body says")
    func replays() throws {
        let first = id()
        let second = id()
        let items = [
            item("note", Sample.all[3].least.with(["id": first])),
            item("sleep", Sample.all[2].most.with(["id": second])),
        ]
        let made = batch(items)
        let revision = try nursery.lastRevision()
        let again = batch(items)
        #expect(again.status == 201)
        #expect(again.body == made.body)
        #expect(try nursery.lastRevision() == revision)
        let mixed = batch([
            item("note", Sample.all[3].least), item("sleep", ["id": second, "type": "soup"]),
            item("note", ["id": first]),
        ])
        #expect(mixed.status == 201)
        #expect(mixed.json["events"][1]["event"] == made.json["events"][1]["event"])
        #expect(mixed.json["events"][2]["event"] == made.json["events"][0]["event"])
        #expect(try countAll() == 3)
        let twice = id()
        let body = Sample.all[3].least.with(["id": twice])
        let double = batch([item("note", body), item("note", body)])
        #expect(double.status == 201)
        #expect(double.json["events"][0] == double.json["events"][1])
        #expect(try countAll() == 4)
    }

    @Test("Identifiers of anything else are conflicts that name their place")
    func taken() throws {
        let used = id()
        _ = try nursery.log("notes", Sample.all[3].least.with(["id": used]))
        let good = item("note", Sample.all[3].least)
        for (other, user): (JSON, TestUser) in [
            (item("note", Sample.all[3].least.with(["id": used])), nursery.caregiver),
            (item("diaper", Sample.all[1].least.with(["id": used])), nursery.parent),
        ] {
            let answer = batch([good, other], as: user)
            #expect(answer.status == 409)
            #expect(answer.fields == ["events[1].event.id"])
        }
        #expect(nursery.send("DELETE", "notes/\(used.string ?? "")").status == 204)
        let twice = id()
        let kinds = batch([
            item("note", Sample.all[3].least.with(["id": twice])),
            item("diaper", Sample.all[1].least.with(["id": twice])),
        ])
        #expect(kinds.status == 409)
        #expect(try countAll() == 1)
    }

    @Test("Every event that stands in the way is named, so that the rest can be sent")
    func inTheWay() throws {
        let running = try nursery.log("sleeps", ["started_at": nursery.hoursAgo(3)], as: nursery.caregiver)
        let used = id()
        _ = try nursery.log("diapers", Sample.all[1].least.with(["id": used]))
        let items = [
            item("diaper", Sample.all[1].least.with(["id": id()])),
            item("sleep", ["started_at": nursery.hoursAgo(2), "id": id()]),
            item("note", Sample.all[3].least.with(["id": used])),
            item("sleep", ["started_at": nursery.hoursAgo(1)]),
            item("note", Sample.all[3].least),
        ]
        let answer = batch(items)
        #expect(answer.status == 409)
        #expect(
            answer.fields == [
                "events[1].event.started_at", "events[2].event.id", "events[3].event.started_at",
            ])
        let message = "A sleep is running: \(try running["id"].string.required())"
        let messages = answer.json["error"]["details"].array.filter {
            $0["field"].string?.hasSuffix("started_at") ?? false
        }
        #expect(messages.allSatisfy { $0["message"].string == message })
        let rest = batch([items[0], items[4]])
        #expect(rest.status == 201)
        #expect(try nursery.server.database.count("diapers") == 2)
    }

    @Test("Of two running sleeps of one batch the second is named, with the first one's id")
    func runningTwice() throws {
        let first = id()
        let items = [
            item("sleep", ["started_at": nursery.hoursAgo(2), "id": first]),
            item("sleep", ["started_at": nursery.hoursAgo(1), "id": id()]),
        ]
        let answer = batch(items)
        #expect(answer.status == 409)
        #expect(answer.fields == ["events[1].event.started_at"])
        #expect(
            answer.json["error"]["details"][0]["message"].string
                == "A sleep is running: \(first.string ?? "")")
        #expect(batch([items[0]]).status == 201)
        #expect(batch(items).fields == ["events[1].event.started_at"], "the first was sent before")
        #expect(batch([items[0], item("note", Sample.all[3].least)]).status == 201)
    }

    @Test("What was deleted stays so, and does not keep the others back")
    func deleted() throws {
        let gone = id()
        let path = "diapers/\(gone.string ?? "")"
        let items = [
            item("diaper", Sample.all[1].least.with(["id": gone])),
            item("note", Sample.all[3].least.with(["id": id()])),
        ]
        #expect(batch([items[0]], as: nursery.caregiver).status == 201)
        #expect(nursery.send("DELETE", path).status == 204)
        for _ in 0..<2 {
            let answer = batch(items, as: nursery.caregiver)
            #expect(answer.status == 201)
            #expect(answer.json["count"] == 2)
            #expect(
                answer.json["events"][0]
                    == ["type": "diaper", "id": gone, "event": nil, "deleted": true])
            #expect(answer.json["events"][1]["event"]["content"] == "Smiled!")
        }
        #expect(try nursery.server.database.count("notes") == 1)
        #expect(nursery.send("GET", path).status == 404)
        let elsewhere = batch([item("note", Sample.all[3].least.with(["id": gone]))])
        #expect(elsewhere.fields == ["events[0].event.id"], "of another kind it is taken")
    }

    @Test("A batch costs the same number of round trips whatever its size")
    func roundTrips() throws {
        _ = batch([item("note", Sample.all[3].least)])
        for count in [1, 5, 500] {
            let items = (0..<count).map { index in
                let sample = Sample.all[index % 2 == 0 ? 0 : 3]
                return item(sample.name, sample.least.with(["id": id()]))
            }
            #expect(batch(items).status == 201)
            #expect(try nursery.server.roundTripsOfLastRequest() == 1, "\(count)")
        }
        _ = batch([item("sleep", Sample.all[2].least)])
        #expect(try nursery.server.roundTripsOfLastRequest() == 2, "overlaps are asked for afterwards")
    }

    @Test("1 to 500 events in an array of objects")
    func size() throws {
        let note = item("note", Sample.all[3].least)
        #expect(batch([]).fields == ["events"])
        #expect(nursery.send("POST", "events", [:]).fields == ["events"])
        #expect(nursery.send("POST", "events", ["events": 5]).fields == ["events"])
        #expect(nursery.send("POST", "events", ["events": nil]).fields == ["events"])
        #expect(nursery.send("POST", "events", ["events": ["0": note]]).fields == ["events"])
        #expect(batch(Array(repeating: note, count: 501)).fields == ["events"])
        #expect(try countAll() == 0)
        let full = batch(Array(repeating: note, count: 500))
        #expect(full.status == 201)
        #expect(full.json["count"] == 500)
        #expect(try countAll() == 500)
    }

    @Test("A batch may have 1 MiB; every other body 64 KiB, before anything else is looked at")
    func bodies() throws {
        func padded(_ bytes: Int) -> String {
            let start =
                #"{"events":[{"type":"note","event":{"content":"x","occurred_at":"2026-02-25T12:00:00Z"}}]"#
            return start + String(repeating: " ", count: bytes - start.utf8.count - 1) + "}"
        }
        #expect(nursery.send("POST", "events", raw: padded(1 << 20)).status == 201)
        #expect(nursery.send("POST", "events", raw: padded(1 << 20 + 1)).status == 413)
        #expect(nursery.send("POST", "notes", raw: padded(65_536)).status == 400)
        for (method, path) in [
            ("POST", "notes"), ("PATCH", "notes/x"), ("GET", "timeline"), ("POST", "nothing"),
            ("PUT", "events"),
        ] {
            let answer = nursery.send(method, path, raw: padded(65_537))
            #expect(answer.status == 413, "\(method) \(path)")
            #expect(answer.code == "PAYLOAD_TOO_LARGE")
        }
        let nobody = nursery.server.send("POST", "auth/login", raw: padded(65_537))
        #expect(nobody.status == 413)
    }
}
