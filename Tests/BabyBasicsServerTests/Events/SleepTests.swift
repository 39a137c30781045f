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

    @Test("A second sleep that goes on is a conflict that names the first, however it would come to be")
    func ongoing() throws {
        let first = nursery.send("POST", "sleeps", ["started_at": nursery.hoursAgo(5)])
        #expect(first.status == 201)
        let firstID = try first.json["sleep"]["id"].string.required()
        func namesFirst(_ answer: Answer, _ field: String = "started_at") {
            #expect(answer.status == 409)
            #expect(answer.code == "CONFLICT")
            #expect(
                answer.json["error"]["details"]
                    == [
                        [
                            "field": .string(field), "message": .string("A sleep is running: \(firstID)"),
                            "reason": "running",
                        ]
                    ])
        }
        namesFirst(nursery.send("POST", "sleeps", ["started_at": nursery.hoursAgo(4)]))
        let revision = try nursery.lastRevision()
        let ended = try nursery.log(
            "sleeps", ["started_at": nursery.hoursAgo(7), "ended_at": nursery.hoursAgo(6)])
        let path = "sleeps/\(try ended["id"].string.required())"
        namesFirst(nursery.send("PATCH", path, ["ended_at": nil]))
        namesFirst(nursery.send("PUT", path, ["started_at": nursery.hoursAgo(7)]))
        let firstPath = "sleeps/\(firstID)"
        #expect(nursery.send("DELETE", firstPath).status == 204)
        #expect(nursery.send("PATCH", path, ["ended_at": nil]).status == 200)
        #expect(nursery.send("POST", "\(firstPath)/restore").status == 409)
        #expect(nursery.send("PATCH", path, ["ended_at": nursery.hoursAgo(6)]).status == 200)
        #expect(nursery.send("POST", "\(firstPath)/restore").status == 200)
        #expect(try nursery.lastRevision() == revision + 5, "what is refused takes no number")
        let batch: JSON = [
            "events": [["type": "sleep", "event": ["started_at": nursery.hoursAgo(1)]]]
        ]
        namesFirst(nursery.send("POST", "events", batch), "events[0].event.started_at")
        let other = try nursery.server.child(of: nursery.family, by: nursery.parent, "Twin")
        #expect(
            nursery.send("POST", "sleeps", ["started_at": nursery.hoursAgo(1)], child: other).status
                == 201)
    }

    @Test("A sleep that nobody ended stands in the way until someone says when it did")
    func forgotten() throws {
        let start = nursery.hoursAgo(20)
        let old = try nursery.log("sleeps", ["started_at": start])
        let id = try old["id"].string.required()
        nursery.server.clock.advance(by: .seconds(9 * 86_400))
        let tonight: JSON = ["started_at": nursery.hoursAgo(0.1)]
        let blocked = nursery.send("POST", "sleeps", tonight)
        #expect(blocked.status == 409)
        #expect(
            blocked.json["error"]["details"][0]["message"].string == "A sleep is running: \(id)")
        #expect(nursery.send("PATCH", "sleeps/\(id)", ["notes": "?"]).status == 200)
        let tooLate = nursery.send("PATCH", "sleeps/\(id)", ["ended_at": nursery.hoursAgo(0)])
        #expect(tooLate.fields == ["ended_at"])
        let latest = nursery.hoursAgo(9 * 24 + 20 - 24 + 0.01)
        #expect(nursery.send("PATCH", "sleeps/\(id)", ["ended_at": latest]).status == 200)
        #expect(nursery.send("POST", "sleeps", tonight).status == 201)
        let long = nursery.send("POST", "sleeps", ["started_at": nursery.hoursAgo(24.1)])
        #expect(long.fields == ["started_at"], "400 before 409")
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
        func sleep(_ start: Double, _ end: Double?) -> Answer {
            nursery.send(
                "POST", "sleeps",
                ["started_at": nursery.hoursAgo(start), "ended_at": end.map { nursery.hoursAgo($0) } ?? .null])
        }
        let before = sleep(21, 20)
        let after = sleep(5, 4)
        let ongoing = sleep(19.9, nil)
        #expect(overlaps(ongoing) == [after.json["sleep"]["id"].string])
        let id = ongoing.json["sleep"]["id"].string
        #expect(overlaps(sleep(10, 9)) == [id])
        #expect(overlaps(sleep(20.5, 20.1)) == [before.json["sleep"]["id"].string])
        #expect(overlaps(sleep(20.4, 19)).count == 3)
    }

    @Test("Of many sleeps begun at once one goes on")
    func race() throws {
        let nursery = try Nursery(connections: 8)
        let start = nursery.hoursAgo(1)
        let answers = BabyBasicsServerTests.race(8) { index in
            nursery.server.send(
                "POST", "children/\(nursery.child)/sleeps",
                as: index.isMultiple(of: 2) ? nursery.parent : nursery.caregiver,
                ["started_at": start]
            ).status
        }
        #expect(answers.sorted() == [201] + Array(repeating: 409, count: 7))
        let count = try nursery.server.database.count("sleeps")
        #expect(count == 1)
    }
}
