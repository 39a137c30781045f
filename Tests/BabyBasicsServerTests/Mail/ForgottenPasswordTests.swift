import Postgres
import TestSupport
import Testing

@testable import BabyBasicsServer

@Suite("A forgotten password")
struct ForgottenPasswordTests {
    static let new = "quite another password"
    let server: TestServer
    let johnny: TestUser

    init() throws {
        server = try TestServer(sendsMail: true)
        johnny = try server.account("Johnny", email: "johnny@example.com")
    }

    private func token() throws -> String {
        #expect(server.forgot(johnny.email).status == 202)
        return try server.mails(to: johnny.email).last.required().token("reset")
    }

    @Test("The mailed link opens the account with a new password, and closes it to everybody who was in")
    func reset() throws {
        let phone = try server.anotherSession(of: johnny)
        let token = try token()
        #expect(token.count == 43)
        #expect(server.isSignedIn(johnny), "who asks ends nothing")
        let answer = server.reset(token, Self.new)
        #expect(answer.status == 204)
        #expect(answer.body.isEmpty)
        for session in [johnny, phone] { #expect(!server.isSignedIn(session)) }
        #expect(server.logIn(johnny.email).status == 401)
        #expect(server.logIn(johnny.email, Self.new).status == 200)
        #expect(try server.userChanges() == [#"{"password_reset": true}"#])
        let mails = try server.mails(to: johnny.email)
        #expect(mails.map { $0.header("Subject") } == ["Choose a new password", "Your password was changed"])
    }

    @Test("It ends the throttle of failed sign-ins")
    func throttle() throws {
        for number in 0..<11 { _ = server.logIn(johnny.email, "wrong \(number)", from: "10.1.1.\(number)") }
        #expect(server.logIn(johnny.email).status == 429)
        #expect(server.reset(try token(), Self.new).status == 204)
        #expect(server.logIn(johnny.email, Self.new).status == 200)
    }

    @Test("A link that is unknown, used, too old, or older than another is no longer valid")
    func dead() throws {
        func isDead(_ token: String) -> Bool {
            let answer = server.reset(token, Self.new)
            return (answer.status, answer.message) == (404, "This link is no longer valid")
        }
        for text in ["", "x", String(repeating: "A", count: 43), String(repeating: "\u{0}", count: 43)] {
            #expect(isDead(text))
        }
        let first = try token()
        let second = try token()
        #expect(isDead(first), "there is a newer one")
        server.clock.advance(by: .seconds(3601))
        #expect(isDead(second), "it is too old")
        let third = try token()
        #expect(server.reset(third, Self.new).status == 204)
        #expect(isDead(third), "it is used")
    }

    @Test("Another password or email ends it, whoever changes it", arguments: ["own", "admin", "email"])
    func ended(by change: String) throws {
        let token = try token()
        let answer =
            switch change {
            case "own":
                server.send(
                    "POST", "auth/change-password", as: johnny,
                    ["current_password": .string(testPassword), "new_password": "the third password"])
            case "admin":
                server.send(
                    "POST", "auth/reset-password",
                    ["email": .string(johnny.email), "new_password": "the third password"],
                    headers: ["HTTP_X_ADMIN_TOKEN": TestServer.adminToken])
            default:
                server.send(
                    "POST", "auth/change-email", as: johnny,
                    ["current_password": .string(testPassword), "new_email": "john@example.com"])
            }
        #expect(answer.status == 200 || answer.status == 204)
        #expect(server.reset(token, Self.new).status == 404)
        let told = try server.mails(to: johnny.email).last.required().header("Subject")
        #expect(told == (change == "email" ? "Your email address was changed" : "Your password was changed"))
    }

    @Test("Of twenty who use one link at once, one does")
    func race() throws {
        let token = try token()
        let statuses = BabyBasicsServerTests.race(20) { [server] number in
            server.reset(token, "the password of number \(number)").status
        }
        #expect(statuses.count(where: { $0 == 204 }) == 1)
        #expect(statuses.count(where: { $0 == 404 }) == 19)
    }

    @Test("A password that would be refused at registration is refused, and the link stays")
    func passwordRules() throws {
        let token = try token()
        for (password, reason) in [("short", "too_short"), ("password123", "common")] {
            let answer = server.reset(token, password)
            #expect(answer.status == 400)
            #expect(answer.json["error"]["details"][0]["reason"].string == reason)
        }
        #expect(server.send("POST", "auth/reset-password", ["token": .string(token)]).fields == ["new_password"])
        #expect(
            server.send("POST", "auth/reset-password", ["token": 5, "new_password": "a long one"]).fields == ["token"])
        #expect(server.reset(token, Self.new).status == 204)
    }

    @Test("Without a token it is the administrator's, as before")
    func administrator() {
        let body: JSON = ["email": .string(johnny.email), "new_password": .string(Self.new)]
        #expect(server.send("POST", "auth/reset-password", body).status == 401)
        let answer = server.send(
            "POST", "auth/reset-password", body, headers: ["HTTP_X_ADMIN_TOKEN": TestServer.adminToken])
        #expect(answer.status == 200)
        #expect(answer.json == ["success": true])
    }

