import Postgres
import TestSupport
import Testing

@Suite("Sessions")
struct SessionTests {
    let server: TestServer
    let johnny: TestUser

    init() throws {
        server = try TestServer()
        johnny = try server.account("Johnny", email: "johnny@example.com")
    }

    private func list(_ user: TestUser) -> [JSON] {
        server.send("GET", "auth/sessions", as: user).json["sessions"].array
    }

    @Test("The list shows the caller's own sessions, and which one asks")
    func lists() throws {
        let login = server.send(
            "POST", "auth/login",
            ["email": .string(johnny.email), "password": .string(testPassword)],
            headers: ["HTTP_USER_AGENT": "Baby Basics/1.0 (iPhone)\u{7}"])
        let token = try login.json["session"]["token"].string.required()
        let phone = TestUser(id: johnny.id, name: "Johnny", email: "", token: token)
        _ = try server.account("Maria")
        let answer = server.send("GET", "auth/sessions", as: phone)
        #expect(answer.status == 200)
        #expect(answer.json["count"] == 2)
        let sessions = answer.json["sessions"].array
        #expect(sessions.count == 2)
        for session in sessions {
            #expect(
                session.keys == [
                    "id", "created_at", "last_used_at", "expires_at", "user_agent", "current",
                ])
        }
        let current = try sessions.first { $0["current"] == true }.required()
        #expect(current["user_agent"] == "Baby Basics/1.0 (iPhone)")
        #expect(sessions.filter { $0["current"] == false }.map { $0["user_agent"] } == [.null])
        #expect(!answer.json.text.contains(token))
    }

    @Test("Expired sessions are not listed and cannot be ended")
    func expired() throws {
        let phone = try server.anotherSession(of: johnny)
        let other = try list(phone).first { $0["current"] == false }.required()["id"].string
            .required()
        try server.database.execute(
            "update sessions set expires_at = now() - interval '1 second' where id = \(other)::uuid"
        )
        #expect(list(phone).count == 1)
        #expect(server.send("DELETE", "auth/sessions/\(other)", as: phone).status == 404)
    }

    @Test("Any of one's own sessions can be ended, the current one too")
    func ends() throws {
        let phone = try server.anotherSession(of: johnny)
        let sessions = list(johnny)
        let other = try sessions.first { $0["current"] == false }.required()["id"].string.required()
        let own = try sessions.first { $0["current"] == true }.required()["id"].string.required()
        #expect(server.send("DELETE", "auth/sessions/\(other)", as: johnny).status == 204)
        #expect(!server.isSignedIn(phone))
        #expect(server.send("DELETE", "auth/sessions/\(other)", as: johnny).status == 404)
        #expect(server.send("DELETE", "auth/sessions/\(own)", as: johnny).status == 204)
        #expect(!server.isSignedIn(johnny))
        let audited = try server.database.texts(
            """
            select entity_id::text from audit_logs
            where entity_type = 'session' and action = 'delete' and user_id = \(johnny.id)::uuid
            order by created_at, id
            """)
        #expect(audited == [other, own])
    }

    @Test("Another user's session, an unknown one and what is no identifier are not found")
    func strangers() throws {
        let maria = try server.account("Maria")
        let hers = try list(maria).first.required()["id"].string.required()
        for id in [hers, "01975c0e-0000-7000-8000-000000000000", "x"] {
            let answer = server.send("DELETE", "auth/sessions/\(id)", as: johnny)
            #expect(answer.status == 404)
            #expect(answer.code == "NOT_FOUND")
        }
        #expect(server.isSignedIn(maria))
    }

    @Test("Of two at once who end one session, one does, and it is recorded once")
    func endRace() throws {
        for _ in 0..<5 {
            let phone = try server.anotherSession(of: johnny)
            let id = try list(phone).first { $0["current"] == true }.required()["id"].string
                .required()
            let answers = race(2) { [server, johnny] _ in
                server.send("DELETE", "auth/sessions/\(id)", as: johnny).status
            }
            #expect(answers.sorted() == [204, 404])
            #expect(
                try server.database.count(
                    "audit_logs where action = 'delete' and entity_id = '\(id)'") == 1)
        }
    }
}
