import Cryptography
import Postgres
import TestSupport
import Testing

@Suite("Invites")
struct InviteTests {
    let server: TestServer
    let johnny: TestUser
    let family: String

    init() throws {
        server = try TestServer()
        johnny = try server.user("Johnny")
        family = try server.family(of: johnny)
    }

    private func invite(_ role: JSON, _ more: [String: JSON] = [:]) -> Answer {
        server.send(
            "POST", "families/\(family)/invites", as: johnny,
            .object(more.merging(["role": role]) { $1 }))
    }

    private func accept(_ token: String, as user: TestUser) -> Answer {
        server.send("POST", "invites/accept", as: user, ["token": .string(token)])
    }

    @Test("Create invite as parent → 201, join_url with token")
    func create() throws {
        let answer = invite("caregiver")
        #expect(answer.status == 201)
        let invite = answer.json["invite"]
        let url = try invite["join_url"].string.required()
        #expect(url.wholeMatch(of: /https:\/\/baby\.example\.com\/join\/[A-Za-z0-9_-]{22}/) != nil)
        #expect(invite["role"] == "caregiver")
        #expect(invite["deep_link"] == .null)
        let lifetimes = try server.database.texts(
            "select (expires_at - created_at)::text from share_links")
        #expect(lifetimes == ["7 days"])
    }

    @Test("Create invite as caregiver → 403")
    func createAsCaregiver() throws {
        let maria = try server.member("Maria", of: family, by: johnny)
        let answer = server.send(
            "POST", "families/\(family)/invites", as: maria, ["role": "caregiver"])
        #expect(answer.status == 403)
        #expect(answer.message == "Only parents can invite family members")
    }

    @Test("Idempotent: create same role invite twice → same token returned")
    func sameAgain() throws {
        let first = invite("caregiver")
        let sarah = try server.member("Sarah", of: family, as: "parent", by: johnny)
        let again = server.send(
            "POST", "families/\(family)/invites", as: sarah, ["role": "caregiver"])
        #expect(again.status == 201)
        #expect(again.json == first.json)
        #expect(try server.database.count("share_links where role = 'caregiver'") == 1)
    }

    @Test("Simultaneous requests for the same role make one invite")
    func sameAgainRace() throws {
        let answers = race(8) { _ in invite("caregiver") }
        #expect(Set(answers.map { $0.json["invite"]["join_url"] }).count == 1)
        #expect(answers.allSatisfy { $0.status == 201 })
    }

    @Test("Create invite with different role → new token (both can coexist)")
    func otherRole() throws {
        let caregiver = try server.invite(to: family, by: johnny)
        let parent = try server.invite(to: family, as: "parent", by: johnny)
        #expect(caregiver != parent)
        #expect(accept(caregiver, as: try server.user("A")).status == 201)
        #expect(accept(parent, as: try server.user("B")).status == 201)
    }

