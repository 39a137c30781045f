import Postgres
import TestSupport
import Testing

@Suite("Changing the password")
struct PasswordChangeTests {
    let server: TestServer
    let johnny: TestUser

    init() throws {
        server = try TestServer()
        johnny = try server.account("Johnny", email: "johnny@example.com")
    }

    private func change(_ user: TestUser, _ current: JSON, _ new: JSON) -> Answer {
        server.send(
            "POST", "auth/change-password", as: user,
            ["current_password": current, "new_password": new])
    }

    @Test("The new password opens the account, the old one does not, and the other sessions end")
    func changes() throws {
        let phone = try server.anotherSession(of: johnny)
        let maria = try server.account("Maria")
        let answer = change(johnny, .string(testPassword), "another fine password")
        #expect(answer.status == 204)
        #expect(answer.body.isEmpty)
        #expect(server.isSignedIn(johnny))
        #expect(!server.isSignedIn(phone))
        #expect(server.isSignedIn(maria))
        #expect(server.logIn(johnny.email).status == 401)
        #expect(server.logIn(johnny.email, "another fine password").status == 200)
    }

    @Test("The change and each ended session are in the audit log, without any password")
    func audited() throws {
        _ = try server.anotherSession(of: johnny)
        _ = try server.anotherSession(of: johnny)
        try server.database.execute("delete from audit_logs")
        #expect(change(johnny, .string(testPassword), "another fine password").status == 204)
        let rows = try server.database.texts(
            """
            select entity_type || ' ' || action || ' ' || changes::text from audit_logs
            where user_id = \(johnny.id)::uuid order by 1
            """)
        #expect(
            rows == [
                "session delete {}", "session delete {}",
                "user update {\"password_changed\": true}",
            ])
    }

    @Test("A wrong current password gets 403 and changes nothing")
    func wrong() throws {
        let phone = try server.anotherSession(of: johnny)
        let answer = change(johnny, "not my password", "another fine password")
        #expect(answer.status == 403)
        #expect(answer.code == "FORBIDDEN")
        #expect(server.isSignedIn(phone))
        #expect(server.logIn(johnny.email).status == 200)
    }

    @Test("What is missing, too short or too common is named")
    func invalid() {
        #expect(
            server.send("POST", "auth/change-password", as: johnny, [:]).fields
                == ["current_password", "new_password"])
        #expect(change(johnny, .string(testPassword), "short").fields == ["new_password"])
        #expect(change(johnny, .string(testPassword), "Password123").fields == ["new_password"])
        #expect(change(johnny, 5, "another fine password").fields == ["current_password"])
    }

    @Test(
        "Of several changes at once, each from its own session, one succeeds and its session alone goes on"
    )
    func changeRace() throws {
        let sessions = try (0..<4).map { _ in try server.anotherSession(of: johnny) }
        let answers = race(4) { [server] index in
            server.send(
                "POST", "auth/change-password", as: sessions[index],
                [
                    "current_password": .string(testPassword),
                    "new_password": .string("the fine password \(index)"),
                ]
            ).status
        }
        // The others' sessions ended before their passwords were checked, or they came while one was being checked.
        #expect(answers.filter { $0 == 204 }.count == 1)
        #expect(answers.filter { $0 == 401 || $0 == 503 }.count == 3)
        let winner = try answers.firstIndex(of: 204).required()
        #expect(sessions.map(server.isSignedIn) == (0..<4).map { $0 == winner })
        #expect(server.logIn(johnny.email, "the fine password \(winner)").status == 200)
    }

    @Test("A login whose password was changed after its check makes no session")
    func loginAfterChange() throws {
        try server.database.asOwner { owner in
            let login: Background<Int> = try owner.transaction {
                try owner.execute("select from users for update")
                let login = Background { [server, johnny] in server.logIn(johnny.email).status }
                // It has checked the password, and waits to know that it still is the one.
                try server.database.waitUntilBlocked()
                try owner.execute("update users set password_hash = 'changed'")
                return login
            }
            #expect(try login.value() == 401)
        }
        #expect(try server.database.count("sessions") == 1)
    }

    @Test("Logins with the old password beside the change leave no session behind")
    func loginRace() throws {
        for round in 0..<4 {
            let user = try server.account("User \(round)")
            let answers = race(4) { [server] index in
                index == 0
                    ? change(user, .string(testPassword), "another fine password").status
                    : server.logIn(user.email).status
            }
            #expect(answers[0] == 204)
            #expect(answers[1...].allSatisfy { $0 == 200 || $0 == 401 })
            #expect(try server.database.count("sessions where user_id = '\(user.id)'") == 1)
        }
    }

    @Test("A hash that another login renewed meanwhile does not turn the right password away")
    func renewalRace() throws {
        // Of a lower cost than the server's own: each login wants to renew it.
        let strict = try TestServer(database: server.database, cost: 11)
        let answers = race(4) { [johnny] _ in strict.logIn(johnny.email).status }
        #expect(answers == [200, 200, 200, 200])
        #expect(
            try server.database.texts("select left(password_hash, 7) from users") == ["$2b$11$"])
    }
}
