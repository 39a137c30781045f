import BabyBasicsAPI
import Foundation
import TestSupport
import Testing

@testable import BabyBasicsServer

@Suite("A family's changes")
struct ChangesTests {
    let server: TestServer
    let johnny: TestUser
    let family: String

    init() throws {
        server = try TestServer()
        johnny = try server.user("Johnny")
        family = try server.family(of: johnny)
    }

    private func get(_ query: String = "", as user: TestUser? = nil) -> Answer {
        server.send("GET", "families/\(family)/changes\(query)", as: user ?? johnny)
    }

    /// `revision op entity` of each change after a revision.
    private func heads(since: Int = 0) -> [String] {
        get("?since=\(since)&limit=200").json["changes"].array.map {
            "\($0["revision"].text) \($0["op"].string ?? "") \($0["entity"].string ?? "")"
        }
    }

    private func log(_ kind: String, for child: String, _ body: JSON) throws -> String {
        let answer = server.send("POST", "children/\(child)/\(TestServer.plural(kind))", as: johnny, body)
        return try answer.json[kind]["id"].string.required()
    }

    static let bodies = Sample.all.map { ($0.name, $0.most) }
    /// With the family, its member and its child.
    static let things = bodies.count + 3

    @Test("The kinds' numbers are stored, so that theirs never change")
    func numbers() {
        let names = [
            "feeding", "diaper", "sleep", "note", "pumping", "measurement", "temperature", "medication", "activity",
            "discard",
        ]
        #expect(EventKind.all.map(\.name).starts(with: names))
        #expect(EventKind.all.map(\.number) == Array(EventKind.all.indices))
    }

