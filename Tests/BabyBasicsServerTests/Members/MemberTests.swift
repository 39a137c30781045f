import Postgres
import TestSupport
import Testing

@Suite("Members")
struct MemberTests {
    let server: TestServer
    let johnny: TestUser
    let family: String

    init() throws {
        server = try TestServer()
        johnny = try server.user("Johnny")
        family = try server.family(of: johnny)
    }

    @Test("List members → returns all with roles, sorted by joined_at")
    func list() throws {
        let sarah = try server.member("Sarah", of: family, as: "parent", by: johnny)
        let maria = try server.member("Maria", of: family, by: johnny)
        let answer = server.send("GET", "families/\(family)/members", as: maria)
        #expect(answer.status == 200)
        #expect(answer.json["count"] == 3)
        let members = answer.json["members"].array
        #expect(members.map { $0["user_id"].string } == [johnny.id, sarah.id, maria.id])
        #expect(members.map { $0["role"] } == ["parent", "parent", "caregiver"])
        #expect(members.map { $0["is_owner"] } == [true, false, false])
        let joined = members.compactMap { $0["joined_at"].string }
        #expect(joined == joined.sorted())
    }

    @Test("Remove caregiver (parent) → 204")
    func removeCaregiver() throws {
        let maria = try server.member("Maria", of: family, by: johnny)
        let answer = server.send("DELETE", "families/\(family)/members/\(maria.id)", as: johnny)
        #expect(answer.status == 204)
        #expect(server.send("GET", "families/\(family)", as: maria).status == 403)
        #expect(server.send("GET", "families/\(family)/members", as: johnny).json["count"] == 1)
    }

    @Test("Remove parent (parent) → 204 (can remove other parents)")
    func removeParent() throws {
        let sarah = try server.member("Sarah", of: family, as: "parent", by: johnny)
        let answer = server.send("DELETE", "families/\(family)/members/\(johnny.id)", as: sarah)
        #expect(answer.status == 204)
    }

    @Test("Ownership passes to the parent who joined first when the owner is removed")
    func ownership() throws {
        let sarah = try server.member("Sarah", of: family, as: "parent", by: johnny)
        let tom = try server.member("Tom", of: family, as: "parent", by: johnny)
        #expect(
            server.send("DELETE", "families/\(family)/members/\(johnny.id)", as: tom).status == 204)
        let details = server.send("GET", "families/\(family)", as: tom).json["family"]
        #expect(details["owner_id"].string == sarah.id)
        #expect(details["members"][0]["is_owner"] == true)
        let logged = try server.database.texts(
            "select changes->'owner_id'->>'new' from audit_logs where entity_type = 'family' and action = 'update'"
        )
        #expect(logged == [sarah.id])
    }

    @Test("Remove self → 400")
    func removeSelf() throws {
        let answer = server.send("DELETE", "families/\(family)/members/\(johnny.id)", as: johnny)
        #expect(answer.status == 400)
        #expect(answer.code == "VALIDATION_ERROR")
        #expect(
            answer.message == "Cannot remove yourself. Leave the family or delete it instead.")
    }

    @Test("Remove (caregiver attempting) → 403, themselves too")
    func removeAsCaregiver() throws {
        let maria = try server.member("Maria", of: family, by: johnny)
        for target in [johnny.id, maria.id, "not-a-uuid"] {
            let answer = server.send("DELETE", "families/\(family)/members/\(target)", as: maria)
            #expect(answer.status == 403)
            #expect(answer.message == "Only parents can remove family members")
        }
    }

    @Test("Somebody who is no member is not found")
    func removeStranger() throws {
        let stranger = try server.user("Stranger")
        for target in [stranger.id, "01975c0e-0000-7000-8000-000000000000", "x"] {
            let answer = server.send("DELETE", "families/\(family)/members/\(target)", as: johnny)
            #expect(answer.status == 404)
            #expect(answer.message == "Member not found")
        }
    }

    @Test("Removed member can no longer access family's children (404)")
    func removedMember() throws {
        let child = try server.child(of: family, by: johnny)
        let maria = try server.member("Maria", of: family, by: johnny)
        #expect(server.send("GET", "children/\(child)", as: maria).status == 200)
        _ = server.send("DELETE", "families/\(family)/members/\(maria.id)", as: johnny)
        let answer = server.send("GET", "children/\(child)", as: maria)
        #expect(answer.status == 404)
        #expect(answer.message == "Child not found")
        #expect(server.send("GET", "children", as: maria).json["count"] == 0)
    }

    @Test("Removed user's events preserved")
    func eventsStay() throws {
        _ = try server.child(of: family, by: johnny)
        let maria = try server.member("Maria", of: family, by: johnny)
        try server.database.execute(
            """
            insert into events (kind, revision, child_id, family_id, type, at, created_by)
            select 0, 9, id, family_id, 'bottle', now(), \(maria.id)::uuid from children
            """)
        _ = server.send("DELETE", "families/\(family)/members/\(maria.id)", as: johnny)
        #expect(
            try server.database.texts("select created_by::text from feedings") == [maria.id])
    }

    @Test("Removing a parent revokes every open invite of the family; removing a caregiver none")
    func revokesInvites() throws {
        let sarah = try server.member("Sarah", of: family, as: "parent", by: johnny)
        let maria = try server.member("Maria", of: family, by: johnny)
        let first = try server.invite(to: family, as: "parent", by: johnny)
        _ = server.send("DELETE", "families/\(family)/members/\(maria.id)", as: johnny)
        #expect(server.send("POST", "invites/preview", ["token": .string(first)]).status == 200)
        _ = try server.invite(to: family, by: sarah)
        _ = server.send("DELETE", "families/\(family)/members/\(sarah.id)", as: johnny)
        #expect(server.send("POST", "invites/preview", ["token": .string(first)]).status == 404)
        #expect(
            try server.database.texts(
                "select count(*)::text from share_links where revoked_at is null and used_at is null"
            ) == ["0"])
        #expect(
            try server.database.texts(
                "select count(*)::text from audit_logs where entity_type = 'share_link' and action = 'delete'"
            )
                == ["2"])
    }

    @Test("Two parents removing each other at once: exactly one succeeds")
    func mutualRemoval() throws {
        for _ in 0..<10 {
            let one = try server.user("One")
            let family = try server.family(of: one)
            let two = try server.member("Two", of: family, as: "parent", by: one)
            let statuses = race(2) { [server] index in
                index == 0
                    ? server.send("DELETE", "families/\(family)/members/\(two.id)", as: one).status
                    : server.send("DELETE", "families/\(family)/members/\(one.id)", as: two).status
            }
            #expect(statuses.sorted() == [204, 403])
            let parents = try server.database.texts(
                "select count(*)::text from family_members where role = 'parent' and family_id = \(family)::uuid"
            )
            #expect(parents == ["1"])
        }
    }
}
