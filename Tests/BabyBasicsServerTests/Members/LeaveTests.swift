import Postgres
import TestSupport
import Testing

@Suite("Leaving a family")
struct LeaveTests {
    let server: TestServer
    let johnny: TestUser
    let family: String

    init() throws {
        server = try TestServer()
        johnny = try server.user("Johnny")
        family = try server.family(of: johnny)
    }

    private func leave(_ user: TestUser, _ family: String? = nil) -> Answer {
        server.send("POST", "families/\(family ?? self.family)/leave", as: user)
    }

    private func changes(since: Int) -> [JSON] {
        server.send("GET", "families/\(family)/changes?since=\(since)", as: johnny).json["changes"].array
    }

    @Test("Anybody but the last may go", arguments: ["parent", "caregiver", "viewer"])
    func leaves(_ role: String) throws {
        let maria = try server.member("Maria", of: family, as: role, by: johnny)
        #expect(leave(maria).status == 204)
        #expect(leave(maria).message == "Not a member of this family")
        #expect(server.send("GET", "families", as: maria).json["count"] == 0)
        #expect(server.send("GET", "families/\(family)/members", as: johnny).json["count"] == 1)
        let tombstones = changes(since: 3)
        #expect(tombstones.map { $0["op"] } == ["delete"])
        #expect(tombstones.map { $0["id"].string } == [maria.id])
        let audit = try server.database.texts(
            """
            select user_id::text || ' ' || entity_id::text || ' ' || changes::text from audit_logs
            where entity_type = 'family_member' and action = 'delete'
            """)
        #expect(audit == [#"\#(maria.id) \#(maria.id) {"role": {"new": null, "old": "\#(role)"}}"#])
    }

    @Test("The only member deletes the family instead, the last parent finds another one first")
    func last() throws {
        let alone = leave(johnny)
        #expect(alone.status == 409)
        #expect(alone.message == "You are the only member. Delete the family instead.")
        _ = try server.member("Maria", of: family, by: johnny)
        let lastParent = leave(johnny)
        #expect(lastParent.status == 409)
        #expect(lastParent.message == "Make someone else a parent first, or delete the family.")
        #expect(server.send("GET", "families/\(family)", as: johnny).status == 200)
    }

    @Test("Whoever's time is over is nobody to leave the family to")
    func expiredOthers() throws {
        let maria = try server.member("Maria", of: family, by: johnny)
        try server.database.execute(
            "update family_members set access_until = now() - interval '1 hour' where user_id = \(maria.id)::uuid")
        #expect(leave(johnny).message == "You are the only member. Delete the family instead.")
    }

    @Test("An owner who leaves passes the family to the parent who joined first; the open invites end")
    func owner() throws {
        let sarah = try server.member("Sarah", of: family, as: "parent", by: johnny)
        _ = try server.member("Tom", of: family, as: "parent", by: johnny)
        let token = try server.invite(to: family, by: sarah)
        #expect(leave(johnny).status == 204)
        #expect(server.send("GET", "families/\(family)", as: sarah).json["family"]["owner_id"].string == sarah.id)
        #expect(server.send("POST", "invites/preview", ["token": .string(token)]).status == 404)
        // The one who left, the one who owns it now, the family.
        let changed = server.send("GET", "families/\(family)/changes?since=4", as: sarah).json["changes"].array
        #expect(changed.map { $0["entity"] } == ["family_member", "family_member", "family"])
        #expect(changed.map { $0["op"] } == ["delete", "upsert", "upsert"])
        #expect(changed[1]["data"]["is_owner"] == true)
        let caregiver = try server.member("Maria", of: family, by: sarah)
        let kept = try server.invite(to: family, by: sarah)
        #expect(leave(caregiver).status == 204)
        #expect(server.send("POST", "invites/preview", ["token": .string(kept)]).status == 200)
    }

    @Test("The owner of a co-parent family transfers it first; alone, it is the only member")
    func coParent() throws {
        let family = try server.family(of: johnny, policy: "co_parent")
        #expect(leave(johnny, family).message == "You are the only member. Delete the family instead.")
        let sarah = try server.member("Sarah", of: family, as: "parent", by: johnny)
        let refused = leave(johnny, family)
        #expect(refused.status == 409)
        #expect(refused.message == "Transfer the family first.")
        #expect(leave(sarah, family).status == 204)
    }

    @Test("Whoever left and is invited again is a member as if new")
    func again() throws {
        let maria = try server.member("Maria", of: family, by: johnny)
        #expect(leave(maria).status == 204)
        let token = try server.invite(to: family, as: "viewer", by: johnny)
        #expect(server.send("POST", "invites/accept", as: maria, ["token": .string(token)]).status == 201)
        let changed = changes(since: 3)
        #expect(changed.map { $0["op"] } == ["upsert"], "no tombstone of somebody who is here")
        #expect(changed[0]["data"]["role"] == "viewer")
    }
}
