import Postgres
import TestSupport
import Testing

@Suite("Open invites")
struct InviteManagementTests {
    let server: TestServer
    let johnny: TestUser
    let family: String

    init() throws {
        server = try TestServer()
        johnny = try server.user("Johnny")
        family = try server.family(of: johnny)
    }

    private func list(_ user: TestUser) -> Answer {
        server.send("GET", "families/\(family)/invites", as: user)
    }

    private func invite(_ role: String, to email: String? = nil) -> JSON {
        server.send(
            "POST", "families/\(family)/invites", as: johnny,
            ["role": .string(role), "invitee_email": email.map { .string($0) } ?? .null]
        ).json["invite"]
    }

    private func revoke(_ invite: JSON, as user: TestUser) -> Answer {
        server.send(
            "DELETE", "families/\(family)/invites/\(invite["id"].string ?? "-")", as: user)
    }

    private func accept(_ invite: JSON, as user: TestUser) -> Answer {
        let token = String(invite["join_url"].string?.suffix(22) ?? "")
        return server.send("POST", "invites/accept", as: user, ["token": .string(token)])
    }

    @Test("Parents see the open ones, and never a token")
    func lists() throws {
        let sarah = try server.member("Sarah", of: family, as: "parent", by: johnny)
        let first = invite("caregiver")
        let bound = invite("parent", to: "Tom@Example.com")
        _ = revoke(invite("parent"), as: johnny)
        let answer = list(sarah)
        #expect(answer.status == 200)
        #expect(answer.json["count"] == 2)
        let invites = answer.json["invites"].array
        #expect(invites.map { $0["id"] } == [first["id"], bound["id"]])
        #expect(invites.map { $0["role"] } == ["caregiver", "parent"])
        #expect(invites.map { $0["invitee_email"] } == [.null, "tom@example.com"])
        for invite in invites {
            #expect(
                invite.keys == [
                    "id", "role", "created_by", "created_at", "expires_at", "invitee_email",
                    "label",
                    "access_until",
                ])
            #expect(invite["created_by"] == ["user_id": .string(johnny.id), "name": "Johnny"])
        }
        for secret in try server.database.texts("select token_hash from share_links")
            + [first, bound].compactMap({ $0["join_url"].string.map { String($0.suffix(22)) } })
        {
            #expect(!answer.json.text.contains(secret))
        }
    }

    @Test(
        "Used and expired ones are not listed, nor those of another family; links without nonce are"
    )
    func openOnly() throws {
        let used = invite("caregiver")
        #expect(accept(used, as: try server.user("Maria")).status == 201)
        _ = invite("parent")
        server.clock.advance(by: .seconds(7 * 86_400 + 1))
        #expect(list(johnny).json == ["invites": [], "count": 0])
        let other = try server.family(of: johnny)
        _ = try server.invite(to: other, by: johnny)
        #expect(list(johnny).json["count"] == 0)
        try server.database.execute(
            """
            insert into share_links (family_id, token_hash, role, created_by, expires_at)
            values (\(family)::uuid, 'legacy', 'caregiver', \(johnny.id)::uuid, now() + interval '14 days')
            """)
        #expect(list(johnny).json["count"] == 1)
    }

    @Test("Caregivers neither see nor revoke them; strangers learn nothing")
    func access() throws {
        let maria = try server.member("Maria", of: family, by: johnny)
        let open = invite("caregiver")
        #expect(list(maria).status == 403)
        #expect(revoke(open, as: maria).status == 403)
        let stranger = try server.user("Stranger")
        #expect(list(stranger).message == "Not a member of this family")
        #expect(revoke(open, as: stranger).message == "Not a member of this family")
    }

    @Test("A revoked one opens nothing, is recorded, and makes room for a new one")
    func revokes() throws {
        let open = invite("caregiver")
        #expect(revoke(open, as: johnny).status == 204)
        #expect(accept(open, as: try server.user("Maria")).status == 404)
        #expect(
            try server.database.texts(
                """
                select entity_id::text || ' ' || user_id from audit_logs
                where entity_type = 'share_link' and action = 'delete'
                """) == ["\(open["id"].string ?? "") \(johnny.id)"])
        #expect(invite("caregiver")["id"] != open["id"])
    }

    @Test("What is not open in this family is not found")
    func notOpen() throws {
        let revoked = invite("caregiver")
        _ = revoke(revoked, as: johnny)
        let used = invite("caregiver")
        _ = accept(used, as: try server.user("Maria"))
        let expired = invite("caregiver")
        server.clock.advance(by: .seconds(7 * 86_400 + 1))
        let other = try server.family(of: johnny)
        let elsewhere = server.send(
            "POST", "families/\(other)/invites", as: johnny, ["role": "parent"]
        ).json["invite"]
        for invite in [
            revoked, used, expired, elsewhere, ["id": "x"],
            ["id": "01975c0e-0000-7000-8000-000000000000"],
        ] {
            let answer = revoke(invite, as: johnny)
            #expect(answer.status == 404)
            #expect(answer.code == "NOT_FOUND")
        }
    }

    @Test("Revoked and accepted at once: one of both, never both")
    func revokeRace() throws {
        for _ in 0..<8 {
            let open = invite("caregiver")
            let maria = try server.user("Maria")
            let answers = race(3) { index in
                index == 0 ? accept(open, as: maria).status : revoke(open, as: johnny).status
            }
            if answers[0] == 201 {
                #expect(answers == [201, 404, 404])
            } else {
                #expect(answers[0] == 404)
                #expect(answers[1...].sorted() == [204, 404])
            }
        }
    }
}