    @Test("Invites for different emails are different, for the same email the same")
    func emails() throws {
        let unbound = invite("caregiver").json["invite"]["id"]
        let one = invite("caregiver", ["invitee_email": "one@example.com"]).json["invite"]["id"]
        let two = invite("caregiver", ["invitee_email": "two@example.com"]).json["invite"]["id"]
        #expect(Set([unbound, one, two]).count == 3)
        #expect(
            invite("caregiver", ["invitee_email": "ONE@Example.com"]).json["invite"]["id"] == one)
        #expect(invite("caregiver").json["invite"]["id"] == unbound)
    }

    @Test("Only the account with the invite's email may accept")
    func boundToEmail() throws {
        let answer = invite("caregiver", ["invitee_email": "Maria@Example.com"])
        let token = try answer.json["invite"]["join_url"].string.required().suffix(22)
        let wrong = accept(String(token), as: try server.user("Tom", email: "tom@example.com"))
        #expect(wrong.status == 404)
        #expect(wrong.message == "Invalid or expired invite link")
        let right = accept(String(token), as: try server.user("Maria", email: "maria@example.com"))
        #expect(right.status == 201)
    }

    @Test(
        "Accept valid invite → 201, FamilyMember created with correct role",
        arguments: ["parent", "caregiver"])
    func accept(_ role: String) throws {
        let token = try server.invite(to: family, as: role, by: johnny)
        let maria = try server.user("Maria")
        let answer = accept(token, as: maria)
        #expect(answer.status == 201)
        #expect(
            answer.json == [
                "family": [
                    "id": .string(family), "name": "Johnny's Family", "role": .string(role),
                ],
                "invited_by": ["name": "Johnny"],
            ])
        let members = server.send("GET", "families/\(family)/members", as: maria).json["members"]
        #expect(members[1]["role"].string == role)
    }

    @Test("Accept marks the link as used (used_at, used_by)")
    func marksUsed() throws {
        let token = try server.invite(to: family, by: johnny)
        let maria = try server.user("Maria")
        _ = accept(token, as: maria)
        let used = try server.database.texts(
            "select used_by::text from share_links where used_at is not null")
        #expect(used == [maria.id])
    }

    @Test("Accept expired invite → 404")
    func expired() throws {
        let token = try server.invite(to: family, by: johnny)
        let maria = try server.user("Maria")
        server.clock.advance(by: .seconds(7 * 86_400 + 1))
        let answer = accept(token, as: maria)
        #expect(answer.status == 404)
        #expect(answer.message == "Invalid or expired invite link")
    }

    @Test("An invite works until it expires")
    func almostExpired() throws {
        let token = try server.invite(to: family, by: johnny)
        server.clock.advance(by: .seconds(7 * 86_400 - 60))
        #expect(accept(token, as: try server.user("Maria")).status == 201)
    }

    @Test("Accept used invite → 404")
    func used() throws {
        let token = try server.invite(to: family, by: johnny)
        _ = accept(token, as: try server.user("Maria"))
        let answer = accept(token, as: try server.user("Tom"))
        #expect(answer.status == 404)
        #expect(answer.message == "Invalid or expired invite link")
    }

    @Test(
        "Accept invalid token → 404",
        arguments: [
            "xK9mLp2qR5tN8vW3yBcd4A", "", "short", "550e8400-e29b-41d4-a716-446655440000",
            "a\u{0}b",
            "../../../etc/passwd", "xK9mLp2qR5tN8vW3yBcd4Aextra", "ünïcödé-tökén-öf-22-ch",
        ])
    func invalid(_ token: String) throws {
        let answer = accept(token, as: johnny)
        #expect(answer.status == 404)
        #expect(answer.message == "Invalid or expired invite link")
        #expect(
            server.send("POST", "invites/preview", ["token": .string(token)]).body == answer.body)
    }

    @Test("Accept without a token, or with one that is no string → 400")
    func noToken() throws {
        for body: JSON in [[:], ["token": nil], ["token": 5], ["token": ["x"]]] {
            let answer = server.send("POST", "invites/accept", as: johnny, body)
            #expect(answer.status == 400)
            #expect(answer.fields == ["token"])
        }
    }

    @Test("Accept own invite → 400")
    func own() throws {
        let token = try server.invite(to: family, by: johnny)
        let answer = accept(token, as: johnny)
        #expect(answer.status == 400)
        #expect(answer.code == "VALIDATION_ERROR")
        #expect(answer.message == "Cannot accept your own invite")
    }

    @Test("Accept when already member → 409, and the link stays unused")
    func alreadyMember() throws {
        let maria = try server.member("Maria", of: family, by: johnny)
        let token = try server.invite(to: family, by: johnny)
        let answer = accept(token, as: maria)
        #expect(answer.status == 409)
        #expect(answer.message == "You are already a member of this family")
        #expect(answer.json["error"]["details"][0]["field"] == "token")
        #expect(answer.json["error"]["details"][0]["reason"] == "duplicate")
        #expect(accept(token, as: try server.user("Tom")).status == 201)
    }

    @Test("Token hash matches SHA-256 of raw token, which is stored nowhere")
    func hash() throws {
        let token = try server.invite(to: family, by: johnny)
        let stored = try server.database.texts("select token_hash from share_links")
        #expect(stored == [Encoding.hex(Digest.sha256(token.utf8))])
        let everything = try server.database.texts("select to_jsonb(l)::text from share_links l")
        #expect(!everything.joined().contains(token))
        #expect(!server.log.lines.joined().contains(token))
    }

    @Test("Expired invite regeneration: after old expires, new one created")
    func regeneration() throws {
        let old = try server.invite(to: family, by: johnny)
        server.clock.advance(by: .seconds(8 * 86_400))
        let new = try server.invite(to: family, by: johnny)
        #expect(old != new)
        #expect(accept(new, as: try server.user("Maria")).status == 201)
    }

    @Test("After an invite is used a new one is made")
    func afterUse() throws {
        let old = try server.invite(to: family, by: johnny)
        _ = accept(old, as: try server.user("Maria"))
        #expect(try server.invite(to: family, by: johnny) != old)
    }

    @Test("An invite of before a change of the key is revoked and replaced")
    func keyChange() throws {
        let old = try server.invite(to: family, by: johnny)
        let changed = try TestServer(inviteKeys: [8], database: server.database)
        let new = try changed.invite(to: family, by: johnny)
        #expect(new != old)
        #expect(accept(old, as: try server.user("Maria")).status == 404)
        #expect(accept(new, as: try server.user("Tom")).status == 201)
    }

    @Test("While the key is replaced, workers with the old and the new one show the same invite")
    func keyRotation() throws {
        let old = try server.invite(to: family, by: johnny)
        // The new key is made known everywhere before it is used anywhere.
        let announced = try TestServer(inviteKeys: [7, 8], database: server.database)
        let replaced = try TestServer(inviteKeys: [8, 7], database: server.database)
        for worker in [announced, server, replaced, announced] {
            #expect(try worker.invite(to: family, by: johnny) == old)
        }
        #expect(accept(old, as: try server.user("Maria")).status == 201)
        let new = try replaced.invite(to: family, by: johnny)
        #expect(try announced.invite(to: family, by: johnny) == new)
        let finished = try TestServer(inviteKeys: [8], database: server.database)
        #expect(try finished.invite(to: family, by: johnny) == new)
    }

    @Test("A role is required", arguments: [nil, "owner", 1, "Parent"] as [JSON])
    func roles(_ role: JSON) {
        let answer = invite(role)
        #expect(answer.status == 400)
        #expect(answer.fields == ["role"])
    }

    @Test("Of many simultaneous accepts exactly one gets 201")
    func acceptRace() throws {
        let token = try server.invite(to: family, by: johnny)
        let users = try (0..<20).map { try server.user("User \($0)") }
        let answers = race(20) { accept(token, as: users[$0]) }
        #expect(answers.filter { $0.status == 201 }.count == 1)
        #expect(answers.filter { $0.status == 404 }.count == 19)
        #expect(try server.database.count("family_members") == 2)
    }

    @Test("One user accepting two invites at once joins once")
    func doubleAccept() throws {
        let maria = try server.user("Maria")
        let tokens = [
            try server.invite(to: family, as: "parent", by: johnny),
            try server.invite(to: family, by: johnny),
        ]
        let statuses = race(2) { accept(tokens[$0], as: maria).status }
        #expect(statuses.sorted() == [201, 409])
    }

    @Test("A deleted family's invite is not found")
    func deletedFamily() throws {
        let token = try server.invite(to: family, by: johnny)
        _ = server.send("DELETE", "families/\(family)", as: johnny)
        #expect(accept(token, as: try server.user("Maria")).status == 404)
    }

    @Test("A preview shows who invites to what, and consumes nothing")
    func preview() throws {
        let token = try server.invite(to: family, by: johnny)
        let answer = server.send("POST", "invites/preview", ["token": .string(token)])
        #expect(answer.status == 200)
        let invite = answer.json["invite"]
        #expect(invite.keys == ["family", "invited_by", "role", "access_until", "expires_at"])
        #expect(invite["family"] == ["name": "Johnny's Family"])
        #expect(invite["invited_by"] == ["name": "Johnny"])
        #expect(invite["role"] == "caregiver")
        #expect(accept(token, as: try server.user("Maria")).status == 201)
        #expect(server.send("POST", "invites/preview", ["token": .string(token)]).status == 404)
    }
}
