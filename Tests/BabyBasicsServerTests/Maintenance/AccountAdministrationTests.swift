import BabyBasicsAPI
import Foundation
import Postgres
import TestSupport
import Testing

@testable import BabyBasicsServer

@Suite("Accounts in the hands of an operator")
struct AccountAdministrationTests {
    let server: TestServer
    let johnny: TestUser

    init() throws {
        server = try TestServer()
        johnny = try server.account("Johnny", email: "johnny@example.com")
    }

    private func administer<Value>(
        _ other: TestServer? = nil, _ act: @escaping (AccountAdministration) async throws -> Value
    ) throws -> Value {
        let server = other ?? server
        let session = try TestConnection(ConnectionConfiguration(url: server.database.serverURL))
        let (connection, now) = (session.connection, server.clock.now())
        return try TestLoop.run { try await act(AccountAdministration(connection: connection, now: now)) }
    }

    private func list(page: Int = 500) throws -> [AccountAdministration.Account] {
        try administer { administration in
            var all: [AccountAdministration.Account] = []
            try await administration.list(page: page) { all.append($0) }
            return all
        }
    }

    private func link(_ email: String) throws -> String {
        let url = try administer { try await $0.resetLink(email, baseURL: "https://baby.example.com") }
        let match = try #require(try Regex("https://baby.example.com/reset/([A-Za-z0-9_-]{43})").wholeMatch(in: url))
        return try String(match.output[1].substring.required())
    }

    @Test("Every account is listed once, page by page, and the deleted ones not")
    func listed() throws {
        for number in 0..<7 { _ = try server.account("Somebody", email: "user\(number)@example.com") }
        let gone = try server.account("Gone", email: "gone@example.com")
        #expect(server.deleteAccount(gone).status == 204)
        let family = try server.family(of: johnny)
        _ = try server.member("Maria", of: family, by: johnny)
        _ = try server.anotherSession(of: johnny)
        let all = try list()
        #expect(all.count == 9)
        for page in [1, 3, 9, 10] { #expect(try list(page: page) == all) }
        let found = try all.first { $0.email == johnny.email }.required()
        #expect((found.name, found.sessions, found.families) == ("Johnny", 2, 1))
        #expect(!found.emailIsConfirmed && !found.isDisabled && found.lastUsedAt != nil)
    }

    @Test("Nobody gets into a disabled account, and nothing tells it from a wrong password")
    func disabled() throws {
        let phone = try server.anotherSession(of: johnny)
        let token = try link(johnny.email)
        #expect(try administer { try await $0.disable(" Johnny@EXAMPLE.com ") })
        for session in [johnny, phone] { #expect(!server.isSignedIn(session)) }
        let right = server.logIn(johnny.email)
        let wrong = server.logIn(johnny.email, "another password")
        #expect(right.status == 401)
        #expect(right.body == wrong.body)
        #expect(server.reset(token, "quite another password").status == 409, "a link from before is dead")
        #expect(try list().first?.isDisabled == true)
        #expect(try !administer { try await $0.disable("johnny@example.com") })
        #expect(try server.userChanges() == [#"{"reset_link_made": true}"#, #"{"disabled": true}"#])
        let ended = try server.database.count("audit_logs where entity_type = 'session' and action = 'delete'")
        #expect(ended == 2)
    }

    @Test("An enabled account has its password and what it logged")
    func enabled() throws {
        let family = try server.family(of: johnny)
        #expect(try administer { try await $0.disable("johnny@example.com") })
        #expect(try administer { try await $0.enable("johnny@example.com") })
        #expect(try !administer { try await $0.enable("johnny@example.com") })
        let again = try server.anotherSession(of: johnny)
        #expect(server.send("GET", "families/\(family)", as: again).status == 200)
        #expect(try server.userChanges().last == #"{"enabled": true}"#)
    }

    @Test("A link opens the account once, within the hour, also where no mail is sent")
    func resetLink() throws {
        let older = try link(johnny.email)
        let token = try link("JOHNNY@example.com")
        #expect(server.reset(older, "quite another password").status == 409)
        #expect(server.reset(token, "quite another password").status == 204)
        #expect(!server.isSignedIn(johnny))
        #expect(server.logIn(johnny.email, "quite another password").status == 200)
        #expect(server.reset(token, "a third password").status == 409)
        let late = try link(johnny.email)
        server.clock.advance(by: .seconds(3601))
        #expect(server.reset(late, "a third password").status == 409)
        #expect(try server.userChanges().contains(#"{"reset_link_made": true}"#))
    }

    @Test("What nobody has, or nobody may have, is refused")
    func refused() throws {
        for email in ["nobody@example.com", "", "no mailbox", "a\u{0}b@example.com"] {
            #expect(throws: AccountAdministration.Refusal.unknown) {
                try administer { try await $0.resetLink(email, baseURL: "https://baby.example.com") }
            }
            #expect(throws: AccountAdministration.Refusal.unknown) { try administer { try await $0.disable(email) } }
            #expect(throws: AccountAdministration.Refusal.unknown) { try administer { try await $0.enable(email) } }
        }
        #expect(try administer { try await $0.disable("johnny@example.com") })
        #expect(throws: AccountAdministration.Refusal.disabled) { try link(johnny.email) }
    }

    @Test("Of sign-ins at the moment that an account is disabled, none gets in afterwards")
    func race() throws {
        for _ in 0..<5 {
            let answers = BabyBasicsServerTests.race(5) { [server, johnny] number in
                guard number == 0 else { return server.logIn(johnny.email).status }
                return (try? administer { try await $0.disable(johnny.email) }) == true ? 1 : 0
            }
            #expect(answers[0] == 1)
            #expect(try server.database.count("sessions") == 0)
            #expect(try administer { try await $0.enable("johnny@example.com") })
        }
    }

    @Test("A disabled account is mailed no link")
    func noMail() throws {
        let server = try TestServer(sendsMail: true)
        let maria = try server.account("Maria", email: "maria@example.com")
        _ = try administer(server) { try await $0.disable("maria@example.com") }
        #expect(server.forgot(maria.email).status == 202)
        #expect(try server.mails(to: maria.email).isEmpty)
    }
}
