import Postgres
import TestSupport
import Testing

@testable import BabyBasicsServer

@Suite("Invites that are mailed")
struct MailedInviteTests {
    let server: TestServer
    let johnny: TestUser
    let family: String

    init() throws {
        server = try TestServer(sendsMail: true)
        johnny = try server.account("Johnny")
        family = try server.family(of: johnny, "The Bretz Family")
    }

    private func invite(_ email: JSON = "maria@example.com", send: JSON = true) -> Answer {
        server.send(
            "POST", "families/\(family)/invites", as: johnny,
            ["role": "caregiver", "invitee_email": email, "send": send])
    }

    private func shown(_ answer: Answer) throws -> String {
        String(try answer.json["invite"]["join_url"].string.required().suffix(22))
    }

    private func accept(_ token: String, as user: TestUser) -> Answer {
        server.send("POST", "invites/accept", as: user, ["token": .string(token)])
    }

    @Test("The invitee gets a link of its own, which shows the same invite")
    func mailed() throws {
        let answer = invite()
        #expect(answer.status == 201)
        let mail = try server.mails(to: "maria@example.com").last.required()
        #expect(mail.header("Subject") == "Johnny invites you to The Bretz Family")
        let token = try mail.token("join")
        #expect(token.count == 22)
        #expect(try token != shown(answer), "the inviter does not know it")
        #expect(try !server.database.everything().contains(token))
        for one in [token, try shown(answer)] {
            let preview = server.send("POST", "invites/preview", ["token": .string(one)])
            #expect(preview.json["invite"]["family"]["name"] == "The Bretz Family")
        }
    }

    @Test("Whoever opens the mailed link and has the address is confirmed by it")
    func confirms() throws {
        _ = invite()
        let token = try server.mails(to: "maria@example.com").last.required().token("join")
        let maria = try server.register("maria@example.com")
        #expect(accept(token, as: maria).status == 201)
        #expect(server.isVerified(maria))
        #expect(accept(token, as: maria).status == 200)
        #expect(try server.userChanges() == [#"{"email_verified": true}"#])
    }

    @Test("The link that the inviter saw proves nothing: it serves whoever is confirmed, and nobody else")
    func shownLink() throws {
        let token = try shown(invite())
        let maria = try server.register("maria@example.com")
        let refused = accept(token, as: maria)
        #expect(refused.status == 404)
        #expect(!server.isVerified(maria))
        let stranger = try server.register("stranger@example.com")
        #expect(accept(token, as: stranger).message == refused.message, "nobody learns whom it is for")
        #expect(accept("AAAAAAAAAAAAAAAAAAAAAA", as: maria).message == refused.message)
        try server.verify(stranger)
        #expect(accept(token, as: stranger).status == 404)
        try server.verify(maria)
        #expect(accept(token, as: maria).status == 201)
    }

    @Test("The mailed link is for its address alone, confirmed or not")
    func others() throws {
        _ = invite()
        let token = try server.mails(to: "maria@example.com").last.required().token("join")
        let stranger = try server.register("stranger@example.com")
        #expect(accept(token, as: stranger).status == 404)
        try server.verify(stranger)
        #expect(accept(token, as: stranger).status == 404)
        #expect(try server.database.texts("select used_at::text from share_links where used_at is not null") == [])
    }

    @Test("One that is bound to nobody is for anybody, confirmed or not")
    func unbound() throws {
        let token = try server.invite(to: family, by: johnny)
        #expect(accept(token, as: try server.register("maria@example.com")).status == 201)
    }

    @Test("Sent again it is the same invite and the same link, three times an hour at most")
    func again() throws {
        let answers = (0..<4).map { _ in invite() }
        #expect(answers.map(\.status) == [201, 201, 201, 429])
        #expect(Set(answers.prefix(3).map { $0.json["invite"]["id"].text }).count == 1)
        let mails = try server.mails(to: "maria@example.com")
        #expect(mails.count == 3)
        #expect(Set(try mails.map { try $0.token("join") }).count == 1)
        #expect(Set(mails.map { $0.header("Message-ID") }).count == 3)
        #expect(invite(send: false).status == 201, "it can still be sent by hand")
    }

    @Test("One person mails twenty an hour")
    func manyMailboxes() throws {
        let statuses = (0..<21).map { number in
            let answer = invite(.string("somebody\(number)@example.com"))
            let id = answer.json["invite"]["id"].string ?? ""
            _ = server.send("DELETE", "families/\(family)/invites/\(id)", as: johnny)
            return answer.status
        }
        #expect(statuses == Array(repeating: 201, count: 20) + [429])
        #expect(try server.database.count("share_links") == 20, "what is refused makes nothing")
    }

    @Test("Nothing is mailed of an invite that ended meanwhile")
    func ended() throws {
        let id = try invite().json["invite"]["id"].string.required()
        #expect(server.send("DELETE", "families/\(family)/invites/\(id)", as: johnny).status == 204)
        #expect(try server.mails(to: "maria@example.com").isEmpty)
        #expect(try server.database.count("mails") == 0)
    }

    @Test("Without an address there is nobody to send it to, and without mail nobody who sends")
    func refused() throws {
        #expect(invite(nil).fields == ["invitee_email"])
        #expect(invite(send: "yes").fields == ["send"])
        #expect(try server.database.count("share_links") == 0)
        let silent = try TestServer()
        let maria = try silent.user("Maria")
        let answer = silent.send(
            "POST", "families/\(try silent.family(of: maria))/invites", as: maria,
            ["role": "caregiver", "invitee_email": "johnny@example.com", "send": true])
        #expect(answer.message == "This server sends no mail. Ask whoever runs it.")
    }
}
