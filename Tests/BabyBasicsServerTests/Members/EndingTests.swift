import BabyBasicsAPI
import BabyBasicsServer
import Foundation
import Postgres
import TestSupport
import Testing

@Suite("Memberships that end by themselves")
struct EndingTests {
    let server: TestServer
    let johnny: TestUser
    let family: String
    let child: String

    init() throws {
        server = try TestServer()
        johnny = try server.user("Johnny")
        family = try server.family(of: johnny)
        child = try server.child(of: family, by: johnny)
    }

    private func time(in seconds: Double) -> JSON {
        .string(Date.now.addingTimeInterval(seconds).ISO8601Format())
    }

    private func invite(_ body: JSON) -> Answer {
        server.send("POST", "families/\(family)/invites", as: johnny, body)
    }

    private func accept(_ invite: Answer, as user: TestUser) -> Answer {
        let token = String(invite.json["invite"]["join_url"].string?.suffix(22) ?? "")
        return server.send("POST", "invites/accept", as: user, ["token": .string(token)])
    }

    @Test("An end goes from the invite to the preview, the list and the member")
    func carried() throws {
        let open = invite(["role": "viewer", "access_until": "2027-01-31T12:00:00.123456+01:00"])
        let until: JSON = "2027-01-31T11:00:00.123Z"
        #expect(open.json["invite"]["access_until"] == until)
        let token = String(try open.json["invite"]["join_url"].string.required().suffix(22))
        let preview = server.send("POST", "invites/preview", ["token": .string(token)]).json["invite"]
        #expect(preview["access_until"] == until)
        #expect(preview["role"] == "viewer")
        let listed = server.send("GET", "families/\(family)/invites", as: johnny).json["invites"]
        #expect(listed[0]["access_until"] == until)
        let ruth = try server.user("Ruth")
        #expect(accept(open, as: ruth).status == 201)
        let members = server.send("GET", "families/\(family)/members", as: ruth).json["members"]
        #expect(members.array.map { $0["access_until"] } == [.null, until])
        #expect(
            try server.database.texts(
                "select changes::text from audit_logs where entity_type = 'family_member' and action = 'create'")
                == [
                    #"{"role": {"new": "viewer", "old": null}, "access_until": {"new": "2027-01-31T11:00:00.123Z", "old": null}}"#
                ])
    }

    @Test("A parent's invite has no end; ends are in the future")
    func refused() {
        #expect(invite(["role": "parent", "access_until": time(in: 3600)]).fields == ["access_until"])
        #expect(invite(["role": "viewer", "access_until": time(in: -1)]).fields == ["access_until"])
        #expect(invite(["role": "viewer", "access_until": time(in: 367 * 86_400)]).fields == ["access_until"])
        #expect(invite(["role": "viewer", "access_until": nil]).status == 201)
    }

    @Test("An invite whose membership would have ended is none any more")
    func inviteEnds() throws {
        let open = invite(["role": "caregiver", "access_until": time(in: 3600)])
        #expect(open.status == 201)
        server.clock.advance(by: .seconds(3601))
        #expect(accept(open, as: try server.user("Ruth")).status == 404)
        let token = String(try open.json["invite"]["join_url"].string.required().suffix(22))
        #expect(server.send("POST", "invites/preview", ["token": .string(token)]).status == 404)
        #expect(server.send("GET", "families/\(family)/invites", as: johnny).json["count"] == 0)
    }

    @Test("From that moment the member is none, everywhere, before and after the purge")
    func ends() throws {
        let ruth = try server.user("Ruth")
        #expect(accept(invite(["role": "caregiver", "access_until": time(in: 3600)]), as: ruth).status == 201)
        #expect(server.send("GET", "children/\(child)", as: ruth).status == 200)
        server.clock.advance(by: .seconds(3601))
        #expect(server.send("GET", "children/\(child)", as: ruth).status == 404)
        #expect(server.send("GET", "children/\(child)/timeline", as: ruth).status == 404)
        #expect(server.send("POST", "children/\(child)/notes", as: ruth, [:]).status == 404)
        #expect(server.send("GET", "families/\(family)/changes", as: ruth).status == 403)
        #expect(server.send("POST", "families/\(family)/leave", as: ruth).status == 403)
        #expect(server.send("GET", "families", as: ruth).json["count"] == 0)
        #expect(server.send("GET", "children", as: ruth).json["count"] == 0)
        #expect(server.send("GET", "families/\(family)/members", as: johnny).json["count"] == 1)
        #expect(server.send("GET", "families", as: johnny).json["families"][0]["members_count"] == 1)
        let path = "families/\(family)/members/\(ruth.id)"
        #expect(server.send("PATCH", path, as: johnny, ["role": "parent"]).status == 404)
        #expect(server.send("DELETE", path, as: johnny).status == 404)
        let before = server.send("GET", "families/\(family)/changes?since=3", as: johnny).json
        #expect(before["changes"].array.map { $0["op"] } == ["upsert"])
        #expect(before["changes"][0]["data"]["access_until"].string != nil)

        #expect(try purge() == 1)
        #expect(try purge() == 0)
        #expect(try server.database.count("family_members") == 1)
        let after = server.send(
            "GET", "families/\(family)/changes?since=\(before["next_since"].text)", as: johnny
        ).json["changes"]
        #expect(after.array.map { $0["op"] } == ["delete"])
        #expect(after[0]["id"].string == ruth.id)
        let audit = try server.database.texts(
            """
            select coalesce(user_id::text, '-') || ' ' || entity_id::text || ' ' || (changes->'role'->>'old')
                || ' ' || ((changes->'access_until'->>'old') ~ '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$')::text
            from audit_logs where entity_type = 'family_member' and action = 'delete'
            """)
        #expect(audit == ["- \(ruth.id) caregiver true"])
    }

    @Test("Whoever deletes the account after that moment leaves a family that goes on")
    func deletesAccount() throws {
        let ruth = try server.account("Ruth", email: "ruth@example.com")
        #expect(accept(invite(["role": "caregiver", "access_until": time(in: 3600)]), as: ruth).status == 201)
        let diaper = server.send(
            "POST", "children/\(child)/diapers", as: ruth, ["type": "wet", "occurred_at": "2026-01-01T08:00:00Z"])
        #expect(diaper.status == 201)
        server.clock.advance(by: .seconds(3601))
        #expect(server.deleteAccount(ruth).status == 204)
        let feed = server.send("GET", "families/\(family)/changes?since=0&limit=200", as: johnny)
        #expect(feed.status == 200)
        let last = feed.json["changes"].array.suffix(2)
        #expect(last.map { $0["entity"] } == ["diaper", "family_member"])
        #expect(last.map { $0["op"] } == ["upsert", "delete"])
        #expect(last.first?["data"]["created_by"] == ["user_id": nil, "name": "Ruth"])
        #expect(try purge() == 0)
        #expect(
            try server.database.texts(
                """
                select coalesce(user_id::text, '-') || ' ' || entity_id::text from audit_logs
                where entity_type = 'family_member' and action = 'delete'
                """) == ["- \(ruth.id)"])
    }

    private func purge() throws -> Int {
        let session = try TestConnection(ConnectionConfiguration(url: server.database.serverURL))
        let connection = session.connection
        let now = Purge.now.adding(server.clock.offset)
        return try TestLoop.run { try await Purge(connection: connection, now: now).run().members }
    }

    @Test("The purge takes several of several families, each with a number of its own")
    func purgesSeveral() throws {
        let other = try server.family(of: johnny, "Another Family")
        for (family, count) in [(family, 3), (other, 2)] {
            for index in 0..<count { _ = try server.member("Guest \(index)", of: family, by: johnny) }
        }
        try server.database.execute(
            "update family_members set access_until = now() - interval '1 minute' where role = 'caregiver'")
        #expect(try purge() == 5)
        let numbers = try server.database.texts(
            "select string_agg(revision::text, ' ' order by revision) from tombstones group by family_id order by 1")
        #expect(numbers == ["5 6", "7 8 9"])
        #expect(
            try server.database.texts(
                "select last_revision::text from feeds join families on id = family_id order by created_at") == [
                    "9", "6",
                ])
    }

    @Test("Whoever is invited again before the purge has come is a member as if new")
    func again() throws {
        let ruth = try server.user("Ruth")
        #expect(accept(invite(["role": "viewer", "access_until": time(in: 3600)]), as: ruth).status == 201)
        server.clock.advance(by: .seconds(3601))
        let back = accept(invite(["role": "caregiver"]), as: ruth)
        #expect(back.status == 201)
        #expect(server.send("GET", "children/\(child)", as: ruth).json["child"]["role"] == "caregiver")
        #expect(try purge() == 0)
        let feed = server.send("GET", "families/\(family)/changes?since=4", as: johnny).json["changes"].array
        #expect(feed.map { $0["op"] } == ["upsert"])
        #expect(
            try server.database.texts(
                """
                select action || ' ' || coalesce(user_id::text, '-') from audit_logs
                where entity_type = 'family_member' order by ctid
                """) == ["create \(ruth.id)", "delete -", "create \(ruth.id)"])
    }
}
