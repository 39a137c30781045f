import BabyBasicsAPI
import Foundation
import Postgres
import TestSupport
import Testing

@Suite("Sleeps")
struct SleepTests {
    let nursery: Nursery

    init() throws {
        nursery = try Nursery()
    }

    private func sleep(_ start: String, _ end: String?) -> Answer {
        nursery.send(
            "POST", "sleeps",
            [
                "started_at": .string("2026-02-\(start):00Z"),
                "ended_at": end.map { .string("2026-02-\($0):00Z") } ?? .null,
            ])
    }

    private func overlaps(_ answer: Answer) -> [String?] {
        let warnings = answer.json["warnings"].array
        #expect(warnings.allSatisfy { $0["code"] == "OVERLAP" && $0.keys == ["code", "event_id"] })
        return warnings.map { $0["event_id"].string }
    }

    @Test("A second sleep that goes on is a conflict, however it would come to be")
    func ongoing() throws {
        let first = sleep("25T12:00", nil)
        #expect(first.status == 201)
        let second = sleep("25T13:00", nil)
        #expect(second.status == 409)
        #expect(second.code == "CONFLICT")
        let revision = try nursery.lastRevision()
        let ended = try nursery.log(
            "sleeps", ["started_at": "2026-02-20T12:00:00Z", "ended_at": "2026-02-20T13:00:00Z"])
        let path = "sleeps/\(try ended["id"].string.required())"
        #expect(nursery.send("PATCH", path, ["ended_at": nil]).status == 409)
        #expect(nursery.send("PUT", path, ["started_at": "2026-02-20T12:00:00Z"]).status == 409)
        let firstPath = "sleeps/\(try first.json["sleep"]["id"].string.required())"
        #expect(nursery.send("DELETE", firstPath).status == 204)
        #expect(nursery.send("PATCH", path, ["ended_at": nil]).status == 200)
        #expect(nursery.send("POST", "\(firstPath)/restore").status == 409)
        #expect(nursery.send("PATCH", path, ["ended_at": "2026-02-20T13:00:00Z"]).status == 200)
        #expect(nursery.send("POST", "\(firstPath)/restore").status == 200)
        #expect(try nursery.lastRevision() == revision + 5, "what is refused takes no number")
        let batch: JSON = [
            "events": [["type": "sleep", "event": ["started_at": "2026-02-25T14:00:00Z"]]]
        ]
        #expect(nursery.send("POST", "events", batch).status == 409)
        let other = try nursery.server.child(of: nursery.family, by: nursery.parent, "Twin")
        #expect(
            nursery.send("POST", "sleeps", ["started_at": "2026-02-25T12:00:00Z"], child: other)
                .status == 201)
    }

    @Test("Overlaps are kept with a warning; touching ends are none")
    func overlap() throws {
        let night = sleep("24T20:00", "25T06:00")
        let id = night.json["sleep"]["id"].string
        #expect(night.json.keys == ["sleep"], "no warning without an overlap")
        #expect(overlaps(sleep("25T06:00", "25T07:00")) == [])
        #expect(overlaps(sleep("24T19:00", "24T20:00")) == [])
        #expect(overlaps(sleep("24T23:00", "24T23:30")) == [id])
        #expect(overlaps(sleep("24T18:00", "24T19:00")) == [])
        let around = sleep("24T12:00", "25T12:00")
        #expect(around.status == 201)
        #expect(overlaps(around).count == 5)
        let aroundPath = "sleeps/\(try around.json["sleep"]["id"].string.required())"
        let shorter = nursery.send(
            "PATCH", aroundPath, ["ended_at": "2026-02-24T20:00:01Z"])
        #expect(overlaps(shorter).count == 3)
        #expect(overlaps(nursery.send("PATCH", aroundPath, [:])) == overlaps(shorter))
        #expect(nursery.send("DELETE", aroundPath).status == 204)
        #expect(overlaps(nursery.send("POST", "\(aroundPath)/restore")) == overlaps(shorter))
        _ = nursery.send("DELETE", aroundPath)
        #expect(overlaps(sleep("24T20:00", "24T20:01")) == [id], "deleted ones do not count")
    }

    @Test("A sleep that goes on overlaps everything after its start, and nothing before")
    func ongoingOverlap() throws {
        let before = sleep("10T12:00", "10T13:00")
        let after = sleep("25T12:00", "25T13:00")
        let ongoing = sleep("10T13:00", nil)
        #expect(overlaps(ongoing) == [after.json["sleep"]["id"].string])
        let id = ongoing.json["sleep"]["id"].string
        #expect(overlaps(sleep("20T12:00", "20T13:00")) == [id])
        #expect(overlaps(sleep("10T12:30", "10T13:00")) == [before.json["sleep"]["id"].string])
        #expect(overlaps(sleep("10T12:45", "10T13:01")).count == 3)
    }

    @Test("Of many sleeps begun at once one goes on")
    func race() throws {
        let nursery = try Nursery(connections: 8)
        let answers = BabyBasicsServerTests.race(8) { index in
            nursery.server.send(
                "POST", "children/\(nursery.child)/sleeps",
                as: index.isMultiple(of: 2) ? nursery.parent : nursery.caregiver,
                ["started_at": .string("2026-02-25T12:0\(index):00Z")]
            ).status
        }
        #expect(answers.sorted() == [201] + Array(repeating: 409, count: 7))
        let count = try nursery.server.database.count("sleeps")
        #expect(count == 1)
    }
}
