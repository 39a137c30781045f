import Foundation
import Postgres
import TestSupport
import Testing

@Suite("Moving an event to another child")
struct MoveTests {
    let nursery: Nursery
    let twin: String

    init() throws {
        nursery = try Nursery(connections: 8)
        twin = try nursery.server.child(of: nursery.family, by: nursery.parent, "Twin")
    }

    @Test("To another child of the family: one change, and the old place is empty", arguments: Sample.all)
    func moves(_ sample: Sample) throws {
        let event = try nursery.log(sample.kind, sample.least)
        let id = try event["id"].string.required()
        let path = "\(sample.kind)/\(id)"
        let before = try nursery.lastRevision()
        let moved = nursery.send(
            "PATCH", path, ["child_id": .string(twin), "notes": "wrong twin"], as: nursery.caregiver)
        #expect(moved.status == 200)
        #expect(moved.json[sample.name]["child_id"].string == twin)
        #expect(moved.json[sample.name]["notes"] == "wrong twin")
        #expect(try nursery.lastRevision() == before + 1)
        #expect(nursery.send("GET", path).status == 404)
        #expect(nursery.send("PATCH", path, ["notes": "x"]).status == 404)
        #expect(nursery.send("GET", path, child: twin).json == moved.json)
        #expect(nursery.send("GET", sample.kind).json["count"] == 0)
        #expect(nursery.send("GET", "timeline", child: twin).json["count"] == 1)
        let feed = nursery.server.send(
            "GET", "families/\(nursery.family)/changes?since=\(before)", as: nursery.parent)
        let changes = feed.json["changes"].array
        #expect(changes.count == 1)
        #expect(changes.first?["op"] == "upsert")
        #expect(changes.first?["data"]["child_id"].string == twin)
        let audited = try nursery.server.database.texts(
            "select changes #>> '{child_id,old}' from audit_logs where entity_id = \(id)::uuid")
        #expect(audited == [nursery.child])
    }

    @Test("A child elsewhere, an unknown one and none are refused; PUT does not move")
    func refused() throws {
        let family = try nursery.server.family(of: nursery.parent, "Second")
        let elsewhere = try nursery.server.child(of: family, by: nursery.parent)
        let event = try nursery.log("notes", Sample.all[3].least)
        let path = "notes/\(try event["id"].string.required())"
        for child in [.string(elsewhere), .string(UUID().uuidString), .null, 5, "x"] as [JSON] {
            let answer = nursery.send("PATCH", path, ["child_id": child, "notes": 5])
            #expect(answer.status == 400)
            #expect(answer.fields == ["child_id", "notes"])
        }
        let same = nursery.send("PATCH", path, ["child_id": .string(nursery.child.uppercased())])
        #expect(same.status == 200)
        #expect(same.json["note"] == event, "it is there already")
        let put = nursery.send("PUT", path, Sample.all[3].least.with(["child_id": .string(twin)]))
        #expect(put.status == 200)
        #expect(put.json["note"]["child_id"].string == nursery.child)
    }

    @Test("At the new place its sleeps count: one that runs, and those that overlap")
    func sleeps() throws {
        let running = try nursery.log("sleeps", ["started_at": nursery.hoursAgo(3)])
        let path = "sleeps/\(try running["id"].string.required())"
        let other = nursery.send("POST", "sleeps", ["started_at": nursery.hoursAgo(2)], child: twin)
        let otherID = try other.json["sleep"]["id"].string.required()
        let conflict = nursery.send("PATCH", path, ["child_id": .string(twin)])
        #expect(conflict.status == 409)
        #expect(
            conflict.json["error"]["details"]
                == [
                    [
                        "field": "started_at", "message": .string("A sleep is running: \(otherID)"),
                        "reason": "running",
                    ]
                ])
        let moved = nursery.send(
            "PATCH", path, ["child_id": .string(twin), "ended_at": nursery.hoursAgo(1)])
        #expect(moved.status == 200)
        #expect(moved.json["warnings"][0]["event_id"].string == otherID)
    }

    @Test("Moved and deleted at once it is one of both")
    func race() throws {
        let (nursery, twin) = (nursery, twin)
        for _ in 0..<8 {
            let event = try nursery.log("notes", Sample.all[3].least)
            let id = try event["id"].string.required()
            let statuses = BabyBasicsServerTests.race(2) { index in
                index == 0
                    ? nursery.send("PATCH", "notes/\(id)", ["child_id": .string(twin)]).status
                    : nursery.send("DELETE", "notes/\(id)").status
            }
            #expect([[200, 404], [404, 204]].contains(statuses))
        }
    }
}
