import TestSupport
import Testing

@testable import BabyBasicsServer

@Suite("Who may make an account")
struct RegistrationPolicyTests {
    private func register(_ server: TestServer, _ email: String, invite: JSON = nil) -> Answer {
        server.send(
            "POST", "auth/register",
            ["name": "A", "email": .string(email), "password": .string(testPassword), "invite": invite])
    }

    @Test("With an open invite, which stays open; the first of all without one")
    func byInvitation() throws {
        let server = try TestServer(sendsMail: true, registration: .invite)
        #expect(server.send("GET", "server").json["server"]["registration"] == "open", "whoever comes first needs none")
        let first = try server.register("first@example.com")
        #expect(server.send("GET", "server").json["server"]["registration"] == "invite")
        for invite: JSON in [nil, "", "AAAAAAAAAAAAAAAAAAAAAA"] {
            let refused = register(server, "second@example.com", invite: invite)
            #expect((refused.status, refused.message) == (403, "This server takes new people by invitation"))
        }
        #expect(register(server, "first@example.com").status == 403, "which emails are known nobody is told")
        #expect(register(server, "second@example.com", invite: 5).fields == ["invite"])
        let family = try server.family(of: first)
        let token = try server.invite(to: family, by: first)
        for email in ["second@example.com", "third@example.com"] {
            #expect(register(server, email, invite: .string(token)).status == 201)
        }
        let fourth = try server.register("fourth@example.com", ["invite": .string(token)])
        #expect(server.send("POST", "invites/accept", as: fourth, ["token": .string(token)]).status == 201)
        #expect(register(server, "fifth@example.com", invite: .string(token)).status == 403, "it is used")
    }

    @Test("A bound invite lets in whom it is for; by its mailed link the address is confirmed at once")
    func bound() throws {
        let server = try TestServer(sendsMail: true, registration: .invite)
        let first = try server.register("first@example.com")
        let family = try server.family(of: first)
        let answer = server.send(
            "POST", "families/\(family)/invites", as: first,
            ["role": "caregiver", "invitee_email": "maria@example.com", "send": true])
        let shown = String(try answer.json["invite"]["join_url"].string.required().suffix(22))
        let mailed = try server.mails(to: "maria@example.com").last.required().token("join")
        for token in [shown, mailed] {
            #expect(register(server, "stranger@example.com", invite: .string(token)).status == 403)
        }
        let maria = try server.register("maria@example.com", ["invite": .string(mailed)])
        #expect(server.isVerified(maria))
        #expect(try server.mails(to: "maria@example.com").count == 1, "there is nothing to confirm")
        #expect(server.send("POST", "invites/accept", as: maria, ["token": .string(shown)]).status == 201)
    }

    @Test("Of many who are first at once, one is")
    func race() throws {
        let server = try TestServer(connections: 10, registration: .invite)
        let statuses = BabyBasicsServerTests.race(8) { number in
            register(server, "number\(number)@example.com").status
        }
        #expect(statuses.sorted() == [201] + Array(repeating: 403, count: 7))
    }

    @Test("A server that is empty again is free again")
    func emptyAgain() throws {
        let server = try TestServer(registration: .invite)
        let first = try server.register("first@example.com")
        #expect(server.deleteAccount(first).status == 204)
        #expect(register(server, "second@example.com").status == 201)
    }

    @Test("What a server is and whom it takes anybody may ask", arguments: [true, false])
    func description(mail: Bool) throws {
        let server = try TestServer(sendsMail: mail, registration: mail ? .invite : .open)
        _ = try server.user("Johnny")
        let answer = server.send("GET", "server")
        #expect(answer.status == 200)
        let expected: JSON = [
            "name": "Baby Basics", "version": .string(Server.version), "registration": mail ? "invite" : "open",
            "mail": .bool(mail), "support": nil, "push_key": nil,
            "languages": ["en", "de", "es", "fr", "it", "pt-BR", "nl", "pl", "ar", "he"],
        ]
        #expect(answer.json["server"] == expected)
    }
}
