import Foundation
import Postgres
import TestSupport
import Testing

@Suite("Identifiers that clients make for events")
struct ClientIdentifierTests {
    let nursery: Nursery

    init() throws {
        nursery = try Nursery(connections: 8)
    }

    @Test("Sent again it is the same event, whatever the body says", arguments: Sample.all)
    func replay(_ sample: Sample) throws {
        let id = UUID().uuidString
        let body = sample.most.with(["id": .string(id)])
        let first = nursery.send("POST", sample.kind, body)
        #expect(first.status == 201)
        #expect(first.json[sample.name]["id"].string == id.lowercased())
        let revision = try nursery.lastRevision()
        for again in [body, ["id": .string(id)], ["id": .string(id), "type": 5]] {
            let answer = nursery.send("POST", sample.kind, again)
            #expect(answer.status == 200)
            #expect(answer.body == first.body)
            #expect(answer.headers["ETag"] == first.headers["ETag"])
        }
        #expect(try nursery.lastRevision() == revision)
    }

    @Test("The identifier of anything else is a conflict", arguments: Sample.all)
    func taken(_ sample: Sample) throws {
        let id = UUID().uuidString.lowercased()
        let body = sample.least.with(["id": .string(id)])
        #expect(nursery.send("POST", sample.kind, body).status == 201)
        let other = try nursery.server.child(of: nursery.family, by: nursery.parent, "Other")
        let otherKind = Sample.all.first { $0.kind != sample.kind }
        let another = try otherKind.required()
        #expect(nursery.send("POST", sample.kind, body, as: nursery.caregiver).status == 409)
        #expect(nursery.send("POST", sample.kind, body, child: other).status == 409)
        #expect(
            nursery.send("POST", another.kind, another.least.with(["id": .string(id)])).status
                == 409)
        #expect(
            nursery.send("POST", sample.kind, ["id": .string(id), "notes": 5], as: nursery.caregiver).status
                == 400, "400 comes before 409")
        #expect(nursery.send("DELETE", "\(sample.kind)/\(id)").status == 204)
        let gone = nursery.send("POST", sample.kind, body)
        #expect(gone.status == 410)
        #expect(gone.code == "GONE")
        #expect(gone.message == "This entry was deleted")
        #expect(nursery.send("POST", sample.kind, ["id": .string(id)], as: nursery.caregiver).status == 410)
        #expect(
            nursery.send("POST", another.kind, another.least.with(["id": .string(id)])).status == 409)
        #expect(nursery.send("POST", sample.kind, body, child: other).status == 409)
        let removed = nursery.server.send("DELETE", "children/\(nursery.child)", as: nursery.parent)
        #expect(removed.status == 204)
        #expect(nursery.send("POST", sample.kind, body, child: other).status == 201, "it went with its child")
    }

    @Test("An identifier is its family's: in another family it is another event, and nobody is told of the other")
    func otherFamily() throws {
        let id = UUID().uuidString.lowercased()
        let body = Sample.all[3].least.with(["id": .string(id)])
        #expect(nursery.send("POST", "notes", body).status == 201)
        let family = try nursery.server.family(of: nursery.stranger, "Second")
        let child = try nursery.server.child(of: family, by: nursery.stranger)
        let own = body.with(["content": "Ours"])
        #expect(nursery.send("POST", "notes", own, as: nursery.stranger, child: child).status == 201)
        #expect(nursery.send("DELETE", "notes/\(id)", as: nursery.stranger, child: child).status == 204)
        #expect(nursery.send("GET", "notes/\(id)").json["note"]["content"] == "Smiled!")
        for used in [nursery.child, nursery.family, nursery.parent.id] {
            let answer = nursery.send("POST", "notes", Sample.all[3].least.with(["id": .string(used)]))
            #expect(answer.status == 201)
        }
    }

    @Test("Of many requests with one identifier at once one makes the event")
    func race() throws {
        let nursery = nursery
        let id = UUID().uuidString
        let statuses = BabyBasicsServerTests.race(8) { _ in
            nursery.server.send(
                "POST", "children/\(nursery.child)/notes", as: nursery.parent,
                Sample.all[3].least.with(["id": .string(id)])
            ).status
        }
        #expect(statuses.sorted() == Array(repeating: 200, count: 7) + [201])
        #expect(try nursery.server.database.count("notes") == 1)
    }

    @Test("At once for two children and two kinds, one gets it and the others a conflict")
    func raceAcrossChildren() throws {
        let nursery = nursery
        let second = try nursery.server.child(of: nursery.family, by: nursery.parent, "Second")
        for _ in 0..<5 {
            let id = UUID().uuidString
            let statuses = BabyBasicsServerTests.race(4) { index in
                let sample = Sample.all[index / 2]
                return nursery.server.send(
                    "POST", "children/\(index.isMultiple(of: 2) ? nursery.child : second)/\(sample.kind)",
                    as: nursery.parent, sample.least.with(["id": .string(id)])
                ).status
            }
            #expect(statuses.sorted() == [201, 409, 409, 409])
        }
    }

    @Test("Of many changes with the same If-Match one is made")
    func changes() throws {
        let nursery = nursery
        let event = try nursery.log("notes", Sample.all[3].least)
        let id = try event["id"].string.required()
        let tag = try nursery.lastRevision()
        let statuses = BabyBasicsServerTests.race(8) { index in
            nursery.server.send(
                "PATCH", "children/\(nursery.child)/notes/\(id)", as: nursery.parent,
                ["notes": .string("\(index)")], headers: ["HTTP_IF_MATCH": "\"\(tag)\""]
            ).status
        }
        #expect(statuses.sorted() == [200] + Array(repeating: 412, count: 7))
        // Who came too late may have taken a number that nothing has.
        #expect((tag + 1...tag + 8).contains(try nursery.lastRevision()))
        let feed = nursery.server.send("GET", "families/\(nursery.family)/changes?since=\(tag)", as: nursery.parent)
        #expect(feed.json["changes"].array.count == 1)
    }

    @Test("Numbers of changes made at once have neither gaps nor doubles")
    func revisions() throws {
        let nursery = nursery
        let before = try nursery.lastRevision()
        let revisions = BabyBasicsServerTests.race(8) { index in
            (0..<5).flatMap { _ -> [JSON] in
                if index.isMultiple(of: 2) {
                    return [
                        nursery.send("POST", "notes", Sample.all[3].least).json["note"]["revision"]
                    ]
                }
                let item: JSON = ["type": "note", "event": Sample.all[3].least]
                let answer = nursery.send("POST", "events", ["events": [item, item]])
                return answer.json["events"].array.map { $0["event"]["revision"] }
            }
        }.flatMap { $0 }
        #expect(
            revisions.compactMap(\.number).sorted()
                == (1...60).map { Double(before + $0) })
        #expect(try nursery.lastRevision() == before + 60)
    }
}