    @Test("Data is what the single GET answers, without the caller's role and without lists")
    func data() throws {
        let child = try server.child(of: family, by: johnny)
        let changes = get().json["changes"].array
        #expect(changes.map { $0["entity"] } == ["family", "family_member", "child"])
        #expect(
            changes.map { $0["id"].string } == [family, johnny.id, child])
        #expect(changes.allSatisfy { $0["op"] == "upsert" })
        #expect(changes.allSatisfy { $0.keys == ["revision", "entity", "id", "op", "data"] })
        let whole = server.send("GET", "families/\(family)", as: johnny).json["family"]
        #expect(changes[0]["data"] == whole.without("role", "members", "children"))
        #expect(changes[1]["data"] == whole["members"][0])
        let single = server.send("GET", "children/\(child)", as: johnny).json["child"]
        #expect(changes[2]["data"] == single.without("role"))
        for (kind, body) in Self.bodies {
            let id = try log(kind, for: child, body)
            let event = server.send("GET", "children/\(child)/\(TestServer.plural(kind))/\(id)", as: johnny)
            let change = try get().json["changes"].array.last.required()
            #expect(change["entity"].string == kind)
            #expect(change["id"].string == id)
            #expect(change["data"] == event.json[kind])
            #expect(change["data"]["revision"] == change["revision"])
        }
    }

    @Test("A client reads the answer as its types")
    func types() throws {
        let child = try server.child(of: family, by: johnny)
        for (kind, body) in Self.bodies { _ = try log(kind, for: child, body) }
        let list = try JSONDecoder.contract.decode(ChangeList.self, from: Data(get().body))
        #expect(list.changes.count == Self.things)
        #expect(list.nextSince == Int64(Self.things))
        #expect(list.changes.allSatisfy { $0.data != nil })
        guard case .event(let event) = list.changes[3].data else { throw Missing() }
        #expect((event as? Feeding)?.amountMl == 120.5)
    }

    @Test("Each thing appears once, at its latest revision")
    func once() throws {
        let child = try server.child(of: family, by: johnny)
        for name in ["A", "B", "C"] {
            _ = server.send(
                "PATCH", "children/\(child)", as: johnny, ["name": .string(name)])
        }
        #expect(heads() == ["1 upsert family", "2 upsert family_member", "6 upsert child"])
        #expect(get("?since=3").json["changes"][0]["data"]["name"] == "C")
        #expect(heads(since: 6) == [])
    }

    @Test("Pages follow each other without a gap", arguments: [1, 2, 3, things, things + 1])
    func paging(_ limit: Int) throws {
        let child = try server.child(of: family, by: johnny)
        for (kind, body) in Self.bodies { _ = try log(kind, for: child, body) }
        var since = 0
        var seen: [Double] = []
        while true {
            let page = get("?since=\(since)&limit=\(limit)").json
            let revisions = page["changes"].array.compactMap { $0["revision"].number }
            seen += revisions
            since = Int(try page["next_since"].number.required())
            #expect(page["has_more"] == .bool(seen.count < Self.things))
            #expect(revisions.count == limit || page["has_more"] == false)
            #expect(revisions.last.map(Int.init) == since)
            if page["has_more"] == false { break }
        }
        #expect(seen == (1...Self.things).map(Double.init))
        let end = get("?since=\(Self.things)").json
        #expect(end == ["changes": [], "next_since": .number(Double(Self.things)), "has_more": false])
    }

    @Test("A deleted event is a delete, and a restored one an upsert")
    func deletedEvents() throws {
        let child = try server.child(of: family, by: johnny)
        for (kind, body) in Self.bodies {
            let id = try log(kind, for: child, body)
            let path = "children/\(child)/\(TestServer.plural(kind))/\(id)"
            let made = try get().json["next_since"].number.required()
            #expect(server.send("DELETE", path, as: johnny).status == 204)
            let deleted = try get("?since=\(Int(made))").json["changes"].array.first.required()
            #expect(
                deleted == [
                    "revision": .number(made + 1), "entity": .string(kind), "id": .string(id),
                    "op": "delete", "data": nil,
                ])
            #expect(server.send("POST", "\(path)/restore", as: johnny).status == 200)
            let restored = get("?since=\(Int(made) + 1)").json["changes"]
            #expect(restored.array.map { $0["op"] } == ["upsert"])
            #expect(restored[0]["data"] == server.send("GET", path, as: johnny).json[kind])
        }
    }

    @Test("A deleted child is one delete; its events go with it")
    func deletedChild() throws {
        let child = try server.child(of: family, by: johnny)
        for (kind, body) in Self.bodies {
            let id = try log(kind, for: child, body)
            if kind == "note" {
                _ = server.send("DELETE", "children/\(child)/notes/\(id)", as: johnny)
            }
        }
        #expect(server.send("DELETE", "children/\(child)", as: johnny).status == 204)
        #expect(
            heads() == ["1 upsert family", "2 upsert family_member", "\(Self.things + 2) delete child"])
    }

    @Test("Whoever leaves is a delete, and an upsert again after coming back")
    func members() throws {
        let maria = try server.member("Maria", of: family, by: johnny)
        #expect(heads(since: 2) == ["3 upsert family_member"])
        #expect(get("?since=2", as: maria).status == 200)
        let path = "families/\(family)/members/\(maria.id)"
        #expect(server.send("DELETE", path, as: johnny).status == 204)
        #expect(heads(since: 2) == ["4 delete family_member"])
        let refused = get("?since=2", as: maria)
        #expect(refused.status == 403)
        #expect(refused.message == "Not a member of this family")
        let token = try server.invite(to: family, by: johnny)
        #expect(
            server.send("POST", "invites/accept", as: maria, ["token": .string(token)]).status
                == 201)
        #expect(heads(since: 2) == ["5 upsert family_member"])
    }

    @Test("A new name of a user is a change of the member in each family")
    func rename() throws {
        let other = try server.family(of: johnny, "Other")
        #expect(server.send("PATCH", "users/me", as: johnny, ["name": "John"]).status == 200)
        for family in [family, other] {
            let page = server.send("GET", "families/\(family)/changes?since=2", as: johnny).json
            #expect(page["changes"].array.count == 1)
            #expect(page["changes"][0]["entity"] == "family_member")
            #expect(page["changes"][0]["data"]["name"] == "John")
        }
    }

    @Test("A new name of the family changes the children that show it")
    func familyName() throws {
        for _ in 0..<3 { _ = try server.child(of: family, by: johnny) }
        _ = server.send("PATCH", "families/\(family)", as: johnny, ["name": "Bretz"])
        let changes = get("?since=5").json["changes"].array
        #expect(
            heads(since: 5) == [
                "6 upsert family", "7 upsert child", "8 upsert child", "9 upsert child",
            ])
        #expect(changes.dropFirst().allSatisfy { $0["data"]["family_name"] == "Bretz" })
    }

    @Test("A passed on ownership changes the family and the new owner")
    func ownership() throws {
        let sarah = try server.member("Sarah", of: family, as: "parent", by: johnny)
        let path = "families/\(family)/members/\(johnny.id)"
        #expect(server.send("DELETE", path, as: sarah).status == 204)
        let changes = get("?since=3", as: sarah).json["changes"].array
        #expect(
            changes.map { $0["entity"] } == ["family_member", "family_member", "family"])
        #expect(changes.map { $0["op"] } == ["delete", "upsert", "upsert"])
        #expect(changes[1]["data"]["is_owner"] == true)
        #expect(changes[2]["data"]["owner_id"].string == sarah.id)
    }

    @Test("Invites are not in it")
    func invites() throws {
        _ = try server.invite(to: family, by: johnny)
        #expect(heads(since: 2) == [])
    }

    @Test("Strangers get the same 403 as for a family that does not exist")
    func access() throws {
        let stranger = try server.user("Stranger")
        let answer = get(as: stranger)
        #expect(answer.status == 403)
        let unreal = server.send("GET", "families/\(UUID())/changes", as: stranger)
        #expect(unreal.status == 403)
        #expect(unreal.body == answer.body)
        #expect(server.send("GET", "families/x/changes", as: johnny).status == 404)
        #expect(get("?since=x", as: stranger).status == 403)
    }

    @Test(
        "What is no position or no limit gets 400",
        arguments: [
            ("since=-1", "since"), ("since=x", "since"), ("since=", "since"),
            ("since=1.5", "since"),
            ("since=99999999999999999999", "since"), ("since=1&since=1", "since"),
            ("since=%2B1", "since"), ("limit=0", "limit"), ("limit=1001", "limit"),
            ("limit=x", "limit"),
        ])
    func validation(_ query: String, _ field: String) {
        let answer = get("?\(query)")
        #expect(answer.status == 400)
        #expect(answer.fields == [field])
    }

    @Test(
        "A position that the family never gave asks to start again",
        arguments: [
            "3", "1000000", "68719476736", "68719476737", "9007199254740991", "9223372036854775807",
        ])
    func beyond(_ since: String) {
        let answer = get("?since=\(since)")
        #expect(answer.status == 410)
        #expect(answer.code == "RESYNC_REQUIRED")
    }
}
