import Postgres
import TestSupport
import Testing

@testable import BabyBasicsServer

/// A newer worker beside this one may log kinds that this one does not know.
@Suite("Events of kinds that only a newer release knows")
struct NewerKindTests {
    @Test("Nobody's reading ends at them: they are passed over")
    func passedOver() throws {
        let nursery = try Nursery()
        let known = try nursery.log("diapers", ["type": "wet", "occurred_at": nursery.hoursAgo(0)])
        try nursery.server.database.script(
            """
            insert into events (family_id, child_id, kind, at, revision)
            select family_id, child_id, 99, at, revision + 1 from events;
            update feeds set last_revision = last_revision + 1
            """)
        let read = [
            nursery.send("GET", "timeline").json["events"][0]["event"],
            nursery.send("GET", "diapers").json["diapers"][0],
        ]
        #expect(read.allSatisfy { $0["id"] == known["id"] })
        #expect(nursery.send("GET", "dashboard").json["dashboard"]["totals"]["diapers"]["count"] == 1)
        let changes = nursery.server.send("GET", "families/\(nursery.family)/changes?since=0", as: nursery.parent).json
        #expect(changes["changes"].array.last?["id"] == known["id"])
        let revision = try known["revision"].number.required()
        #expect(try Int(changes["next_since"].number.required()) % (1 << 32) == Int(revision) + 1)
        #expect(changes["has_more"] == false)
        let timeline = nursery.send("GET", "timeline?limit=1").json
        #expect(timeline["count"] == 1 && timeline["next_cursor"] == .null)
    }

    @Test("Their identifiers are taken, and that is said", arguments: [false, true])
    func taken(isBatch: Bool) throws {
        let nursery = try Nursery()
        let known = try nursery.log("diapers", ["type": "wet", "occurred_at": nursery.hoursAgo(1)])
        try nursery.server.database.execute("update events set kind = 99")
        let event: JSON = ["id": known["id"], "type": "wet", "occurred_at": nursery.hoursAgo(1)]
        let answer =
            isBatch
            ? nursery.send("POST", "events", ["events": [["type": "diaper", "event": event]]])
            : nursery.send("POST", "diapers", event)
        #expect(answer.status == 409)
        #expect(answer.json["error"]["details"].array.map { $0["field"] } == [isBatch ? "events[0].event.id" : "id"])
        #expect(answer.json["error"]["details"].array.map { $0["reason"] } == ["taken"])
    }
}
