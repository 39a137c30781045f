import BabyBasicsAPI
import Postgres
import TestSupport
import Testing

@testable import BabyBasicsServer

@Suite("Doses that come too soon, or too often")
struct DoseWarningTests {
    let nursery: Nursery

    init() throws { nursery = try Nursery(connections: 8) }

    private func plan(_ more: [String: JSON]) throws -> JSON {
        let body: [String: JSON] = ["name": "Paracetamol", "starts_on": "2026-01-01"]
        return try .string(
            nursery.send("POST", "plans", .object(body.merging(more) { $1 })).json["plan"]["id"].string.required())
    }

    private func give(
        _ plan: JSON, at time: JSON, as user: TestUser? = nil
    ) throws -> (id: String, warnings: [JSON], path: String) {
        let answer = nursery.send(
            "POST", "medications", ["name": "Paracetamol", "plan_id": plan, "occurred_at": time], as: user)
        #expect(answer.status == 201)
        let id = try answer.json["medication"]["id"].string.required()
        return (id, answer.json["warnings"].array, "medications/\(id)")
    }

    private func warning(_ code: String, _ other: String) -> JSON {
        ["code": .string(code), "event_id": .string(other)]
    }

    @Test(
        "Too soon: nearer than the plan's hours by more than a quarter of one, in either direction; stored all the same"
    )
    func tooSoon() throws {
        let plan = try plan(["every_hours": 6])
        let first = try give(plan, at: nursery.hoursAgo(20))
        #expect(first.warnings == [])
        let soon = try give(plan, at: nursery.hoursAgo(20 - 5.7))
        #expect(soon.warnings == [warning("TOO_SOON", first.id)])
        #expect(nursery.send("GET", soon.path).status == 200)
        #expect(try give(plan, at: nursery.hoursAgo(20 - 5.7 - 5.8)).warnings == [], "a quarter of an hour is nothing")
        let between = try give(plan, at: nursery.hoursAgo(20 - 1))
        #expect(between.warnings == [warning("TOO_SOON", first.id)], "the nearest")
        #expect(nursery.send("DELETE", first.path).status == 204)
        let moved = nursery.send("PATCH", between.path, ["occurred_at": nursery.hoursAgo(20)])
        #expect(moved.json["warnings"].array == [warning("TOO_SOON", soon.id)])
    }

    @Test("Doses of another plan, of none, of another child, or of a plan that is gone are not in the way")
    func others() throws {
        let plan = try plan(["every_hours": 6])
        let other = try self.plan(["every_hours": 6])
        _ = try give(other, at: nursery.hoursAgo(1))
        _ = try nursery.log("medications", ["name": "Paracetamol", "occurred_at": nursery.hoursAgo(1)])
        #expect(try give(plan, at: nursery.hoursAgo(1)).warnings == [])
        #expect(nursery.send("DELETE", "plans/\(try plan.string.required())").status == 204)
        #expect(try give(plan, at: nursery.hoursAgo(1)).warnings == [])
    }

    @Test("Too many: of the caller's day, which begins when the caller says")
    func tooMany() throws {
        let plan = try plan(["max_per_day": 2])
        // Noon in New York.
        let day = "2026-10-10"
        let first = try give(plan, at: .string("\(day)T16:00:00Z"))
        let second = try give(plan, at: .string("\(day)T20:00:00Z"))
        #expect(first.warnings == [] && second.warnings == [])
        let third = try give(plan, at: "2026-10-11T02:00:00Z")
        #expect(third.warnings == [warning("TOO_MANY", second.id)])
        #expect(try give(plan, at: "2026-10-11T11:00:00Z").warnings == [], "seven in the morning is another day")
        #expect(
            nursery.server.send("PATCH", "users/me", as: nursery.caregiver, ["timezone": "Asia/Tokyo"]).status == 200)
        let tokyo = try give(plan, at: "2026-10-10T21:59:00Z", as: nursery.caregiver)
        #expect(tokyo.warnings == [warning("TOO_MANY", second.id)], "6:59 in Tokyo: of the day with the first three")
        #expect(
            try give(plan, at: "2026-10-10T22:01:00Z", as: nursery.caregiver).warnings == [
                warning("TOO_MANY", third.id)
            ])
    }

    @Test("In a batch each dose is looked at against those before it")
    func batch() throws {
        let plan = try plan(["every_hours": 6])
        let events = [3.0, 2.0].map { hours -> JSON in
            [
                "type": "medication",
                "event": ["name": "Paracetamol", "plan_id": plan, "occurred_at": nursery.hoursAgo(hours)],
            ]
        }
        let answer = nursery.send("POST", "events", ["events": .array(events)])
        let places = answer.json["events"].array
        #expect(places[0]["warnings"] == .null)
        #expect(places[1]["warnings"].array == [warning("TOO_SOON", try places[0]["event"]["id"].string.required())])
    }

    @Test("Of two caregivers who give the same medicine in the same second one gets the warning, always")
    func race() throws {
        let body: [String: JSON] = ["name": "Paracetamol", "starts_on": "2026-01-01"]
        let people = [nursery.parent, nursery.caregiver]
        for (kind, round) in (0..<20).flatMap({ [("every_hours", $0), ("max_per_day", $0)] }) {
            let plan = nursery.send("POST", "plans", .object(body.merging([kind: 1]) { $1 })).json["plan"]["id"]
            let time = nursery.hoursAgo(1)
            let (server, child) = (nursery.server, nursery.child)
            let answers = BabyBasicsServerTests.race(2) { number in
                server.send(
                    "POST", "children/\(child)/medications", as: people[number],
                    ["name": "Paracetamol", "plan_id": plan, "occurred_at": time])
            }
            #expect(answers.map(\.status) == [201, 201])
            let warned = answers.map { $0.json["warnings"].array }
            let plain = try #require(warned.firstIndex(of: []), "\(kind) \(round): both were warned")
            let code = kind == "every_hours" ? "TOO_SOON" : "TOO_MANY"
            let other = try answers[plain].json["medication"]["id"].string.required()
            #expect(warned[1 - plain] == [warning(code, other)], "\(kind) \(round)")
            // Each plan is alone with its doses.
            #expect(nursery.send("DELETE", "plans/\(try plan.string.required())").status == 204)
        }
    }
}
