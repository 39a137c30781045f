import Postgres
import TestSupport
import Testing

@Suite("Merge patches of events")
struct MergePatchTests {
    let nursery: Nursery

    init() throws {
        nursery = try Nursery()
    }

    private func patch(_ id: String, _ changes: JSON) -> Answer {
        nursery.send("PATCH", "feedings/\(id)", changes)
    }

    @Test("Null takes away what is optional; what is not named stays")
    func null() throws {
        let event = try nursery.log("feedings", Sample.all[0].most)
        let id = try event["id"].string.required()
        let answer = patch(id, ["ended_at": nil, "notes": nil, "amount_ml": nil])
        #expect(answer.status == 200)
        let now = answer.json["feeding"]
        for name in ["ended_at", "notes", "amount_ml"] { #expect(now[name] == .null) }
        for name in ["type", "started_at", "content"] { #expect(now[name] == event[name]) }
        #expect(patch(id, ["notes": "   "]).json["feeding"]["notes"] == .null)
    }

    @Test("A new type takes away what belonged to the old one, and wants what it needs")
    func newType() throws {
        let event = try nursery.log("feedings", Sample.all[0].most)
        let id = try event["id"].string.required()
        #expect(patch(id, ["type": "breast"]).fields == ["side"])
        #expect(patch(id, ["type": "breast", "side": nil]).fields == ["side"])
        #expect(
            patch(id, ["type": "breast", "side": "left", "amount_ml": 100]).fields
                == ["amount_ml"])
        let breast = patch(id, ["type": "breast", "side": "left", "content": nil])
        #expect(breast.status == 200)
        #expect(breast.json["feeding"]["side"] == "left")
        #expect(breast.json["feeding"]["amount_ml"] == .null)
        #expect(breast.json["feeding"]["content"] == .null)
        #expect(breast.json["feeding"]["notes"] == event["notes"])
        #expect(patch(id, ["side": nil]).fields == ["side"])
        #expect(patch(id, ["amount_ml": 5]).fields == ["amount_ml"])
        #expect(patch(id, ["amount_ml": nil]).status == 200)
        let solid = patch(id, ["type": "solid", "food": "Pear"])
        #expect(solid.json["feeding"]["side"] == .null)
        #expect(solid.json["feeding"]["food"] == "Pear")
        #expect(patch(id, ["type": nil]).fields == ["type"])
        let dropped = try nursery.server.database.texts(
            "select (side is null and amount_ml is null and content is null)::text from feedings")
        #expect(dropped == ["true"])
    }

    @Test("PUT is the whole event: what it does not name is gone, what it needs must be there")
    func replace() throws {
        let event = try nursery.log("feedings", Sample.all[0].most)
        let path = "feedings/\(try event["id"].string.required())"
        #expect(
            nursery.send("PUT", path, ["type": "bottle", "notes": "x"]).fields == ["started_at"])
        let answer = nursery.send(
            "PUT", path,
            [
                "id": .string(nursery.child), "type": "breast", "side": "both",
                "started_at": "2026-02-26T12:00:00Z",
            ])
        #expect(answer.status == 200)
        let now = answer.json["feeding"]
        #expect(now["id"] == event["id"])
        #expect(now["ended_at"] == .null)
        #expect(now["amount_ml"] == .null)
        #expect(now["notes"] == .null)
        #expect(now["created_at"] == event["created_at"])
    }

    @Test("What older rules let in does not stand in the way of another change")
    func legacy() throws {
        try nursery.server.database.execute(
            """
            insert into events (kind, revision, child_id, family_id, type, at, ended_at)
            values (0, 9, \(nursery.child)::uuid, \(nursery.family)::uuid, 'breast', '2026-01-01Z', '2026-01-05Z')
            """)
        let event = nursery.send("GET", "feedings").json["feedings"][0]
        #expect(event["created_by"] == ["user_id": nil, "name": ""])
        let id = try event["id"].string.required()
        #expect(patch(id, ["notes": "x"]).status == 200)
        #expect(patch(id, ["type": "breast"]).fields == ["side"])
        #expect(patch(id, ["started_at": "2026-01-02T00:00:00Z"]).fields == ["ended_at"])
    }
}
