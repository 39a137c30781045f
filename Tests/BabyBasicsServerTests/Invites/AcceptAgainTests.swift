import Postgres
import TestSupport
import Testing

@Suite("Invites: accepted again, labels, emails")
struct AcceptAgainTests {
    let server: TestServer
    let johnny: TestUser
    let family: String

    init() throws {
        server = try TestServer()
        johnny = try server.user("Johnny")
        family = try server.family(of: johnny)
    }

    private func accept(_ token: String, as user: TestUser) -> Answer {
        server.send("POST", "invites/accept", as: user, ["token": .string(token)])
    }

    private func invite(_ more: [String: JSON] = [:]) -> Answer {
        server.send(
            "POST", "families/\(family)/invites", as: johnny,
            .object(more.merging(["role": "caregiver"]) { own, _ in own }))
    }

    private func token(_ invite: Answer) -> String {
        String(invite.json["invite"]["join_url"].string?.suffix(22) ?? "")
    }

    @Test("Who accepted this very link and is a member gets the same again; nobody else does")
    func again() throws {
        let maria = try server.user("Maria")
        let token = try server.invite(to: family, by: johnny)
        let first = accept(token, as: maria)
        #expect(first.status == 201)
        server.clock.advance(by: .seconds(10 * 86_400))
        let again = accept(token, as: maria)
        #expect(again.status == 200)
        #expect(again.body == first.body)
        #expect(accept(token, as: johnny).status == 404)
        #expect(accept(token, as: try server.user("Tom")).status == 404)
        #expect(try server.database.count("audit_logs where entity_type = 'family_member'") == 1)
        _ = server.send("POST", "families/\(family)/leave", as: maria)
        #expect(accept(token, as: maria).status == 404, "it has been used")
        #expect(accept(try server.invite(to: family, by: johnny), as: maria).status == 201)
        #expect(accept(token, as: maria).status == 200, "a member again")
    }

    @Test("Another link of the same family is a conflict for a member, and stays open")
    func otherLink() throws {
        let maria = try server.member("Maria", of: family, by: johnny)
        let token = try server.invite(to: family, as: "parent", by: johnny)
        let answer = accept(token, as: maria)
        #expect(answer.status == 409)
        #expect(answer.message == "You are already a member of this family")
        #expect(accept(token, as: try server.user("Sarah")).status == 201)
    }

    @Test("Three taps at once: one joins, the others hear the same")
    func taps() throws {
        for _ in 0..<10 {
            let maria = try server.user("Maria")
            let token = try server.invite(to: family, by: johnny)
            let answers = race(3) { _ in accept(token, as: maria) }
            #expect(answers.map(\.status).sorted() == [200, 200, 201])
            #expect(Set(answers.map(\.body)).count == 1)
        }
        #expect(try server.database.count("family_members") == 11)
    }

    @Test("Two grandmothers get a link each; the same label gets the same link")
    func labels() throws {
        let ruth = invite(["label": " Grandma Ruth "])
        let ines = invite(["label": "Grandma Ines"])
        let plain = invite()
        #expect(Set([ruth, ines, plain].map(token)).count == 3)
        #expect(ruth.json["invite"]["label"] == "Grandma Ruth")
        #expect(invite(["label": "Grandma Ruth"]).json == ruth.json)
        #expect(invite(["label": ""]).json == plain.json)
        #expect(invite(["label": nil]).json == plain.json)
        #expect(invite(["label": "Grandma Ruth", "role": "viewer"]).json["invite"]["id"] != ruth.json["invite"]["id"])
        let listed = server.send("GET", "families/\(family)/invites", as: johnny).json["invites"].array
        #expect(listed.map { $0["label"] } == ["Grandma Ruth", "Grandma Ines", .null, "Grandma Ruth"])
        let preview = server.send("POST", "invites/preview", ["token": .string(token(ruth))])
        #expect(!preview.json.text.contains("Grandma"))
        #expect(!accept(token(ruth), as: try server.user("Ruth")).json.text.contains("Grandma"))
        let labels = try server.database.texts(
            "select changes->'label'->>'new' from audit_logs where changes ? 'label' order by ctid")
        #expect(labels == ["Grandma Ruth", "Grandma Ines", "Grandma Ruth"])
    }

    @Test("A label is one line of at most 50 characters that shows something")
    func badLabels() {
        let bad: [JSON] = [
            .string(String(repeating: "x", count: 51)), "two\nlines", "\u{200b}", "a\u{202e}b", 5,
        ]
        for label in bad { #expect(invite(["label": label]).fields == ["label"], "\(label)") }
        // One character that is stored as two.
        let grows = "\u{958}"
        #expect(invite(["label": .string(String(repeating: grows, count: 25))]).status == 201)
        #expect(invite(["label": .string(String(repeating: grows, count: 26))]).fields == ["label"])
    }

    @Test("The same but for the end of the membership is another invite")
    func sameEnd() {
        let first = invite(["access_until": "2027-03-01T00:00:00Z"])
        #expect(first.status == 201)
        #expect(invite(["access_until": "2027-03-01T01:00:00+01:00"]).json == first.json)
        #expect(invite(["access_until": "2027-03-02T00:00:00Z"]).json["invite"]["id"] != first.json["invite"]["id"])
    }

    @Test("An email is bound in the form in which accounts have it")
    func emails() throws {
        let bound = invite(["invitee_email": " Eltern@Müller.DE "])
        #expect(bound.json["invite"]["invitee_email"] == "eltern@xn--mller-kva.de")
        #expect(invite(["invitee_email": "eltern@xn--mller-kva.de"]).json == bound.json)
        let stranger = accept(token(bound), as: try server.user("Tom"))
        #expect(stranger.status == 404)
        #expect(stranger.message == "Invalid or expired invite link")
        let invited = try server.user("Eltern", email: "eltern@xn--mller-kva.de")
        #expect(accept(token(bound), as: invited).status == 201)
    }
}
