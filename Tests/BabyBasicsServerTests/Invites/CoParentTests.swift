import Postgres
import TestSupport
import Testing

@Suite("Families that share between two parents")
struct CoParentTests {
    let server: TestServer
    let owner: TestUser
    let family: String

    init() throws {
        server = try TestServer()
        owner = try server.user("Johnny")
        family = try server.family(of: owner, policy: "co_parent")
    }

    private func accept(_ token: String, as user: TestUser) -> Answer {
        server.send("POST", "invites/accept", as: user, ["token": .string(token)])
    }

    @Test("An invite lives 72 hours and has a deep link with the token's bytes as a UUID")
    func links() throws {
        let answer = server.send(
            "POST", "families/\(family)/invites", as: owner, ["role": "parent"])
        #expect(answer.status == 201)
        let link = try answer.json["invite"]["deep_link"].string.required()
        let form =
            /babybasics:\/\/invite\/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/
        let uuid = String(try link.wholeMatch(of: form).required().1)
        #expect(
            try server.database.texts("select (expires_at - created_at)::text from share_links")
                == ["3 days"])
        #expect(server.send("POST", "invites/preview", ["token": .string(uuid)]).status == 200)
        #expect(accept(uuid.uppercased(), as: try server.user("Sarah")).status == 201)
    }

    @Test("Only parents can be invited")
    func roles() {
        for role in ["caregiver", "viewer"] {
            let answer = server.send(
                "POST", "families/\(family)/invites", as: owner, ["role": .string(role)])
            #expect(answer.status == 400)
            #expect(answer.fields == ["role"])
        }
    }

    @Test("Only the owner invites, removes and deletes, and nobody removes the owner")
    func ownerOnly() throws {
        let sarah = try server.member("Sarah", of: family, as: "parent", by: owner)
        let invite = server.send(
            "POST", "families/\(family)/invites", as: sarah, ["role": "parent"])
        #expect(invite.status == 403)
        #expect(invite.message == "Only the owner can invite")
        let removal = server.send("DELETE", "families/\(family)/members/\(owner.id)", as: sarah)
        #expect(removal.status == 403)
        #expect(removal.message == "Only the owner can remove members")
        #expect(server.send("DELETE", "families/\(family)", as: sarah).status == 403)
        #expect(
            server.send("PATCH", "families/\(family)", as: sarah, ["name": "Ours"]).status == 200)
        #expect(
            server.send("DELETE", "families/\(family)/members/\(sarah.id)", as: owner).status == 204
        )
        #expect(server.send("DELETE", "families/\(family)", as: owner).status == 204)
    }

    @Test("The owner alone revokes; both parents see what is open")
    func revoking() throws {
        let invite = server.send(
            "POST", "families/\(family)/invites", as: owner,
            ["role": "parent", "invitee_email": "tom@example.com"]
        ).json["invite"]
        let sarah = try server.member("Sarah", of: family, as: "parent", by: owner)
        let path = "families/\(family)/invites"
        #expect(server.send("GET", path, as: sarah).json["count"] == 1)
        let id = try invite["id"].string.required()
        let refused = server.send("DELETE", "\(path)/\(id)", as: sarah)
        #expect(refused.status == 403)
        #expect(refused.message == "Only the owner can revoke invites")
        #expect(server.send("DELETE", "\(path)/\(id)", as: owner).status == 204)
    }

    @Test("An invite with an email is for that account alone, and single")
    func boundInvites() throws {
        func invite(_ email: JSON) -> JSON {
            server.send(
                "POST", "families/\(family)/invites", as: owner,
                ["role": "parent", "invitee_email": email]
            ).json["invite"]
        }
        let bound = invite("Sarah@Example.com")
        #expect(bound["invitee_email"] == "sarah@example.com")
        #expect(invite("sarah@EXAMPLE.com")["id"] == bound["id"])
        #expect(invite(nil)["id"] != bound["id"])
        let token = String(try bound["join_url"].string.required().suffix(22))
        let stranger = accept(token, as: try server.user("Tom"))
        let unknown = accept("AAAAAAAAAAAAAAAAAAAAAA", as: try server.user("Ann"))
        #expect(stranger.status == 404)
        #expect(stranger.body == unknown.body)
        #expect(accept(token, as: owner).status == 404)
        let sarah = try server.user("Sarah", email: "sarah@example.com")
        #expect(accept(token, as: sarah).status == 201)
        #expect(accept(token, as: sarah).status == 200)
        let members = server.send("GET", "families/\(family)/members", as: sarah).json["members"]
        #expect(members.array.map { $0["role"] } == ["parent", "parent"])
        #expect(members.array.map { $0["is_owner"] } == [true, false])
    }

    @Test("A family with two parents is full")
    func full() throws {
        _ = try server.member("Sarah", of: family, as: "parent", by: owner)
        let answer = server.send(
            "POST", "families/\(family)/invites", as: owner, ["role": "parent"])
        #expect(answer.status == 409)
        #expect(answer.message == "This family already has two parents")
    }

    @Test("Of two accepts at once one makes the second parent, the other finds the family full")
    func acceptRace() throws {
        for _ in 0..<5 {
            let owner = try server.user("Johnny")
            let family = try server.family(of: owner, policy: "co_parent")
            let tokens = try ["a@example.com", "b@example.com"].map { email in
                let answer = server.send(
                    "POST", "families/\(family)/invites", as: owner,
                    ["role": "parent", "invitee_email": .string(email)])
                return String(try answer.json["invite"]["join_url"].string.required().suffix(22))
            }
            try server.database.execute(
                "update users set email = id::text || '@gone' where email in ('a@example.com', 'b@example.com')"
            )
            let users = [
                try server.user("A", email: "a@example.com"),
                try server.user("B", email: "b@example.com"),
            ]
            let answers = race(2) { accept(tokens[$0], as: users[$0]) }
            #expect(answers.map(\.status).sorted() == [201, 409])
            #expect(answers.contains { $0.message == "This family already has two parents" })
            #expect(answers.contains { $0.json["error"]["details"][0]["reason"] == "not_allowed" })
        }
    }
}
