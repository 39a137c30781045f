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
        let answer = server.send(
            "POST", "families/\(family)/invites", as: owner, ["role": "caregiver"])
        #expect(answer.status == 400)
        #expect(answer.fields == ["role"])
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
        }
    }
}
