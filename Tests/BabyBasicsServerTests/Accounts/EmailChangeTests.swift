import Postgres
import TestSupport
import Testing

@Suite("Changing the email")
struct EmailChangeTests {
    let server: TestServer
    let johnny: TestUser

    init() throws {
        server = try TestServer()
        johnny = try server.account("Johnny", email: "johnny@example.com")
    }

    private func change(_ email: JSON, _ password: JSON = .string(testPassword), revoke: JSON = nil) -> Answer {
        server.send(
            "POST", "auth/change-email", as: johnny,
            ["current_password": password, "new_email": email, "revoke_sessions": revoke])
    }

    @Test("The new email opens the account, the old one does not, and sessions go on")
    func changes() throws {
        let phone = try server.anotherSession(of: johnny)
        let answer = change(" John@Exämple.com ")
        #expect(answer.status == 200)
        #expect(answer.json["user"]["email"] == "john@xn--exmple-cua.com")
        #expect(answer.json["user"]["id"].string == johnny.id)
        #expect(server.send("GET", "users/me", as: phone).json == answer.json)
        #expect(server.logIn(johnny.email).status == 401)
        #expect(server.logIn("john@exämple.com").status == 200)
        let register = server.send(
            "POST", "auth/register",
            ["name": "J", "email": .string(johnny.email), "password": .string(testPassword)])
        #expect(register.status == 201, "the old one is free")
    }

    @Test("It ends the caller's other sessions if asked, also where the email stays", arguments: [true, false])
    func revoking(isNew: Bool) throws {
        let phone = try server.anotherSession(of: johnny)
        let maria = try server.user("Maria")
        let email: JSON = isNew ? "john@example.com" : .string(johnny.email)
        #expect(change(email, revoke: false).status == 200)
        #expect(server.send("GET", "users/me", as: phone).status == 200)
        #expect(change(email, "not my password", revoke: true).status == 403)
        #expect(change(email, revoke: "yes").fields == ["revoke_sessions"])
        #expect(server.send("GET", "users/me", as: phone).status == 200)
        #expect(change(email, revoke: true).status == 200)
        #expect(server.send("GET", "users/me", as: phone).status == 401)
        #expect(server.send("GET", "users/me", as: johnny).status == 200)
        #expect(server.send("GET", "users/me", as: maria).status == 200)
        let ended = "select count(*)::text from audit_logs where entity_type = 'session' and action = 'delete'"
        #expect(try server.database.texts("\(unescaped: ended)") == ["1"])
    }

    @Test("A wrong password gets 403, a taken email 409, and both change nothing")
    func refused() throws {
        _ = try server.account("Maria", email: "maria@example.com")
        #expect(change("john@example.com", "not my password").status == 403)
        #expect(change("maria@example.com", "not my password").status == 403)
        let taken = change("MARIA@example.com")
        #expect(taken.status == 409)
        #expect(taken.code == "CONFLICT")
        #expect(change("no mailbox").fields == ["new_email"])
        #expect(change(5, nil).fields == ["current_password", "new_email"])
        #expect(server.logIn(johnny.email).status == 200)
    }

    @Test("The change is in the audit log, without any email")
    func audited() throws {
        #expect(change("john@example.com").status == 200)
        #expect(change("john@example.com").status == 200, "nothing to change")
        let rows = try server.database.texts(
            "select changes::text from audit_logs where entity_type = 'user' and action = 'update'")
        #expect(rows == ["{\"email_changed\": true}"])
        #expect(
            try !server.database.texts("select a::text from audit_logs a").joined().contains("@"))
    }

    @Test("Each family's feed tells of the member's new email")
    func feed() throws {
        let family = try server.family(of: johnny)
        let before = server.send("GET", "families/\(family)/changes?since=0", as: johnny).json
        let since = try Int(before["next_since"].number.required())
        #expect(change("john@example.com").status == 200)
        let feed = server.send("GET", "families/\(family)/changes?since=\(since)", as: johnny).json
        #expect(feed["changes"].array.count == 1)
        #expect(feed["changes"][0]["entity"] == "family_member")
        #expect(feed["changes"][0]["data"]["email"] == "john@example.com")
    }

    @Test("Invites to the old email no longer fit, those to the new one do")
    func invites() throws {
        let maria = try server.user("Maria")
        let family = try server.family(of: maria)
        func invite(_ email: String) throws -> JSON {
            let answer = server.send(
                "POST", "families/\(family)/invites", as: maria,
                ["role": "caregiver", "invitee_email": .string(email)])
            return .string(
                String(try answer.json["invite"]["join_url"].string.required().suffix(22)))
        }
        let (old, new) = (try invite(johnny.email), try invite("john@example.com"))
        #expect(server.send("POST", "invites/accept", as: johnny, ["token": new]).status == 404)
        #expect(change("john@example.com").status == 200)
        #expect(server.send("POST", "invites/accept", as: johnny, ["token": old]).status == 404)
        #expect(server.send("POST", "invites/accept", as: johnny, ["token": new]).status == 201)
    }

    @Test("Of two accounts that want one email at once, one gets it")
    func race() throws {
        let users = try (0..<3).map { try server.account("User \($0)") }
        let statuses = BabyBasicsServerTests.race(3) { [server] index in
            server.send(
                "POST", "auth/change-email", as: users[index],
                ["current_password": .string(testPassword), "new_email": "one@example.com"]
            ).status
        }
        #expect(statuses.sorted() == [200, 409, 409])
    }
}