    @Test("Three an hour, and those after them change nothing")
    func rate() throws {
        let tokens = try (0..<3).map { _ in try token() }
        for _ in 0..<5 { #expect(server.forgot(johnny.email).status == 202) }
        #expect(try server.mails(to: johnny.email).count == 3)
        server.clock.advance(by: .seconds(1800))
        #expect(
            server.reset(tokens[2], Self.new).status == 204,
            "the last link was not ended by wishes that came to nothing")
        server.clock.advance(by: .seconds(1801))
        #expect(server.forgot(johnny.email).status == 202)
        #expect(try server.mails(to: johnny.email).count == 5, "one tells of the change")
    }

    @Test("Nobody is mailed who has no account, and nothing of it stays")
    func unknown() throws {
        #expect(server.forgot("nobody@example.com").status == 202)
        #expect(server.forgot("no mailbox").fields == ["email"])
        #expect(try server.mails(to: "nobody@example.com").isEmpty)
        for table in ["mails", "mailed_links", "mail_rates"] { #expect(try server.database.count(table) == 0) }
    }

    @Test("The answers are the same, byte for byte, and so are the statements")
    func indistinguishable() throws {
        let known = server.forgot(johnny.email)
        let unknown = server.forgot("nobody@example.com")
        #expect(known.body == unknown.body)
        #expect(known.body == Array("{}".utf8))
        #expect(known.headers == unknown.headers)
    }

    /// Each is measured in the same disorder, so that what one leaves behind comes to both alike.
    @Test("The time of an answer does not tell who is known")
    func time() throws {
        var times: [Bool: [Double]] = [true: [], false: []]
        for round in 0..<1000 {
            let isKnown = (round &* 2_654_435_761) >> 7 & 1 == 0 ? round.isMultiple(of: 2) : !round.isMultiple(of: 2)
            let email = isKnown ? johnny.email : "nobody@example.com"
            let took = ContinuousClock().measure { #expect(server.forgot(email).status == 202) }
            times[isKnown]?.append(took / .microseconds(1))
        }
        let (known, unknown) = (times[true, default: []].sorted(), times[false, default: []].sorted())
        #expect(min(known.count, unknown.count) > 400)
        // Mann and Whitney: how often one of the known takes longer than one of the unknown. Of equals about half, with a
        // deviation of 2 in 100: this bound is six of them away.
        var longer = 0.0
        for time in known { longer += Double(unknown.partitioningIndex { $0 >= time }) }
        let share = longer / Double(known.count * unknown.count)
        #expect(abs(share - 0.5) < 0.12, "\(share)")
        let ratio = known[known.count / 2] / unknown[unknown.count / 2]
        #expect(ratio > 0.8 && ratio < 1.25, "\(ratio)")
    }

    @Test("No token is in the database, in any table, before and after it is used, nor in the log")
    func nowhere() throws {
        let token = try token()
        #expect(try !server.database.everything().contains(token))
        #expect(server.reset(token, Self.new).status == 204)
        #expect(try !server.database.everything().contains(token))
        #expect(!server.log.lines.contains { $0.contains(token) || $0.contains(johnny.email) })
    }

    @Test("A link lives through the replacement of the key that it was made with")
    func keys() throws {
        let token = try token()
        #expect(server.forgot(johnny.email).status == 202)
        let rotated = try TestServer(inviteKeys: [8, 7], database: server.database, sendsMail: true)
        #expect(rotated.reset(token, Self.new).status == 204)
    }

    @Test("Without mail every one of these routes says whom to ask")
    func noMail() throws {
        let server = try TestServer()
        let johnny = try server.account("Johnny")
        let answers = [
            server.forgot(johnny.email), server.reset("x", Self.new),
            server.send("POST", "auth/verify-email", ["token": "x"]),
            server.send("POST", "auth/send-verification", as: johnny),
        ]
        for answer in answers {
            #expect(answer.status == 409)
            #expect(answer.message == "This server sends no mail. Ask whoever runs it.")
        }
        #expect(try server.database.count("mails") == 0)
    }

    @Test("The account's end takes its links and its mails")
    func deletion() throws {
        let token = try token()
        #expect(server.forgot(johnny.email).status == 202)
        #expect(server.send("POST", "auth/send-verification", as: johnny).status == 202)
        #expect(server.deleteAccount(johnny).status == 204)
        for table in ["mails", "mailed_links"] { #expect(try server.database.count(table) == 0) }
        #expect(server.reset(token, Self.new).status == 404)
        #expect(try !server.database.everything().contains(johnny.email))
    }
}

extension Array {
    /// The first place from which on `belongs` holds, of sorted elements.
    func partitioningIndex(where belongs: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if belongs(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
