import BabyBasicsAPI
import Postgres
import TestSupport
import Testing

@testable import BabyBasicsServer

@Suite("Medicine plans")
struct PlanTests {
    let nursery: Nursery

    init() throws { nursery = try Nursery() }

    static let id = "0199c3a5-7d7a-7c3e-9a51-2f6b8a1d4e70"
    static let whole: JSON = [
        "id": .string(id), "name": "Paracetamol", "dose": "2.5 ml", "every_hours": 6, "max_per_day": 4,
        "starts_on": "2026-03-15", "ends_on": "2026-04-15", "notes": "After a meal",
    ]

    @Test("Made, read, changed, deleted and brought back; with a revision each time")
    func life() throws {
        let made = nursery.send("POST", "plans", Self.whole)
        #expect(made.status == 201)
        let plan = made.json["plan"]
        #expect(
            plan.with(["revision": nil, "created_at": nil, "updated_at": nil]).text
                == Self.whole.with(["child_id": .string(nursery.child), "times": .null]).text)
        #expect(made.headers["ETag"] == "\"\(Int(plan["revision"].number ?? 0))\"")
        let path = "plans/\(Self.id)"
        #expect(nursery.send("GET", path, as: nursery.caregiver).json["plan"] == plan)
        let changed = nursery.send("PATCH", path, ["every_hours": nil, "times": ["20:00", "08:00"], "dose": ""])
        #expect(changed.json["plan"]["times"] == ["08:00", "20:00"])
        #expect(changed.json["plan"]["every_hours"] == .null)
        #expect(changed.json["plan"]["dose"] == .null)
        #expect(changed.json["plan"]["notes"] == "After a meal")
        #expect(nursery.send("PATCH", path, [:]).json["plan"] == changed.json["plan"])
        #expect(nursery.send("PATCH", path, ["dose": "1 ml"], headers: ["HTTP_IF_MATCH": "\"1\""]).status == 412)
        #expect(nursery.send("DELETE", path).status == 204)
        #expect(nursery.send("GET", path).status == 404)
        #expect(nursery.send("GET", "plans").json["count"] == 0)
        let back = nursery.send("POST", "\(path)/restore")
        #expect(back.status == 200)
        #expect(nursery.send("GET", "plans").json["plans"] == [back.json["plan"]])
        #expect(nursery.send("POST", "\(path)/restore").json["plan"] == back.json["plan"])
        let actions = try nursery.server.database.texts(
            "select action from audit_logs where entity_type = 'plan' order by created_at, id")
        #expect(actions == ["create", "update", "delete", "update"])
    }

    @Test(
        "Sent again it is answered as it is; of somebody else or of another child the id is taken; deleted it is gone")
    func again() throws {
        #expect(nursery.send("POST", "plans", Self.whole).status == 201)
        #expect(nursery.send("POST", "plans", Self.whole.with(["name": "Other"])).status == 200)
        let other = try nursery.server.member("Sarah", of: nursery.family, as: "parent", by: nursery.parent)
        #expect(nursery.send("POST", "plans", Self.whole, as: other).status == 409)
        let sibling = try nursery.server.child(of: nursery.family, by: nursery.parent, "Ana")
        #expect(nursery.send("POST", "plans", Self.whole, child: sibling).status == 409)
        #expect(nursery.send("GET", "plans/\(Self.id)", child: sibling).status == 404)
        #expect(nursery.send("DELETE", "plans/\(Self.id)").status == 204)
        #expect(nursery.send("POST", "plans", Self.whole).status == 410)
        // Another family's plan may have it.
        let family = try nursery.server.family(of: nursery.stranger)
        let child = try nursery.server.child(of: family, by: nursery.stranger)
        #expect(nursery.send("POST", "plans", Self.whole, as: nursery.stranger, child: child).status == 201)
    }

    @Test("What is not as described is named")
    func refused() {
        let bad: [(JSON, Set<String>)] = [
            ([:], ["name", "starts_on"]),
            (Self.whole.with(["times": ["08:00"]]), ["times"]),
            (Self.whole.with(["every_hours": 0]), ["every_hours"]),
            (Self.whole.with(["every_hours": 169]), ["every_hours"]),
            (Self.whole.with(["every_hours": nil, "times": ["08:00", "08:00"]]), ["times"]),
            (Self.whole.with(["every_hours": nil, "times": ["8:00"]]), ["times"]),
            (Self.whole.with(["every_hours": nil, "times": []]), ["times"]),
            (Self.whole.with(["every_hours": nil, "times": .array((10..<19).map { .string("\($0):00") })]), ["times"]),
            (Self.whole.with(["max_per_day": 25]), ["max_per_day"]),
            (Self.whole.with(["ends_on": "2026-03-14"]), ["ends_on"]),
            (Self.whole.with(["starts_on": "1899-12-31", "name": " "]), ["starts_on", "name"]),
            (Self.whole.with(["dose": .string(String(repeating: "x", count: 51))]), ["dose"]),
        ]
        for (body, fields) in bad {
            let answer = nursery.send("POST", "plans", body)
            #expect(answer.status == 400, "\(body.text)")
            #expect(answer.fields == fields, "\(body.text)")
        }
        #expect(nursery.send("POST", "plans", Self.whole).status == 201)
        let patch = nursery.send("PATCH", "plans/\(Self.id)", ["name": nil, "starts_on": nil, "times": ["08:00"]])
        #expect(patch.fields == ["name", "starts_on", "times"])
    }

    @Test("A child has fifty at most; one more does not come back either")
    func ceiling() throws {
        for number in 0..<50 {
            #expect(
                nursery.send("POST", "plans", ["name": .string("\(number)"), "starts_on": "2026-01-01"]).status == 201)
        }
        #expect(nursery.send("POST", "plans", Self.whole).status == 409)
        let first = try nursery.send("GET", "plans").json["plans"][0]["id"].string.required()
        #expect(nursery.send("DELETE", "plans/\(first)").status == 204)
        #expect(nursery.send("POST", "plans", Self.whole).status == 201)
        #expect(nursery.send("POST", "plans/\(first)/restore").status == 409)
    }

    @Test("The feed has it as the single answer does, and its deletion")
    func feed() throws {
        _ = nursery.send("POST", "plans", Self.whole)
        let times = nursery.send(
            "POST", "plans", ["name": "Vitamin D", "times": ["08:00", "20:00"], "starts_on": "2026-01-01"]
        ).json["plan"]
        var follower = Follower(nursery.server, nursery.family)
        try follower.catchUp(as: nursery.caregiver)
        let id = try times["id"].string.required()
        #expect(
            follower.things["plan"] == [
                Self.id: nursery.send("GET", "plans/\(Self.id)").json["plan"], id: times,
            ])
        _ = nursery.send("DELETE", "plans/\(Self.id)")
        try follower.catchUp(as: nursery.caregiver)
        #expect(follower.things["plan"] == [id: times])
        var fresh = Follower(nursery.server, nursery.family)
        try fresh.catchUp(as: nursery.caregiver)
        #expect(fresh.things["plan"] == [id: times])
    }

    @Test("A dose keeps its plan's id, as it was written, whatever became of the plan")
    func doses() throws {
        let dose = try nursery.log(
            "medications",
            ["occurred_at": nursery.hoursAgo(1), "name": "Paracetamol", "plan_id": .string(Self.id.uppercased())])
        #expect(dose["plan_id"].string == Self.id)
        let path = "medications/\(try dose["id"].string.required())"
        #expect(nursery.send("PATCH", path, ["plan_id": nil]).json["medication"]["plan_id"] == .null)
        let bad = nursery.send("POST", "medications", ["name": "Paracetamol", "plan_id": "Paracetamol"])
        #expect(bad.fields == ["plan_id"])
    }
}
