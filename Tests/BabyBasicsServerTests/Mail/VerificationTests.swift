import Postgres
import TestSupport
import Testing

@testable import BabyBasicsServer

@Suite("Whose address it is")
struct VerificationTests {
    let server: TestServer

    init() throws { server = try TestServer(sendsMail: true) }

    private func ask(_ user: TestUser) -> Answer { server.send("POST", "auth/send-verification", as: user) }

    private func show(_ token: String) -> Answer {
        server.send("POST", "auth/verify-email", ["token": .string(token)])
    }

    @Test("Registering mails a link, and whoever shows it has the address; nobody before")
    func registration() throws {
        let johnny = try server.register("johnny@example.com")
        #expect(!server.isVerified(johnny))
        let mails = try server.mails(to: johnny.email)
        #expect(mails.count == 1)
        let token = try mails[0].token("verify")
        #expect(token.count == 43)
        #expect(!server.isVerified(johnny), "sending it proves nothing")
        #expect(show(token).status == 204)
        #expect(server.isVerified(johnny))
        let again = show(token)
        #expect((again.status, again.message) == (404, "This link is no longer valid"))
        #expect(try server.userChanges() == [#"{"email_verified": true}"#])
        #expect(ask(johnny).status == 409)
        #expect(server.isSignedIn(johnny))
    }

    @Test("A newer link ends the older; a day ends any")
    func newer() throws {
        let johnny = try server.register("johnny@example.com")
        let first = try server.mails(to: johnny.email)[0].token("verify")
        #expect(ask(johnny).status == 202)
        let second = try server.mails(to: johnny.email)[1].token("verify")
        #expect(show(first).status == 404)
        server.clock.advance(by: .seconds(86_401))
        #expect(show(second).status == 404)
        #expect(!server.isVerified(johnny))
    }

    @Test("Of twenty who show one link at once, one is first")
    func race() throws {
        let johnny = try server.register("johnny@example.com")
        let token = try server.mails(to: johnny.email)[0].token("verify")
        let statuses = BabyBasicsServerTests.race(20) { [self] _ in show(token).status }
        #expect(statuses.sorted() == [204] + Array(repeating: 404, count: 19))
        #expect(try server.userChanges().count == 1)
    }

    @Test("Three an hour for one mailbox and for one account, also of twenty wishes at once")
    func rate() throws {
        let johnny = try server.register("johnny@example.com")
        let statuses = BabyBasicsServerTests.race(20) { [self] _ in ask(johnny).status }
        #expect(statuses.count(where: { $0 == 202 }) == 2, "the first was sent at registration")
        #expect(statuses.count(where: { $0 == 429 }) == 18)
        let refused = ask(johnny)
        #expect(refused.status == 429)
        let seconds = try Int(refused.headers["Retry-After"].required()).required()
        #expect((3500...3600).contains(seconds))
        #expect(try server.mails(to: johnny.email).count <= 3)
        server.clock.advance(by: .seconds(3601))
        #expect(ask(johnny).status == 202)
    }

    @Test("A stranger does not fill a mailbox by registering it again and again")
    func mailbox() throws {
        for _ in 0..<5 {
            let somebody = try server.register("victim@example.com")
            try server.deliver()
            #expect(server.deleteAccount(somebody).status == 204)
        }
        #expect(try server.mails(to: "victim@example.com").count == 3)
    }

    @Test("A new address is to be confirmed anew, and the old one is told")
    func change() throws {
        let johnny = try server.register("johnny@example.com")
        try server.verify(johnny)
        let answer = server.send(
            "POST", "auth/change-email", as: johnny,
            ["current_password": .string(testPassword), "new_email": "john@exämple.com"])
        #expect(answer.json["user"]["email_verified"] == false)
        #expect(
            try server.mails(to: johnny.email).last.required().header("Subject") == "Your email address was changed")
        #expect(try !server.mails(to: johnny.email).last.required().text.contains("xn--exmple-cua"))
        let token = try server.mails(to: "john@xn--exmple-cua.com")[0].token("verify")
        #expect(show(token).status == 204)
        #expect(server.isVerified(johnny))
    }

    @Test("A link that was sent to the address before proves nothing of the one after")
    func old() throws {
        let johnny = try server.register("johnny@example.com")
        let token = try server.mails(to: johnny.email)[0].token("verify")
        for email in ["john@example.com", "johnny@example.com"] {
            let change = server.send(
                "POST", "auth/change-email", as: johnny,
                ["current_password": .string(testPassword), "new_email": .string(email)])
            #expect(change.status == 200)
        }
        #expect(show(token).status == 404)
        #expect(!server.isVerified(johnny))
    }

    @Test("A link for one purpose does not serve the other")
    func purposes() throws {
        let johnny = try server.register("johnny@example.com")
        let verify = try server.mails(to: johnny.email)[0].token("verify")
        #expect(server.forgot(johnny.email).status == 202)
        let reset = try server.mails(to: johnny.email)[1].token("reset")
        #expect(server.reset(verify, "quite another password").status == 404)
        #expect(show(reset).status == 404)
        #expect(show(verify).status == 204)
    }
}
