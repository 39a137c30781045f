import BabyBasicsAPI
import Foundation
import Postgres
import TestSupport
import Testing

@Suite("The audit log's list")
struct AuditListTests {
    let server: TestServer
    let johnny: TestUser
    let family: String

    init() throws {
        server = try TestServer()
        johnny = try server.user("Johnny")
        family = try server.family(of: johnny)
    }

    private func get(_ query: String = "", as user: TestUser? = nil) -> Answer {
        server.send("GET", "families/\(family)/audit\(query)", as: user ?? johnny)
    }

    @Test("Parents read who did what, newest first")
    func list() throws {
        let child = try server.child(of: family, by: johnny)
        server.clock.advance(by: .seconds(1))
        _ = server.send("PATCH", "children/\(child)", as: johnny, ["name": "Ana"])
        let answer = get()
        #expect(answer.status == 200)
        let entries = answer.json["entries"].array
        #expect(answer.json["count"] == 3)
        #expect(answer.json["next_cursor"] == .null)
        #expect(
            entries.map { "\($0["entity_type"].string ?? "") \($0["action"].string ?? "")" } == [
                "child update", "child create", "family create",
            ])
        #expect(
            entries[0].keys == [
                "id", "user", "entity_type", "entity_id", "action", "changes", "created_at",
            ])
        #expect(entries[0]["user"] == ["user_id": .string(johnny.id), "name": "Johnny"])
        #expect(entries[0]["entity_id"].string == child)
        #expect(entries[0]["changes"] == ["name": ["old": "Baby Bretz", "new": "Ana"]])
        let list = try JSONDecoder.contract.decode(AuditList.self, from: Data(answer.body))
        #expect(
            list.entries[0].changes["name"]
                == .object(["old": .text("Baby Bretz"), "new": .text("Ana")]))
        #expect(list.entries[0].user?.name == "Johnny")
    }

    @Test("Only parents, of this family only")
    func access() throws {
        let maria = try server.member("Maria", of: family, by: johnny)
        let refused = get(as: maria)
        #expect(refused.status == 403)
        #expect(refused.message == "Only parents can read the audit log")
        let stranger = try server.user("Stranger")
        #expect(get(as: stranger).message == "Not a member of this family")
        let own = try server.family(of: stranger)
        let other = server.send("GET", "families/\(own)/audit", as: stranger).json
        #expect(other["entries"].array.map { $0["entity_id"].string } == [own])
    }

    @Test(
        "Pages are stable while entries are added, also within one moment",
        arguments: [1, 2, 3, 50])
    func paging(_ limit: Int) throws {
        // All of one moment, so that only the id tells them apart.
        try server.database.execute(
            """
            insert into audit_logs (user_id, family_id, entity_type, entity_id, action, created_at)
            select \(johnny.id)::uuid, \(family)::uuid, 'child', gen_random_uuid(), 'update', '2026-01-01T00:00:00.123456Z'
            from generate_series(1, 6)
            """)
        var seen: [String] = []
        var cursor: JSON = .null
        repeat {
            let query = cursor.string.map { "&cursor=\($0)" } ?? ""
            let page = get("?limit=\(limit)\(query)").json
            seen += page["entries"].array.compactMap { $0["id"].string }
            #expect(page["count"] == .number(Double(page["entries"].array.count)))
            cursor = page["next_cursor"]
            _ = try server.child(of: family, by: johnny)
        } while cursor != .null
        #expect(seen.count == 7)
        #expect(Set(seen).count == 7)
    }

    @Test("The administrator is nobody, a deleted account only a name")
    func users() throws {
        let sarah = try server.member("Sarah", of: family, as: "parent", by: johnny)
        let child = try server.child(of: family, by: sarah)
        try server.database.execute(
            """
            insert into audit_logs (family_id, entity_type, entity_id, action)
            values (\(family)::uuid, 'family', \(family)::uuid, 'update')
            """)
        try server.database.execute(
            "delete from family_members where user_id = \(sarah.id)::uuid")
        try server.database.execute(
            """
            update users set deleted_at = now(), email = null, password_hash = null
            where id = \(sarah.id)::uuid
            """)
        let entries = get().json["entries"].array
        #expect(entries.filter { $0["user"] == .null }.count == 1)
        let made = entries.first { $0["entity_id"].string == child }
        #expect(made?["user"] == ["user_id": nil, "name": "Sarah"])
        try server.database.execute("delete from users where id = \(sarah.id)::uuid")
        let unknown = get().json["entries"].array.first { $0["entity_id"].string == child }
        #expect(unknown?["user"] == ["user_id": nil, "name": ""])
    }

    @Test(
        "A cursor or limit that is none gets 400",
        arguments: ["cursor=x", "cursor=", "limit=0", "limit=201"])
    func validation(_ query: String) {
        let answer = get("?\(query)")
        #expect(answer.status == 400)
        #expect(answer.fields == [String(query.prefix { $0 != "=" })])
    }
}
