import Cryptography
import Foundation
import Postgres
import TestSupport
import Testing

@Suite("Authentication")
struct AuthenticationTests {
    let server: TestServer

    init() throws {
        server = try TestServer()
    }

    private func register(_ email: String = "parent@example.com", _ more: [String: JSON] = [:])
        -> Answer
    {
        let body: [String: JSON] = [
            "name": "Johnny", "email": .string(email), "password": "securepassword123",
        ]
        return server.send("POST", "auth/register", .object(body.merging(more) { $1 }))
    }

    private func logIn(_ email: String, _ password: JSON) -> Answer {
        server.send("POST", "auth/login", ["email": .string(email), "password": password])
    }

    private func user(_ answer: Answer) throws -> TestUser {
        TestUser(
            id: try answer.json["user"]["id"].string.required(), name: "Johnny", email: "",
            token: try answer.json["session"]["token"].string.required())
    }

    @Test("Register answers a session and the account")
    func registers() throws {
        let answer = register(" Parent@Example.COM ".trimmingCharacters(in: .whitespaces))
        #expect(answer.status == 201)
        let user = answer.json["user"]
        #expect(user["email"] == "parent@example.com")
        #expect(user["name"] == "Johnny")
        #expect(user["timezone"] == "America/New_York")
        #expect(user["day_start_time"] == "07:00")
        let token = try answer.json["session"]["token"].string.required()
        #expect(token.wholeMatch(of: /[0-9a-f]{64}/) != nil)
        #expect(server.send("GET", "users/me", as: try self.user(answer)).status == 200)
        let stored = try server.database.texts("select token_hash from sessions")
        #expect(stored == [Encoding.hex(Digest.sha256(token.utf8))])
        #expect(
            try server.database.texts("select password_hash from users").first?.hasPrefix("$2b$")
                == true)
    }

    @Test("Registration may name the time zone and the beginning of the day")
    func registerWithZone() {
        let answer = register(
            "a@example.com", ["timezone": "Asia/Kolkata", "day_start_time": "00:30"])
        #expect(answer.json["user"]["timezone"] == "Asia/Kolkata")
        #expect(answer.json["user"]["day_start_time"] == "00:30")
        let bad = register(
            "b@example.com", ["timezone": "Mars/Olympus", "day_start_time": "24:00"])
        #expect(bad.status == 400)
        #expect(bad.fields == ["timezone", "day_start_time"])
    }

    @Test("What is missing or malformed in a registration is named")
    func invalidRegistrations() {
        let nothing = server.send("POST", "auth/register", [:])
        #expect(nothing.status == 400)
        #expect(nothing.fields == ["name", "email", "password"])
        #expect(register("x@example.com", ["password": "1234567"]).fields == ["password"])
        #expect(register("x@example.com", ["password": 12_345_678]).fields == ["password"])
        for email in [
            "plain", "@example.com", "a@", "a@b", "a b@example.com", "a@exa mple.com", "a@.com",
            "a@example..com",
            "a@-example.com", "a\u{0}@example.com",
            "\u{212a}@example.com",
            String(repeating: "x", count: 65) + "@example.com",
        ] {
            #expect(register(email).fields == ["email"], "\(email)")
        }
    }

    @Test("An email is registered once, whatever its case")
    func duplicates() {
        #expect(register("a@example.com").status == 201)
        let again = register("A@Example.com")
        #expect(again.status == 409)
        #expect(again.code == "CONFLICT")
        #expect(again.message == "Email already registered")
    }

    @Test("Of simultaneous registrations of one email one succeeds")
    func registrationRace() throws {
        let statuses = race(6) { _ in register("race@example.com").status }
        #expect(statuses.sorted() == [201, 409, 409, 409, 409, 409])
        #expect(try server.database.count("sessions") == 1)
        #expect(try server.database.count("audit_logs") == 1)
    }

    @Test("Log in makes another session each time")
    func logsIn() throws {
        let first = register()
        let second = logIn("PARENT@example.com", "securepassword123")
        #expect(second.status == 200)
        #expect(second.json["user"] == first.json["user"])
        #expect(second.json["session"]["token"] != first.json["session"]["token"])
        #expect(server.send("GET", "users/me", as: try user(first)).status == 200)
        #expect(server.send("GET", "users/me", as: try user(second)).status == 200)
    }

    @Test("A wrong password and an unknown email get the same answer")
    func wrongCredentials() {
        _ = register()
        let wrong = logIn("parent@example.com", "wrongpassword")
        let unknown = logIn("nobody@example.com", "securepassword123")
        let strange = logIn("a\u{0}b", "securepassword123")
        #expect(wrong.status == 401)
        #expect(wrong.code == "UNAUTHORIZED")
        #expect(wrong.message == "Invalid email or password")
        #expect(wrong.body == unknown.body)
        #expect(wrong.body == strange.body)
        #expect(wrong.headers["WWW-Authenticate"] == nil)
        #expect(logIn("parent@example.com", 5).fields == ["password"])
    }

    @Test("Log out ends the session at once, and no other")
    func logsOut() throws {
        let first = try user(register())
        let second = try user(logIn("parent@example.com", "securepassword123"))
        let answer = server.send("POST", "auth/logout", as: first)
        #expect(answer.status == 204)
        #expect(answer.body.isEmpty)
        let after = server.send("GET", "users/me", as: first)
        #expect(after.status == 401)
        #expect(after.message == "Invalid or expired token")
        #expect(after.headers["WWW-Authenticate"] == "Bearer")
        #expect(server.send("GET", "users/me", as: second).status == 200)
    }

    @Test(
        "Missing, malformed and unknown tokens get 401",
        arguments: [
            nil, "", "Bearer", "Bearer ", "Bearer xyz", "Basic dXNlcjpwYXNz",
            "Bearer " + String(repeating: "0", count: 64),
            "Bearer " + String(repeating: "g", count: 64),
            "Bearer  " + String(repeating: "0", count: 64), String(repeating: "0", count: 64),
        ])
    func badTokens(_ header: String?) {
        let answer = server.send(
            "GET", "children", headers: header.map { ["HTTP_AUTHORIZATION": $0] } ?? [:])
        #expect(answer.status == 401)
        #expect(answer.code == "UNAUTHORIZED")
        #expect(answer.message == "Invalid or expired token")
        #expect(answer.headers["WWW-Authenticate"] == "Bearer")
    }

    @Test(
        "The scheme's case does not matter, and a tab after it is a space",
        arguments: ["bearer ", "BEARER ", "Bearer\t"])
    func scheme(_ scheme: String) throws {
        let user = try server.user("Johnny")
        let answer = server.send(
            "GET", "children", headers: ["HTTP_AUTHORIZATION": "\(scheme)\(user.token)"])
        #expect(answer.status == 200)
    }

    @Test("Nothing else stands between scheme and token", arguments: ["\0", "\n", "\u{b}", "x", "-"])
    func separator(_ separator: String) throws {
        let user = try server.user("Johnny")
        let answer = server.send(
            "GET", "children", headers: ["HTTP_AUTHORIZATION": "Bearer\(separator)\(user.token)"])
        #expect(answer.status == 401)
    }

    @Test("A session ends 30 days after its last use, and each use extends it")
    func slidingExpiry() throws {
        let johnny = try server.user("Johnny")
        for _ in 0..<3 {
            server.clock.advance(by: .seconds(29 * 86_400))
            #expect(server.send("GET", "users/me", as: johnny).status == 200)
        }
        server.clock.advance(by: .seconds(30 * 86_400 + 61))
        #expect(server.send("GET", "users/me", as: johnny).status == 401)
    }

    @Test("A session ends 180 days after it was made, however much it is used")
    func absoluteExpiry() throws {
        let johnny = try server.user("Johnny")
        for _ in 0..<9 {
            server.clock.advance(by: .seconds(19 * 86_400))
            #expect(server.send("GET", "users/me", as: johnny).status == 200)
        }
        server.clock.advance(by: .seconds(10 * 86_400))
        #expect(server.send("GET", "users/me", as: johnny).status == 401)
    }

    @Test("A session older than 180 days is over, whatever its expiry says")
    func absoluteAge() throws {
        let johnny = try server.user("Johnny")
        for (days, status) in [(179, 200), (181, 401)] {
            try server.database.execute(
                "update sessions set created_at = now() - make_interval(days => \(Int32(days)))")
            #expect(server.send("GET", "users/me", as: johnny).status == status)
        }
    }

    @Test("Each use brings the expiry to 30 days from now, however recent the last use was")
    func slidesByExpiry() throws {
        let johnny = try server.user("Johnny")
        try server.database.execute(
            "update sessions set last_used_at = now(), expires_at = now() + interval '5 days'")
        #expect(server.send("GET", "users/me", as: johnny).status == 200)
        let isLate = try server.database.texts(
            "select (expires_at > now() + interval '30 days' - interval '1 minute')::text from sessions"
        )
        #expect(isLate == ["true"])
    }

    @Test("Within a minute of the last use nothing is written")
    func touchesOnceAMinute() throws {
        let johnny = try server.user("Johnny")
        func lastUse() throws -> String? {
            try server.database.texts("select last_used_at::text || expires_at from sessions").first
        }
        let before = try lastUse()
        #expect(server.send("GET", "users/me", as: johnny).status == 200)
        #expect(try lastUse() == before)
        server.clock.advance(by: .seconds(61))
        #expect(server.send("GET", "users/me", as: johnny).status == 200)
        #expect(try lastUse() != before)
    }

    @Test("The administrator resets a password; sessions stay valid")
    func reset() throws {
        let session = try user(register())
        let admin = ["HTTP_X_ADMIN_TOKEN": TestServer.adminToken]
        let body: JSON = ["email": "Parent@example.com", "new_password": "newsecurepassword123"]
        let answer = server.send("POST", "auth/reset-password", body, headers: admin)
        #expect(answer.status == 200)
        #expect(answer.json == ["success": true])
        #expect(logIn("parent@example.com", "securepassword123").status == 401)
        #expect(logIn("parent@example.com", "newsecurepassword123").status == 200)
        #expect(server.send("GET", "users/me", as: session).status == 200)
        let audit = try server.database.texts(
            "select coalesce(user_id::text, '-') || changes::text from audit_logs where entity_type = 'user' and action = 'update'"
        )
        #expect(audit == ["-{\"password_changed\": true}"])
    }

    @Test("A reset ends the account's sessions where it is to, and no other's")
    func resetEndsSessions() throws {
        let session = try user(register())
        let maria = try server.user("Maria")
        let admin = ["HTTP_X_ADMIN_TOKEN": TestServer.adminToken]
        func reset(_ revoke: JSON) -> Answer {
            server.send(
                "POST", "auth/reset-password",
                [
                    "email": "parent@example.com", "new_password": "newsecurepassword123",
                    "revoke_sessions": revoke,
                ], headers: admin)
        }
        #expect(reset("yes").fields == ["revoke_sessions"])
        for revoke: JSON in [false, nil] { #expect(reset(revoke).status == 200) }
        #expect(server.isSignedIn(session))
        #expect(reset(true).status == 200)
        #expect(!server.isSignedIn(session))
        #expect(server.isSignedIn(maria))
        let audit = try server.database.texts(
            "select coalesce(user_id::text, '-') from audit_logs where entity_type = 'session' and action = 'delete'"
        )
        #expect(audit == ["-"])
    }

    @Test("Without the admin token nothing is reset, nor told")
    func resetRefused() {
        let body: JSON = ["email": "nobody@example.com", "new_password": "newsecurepassword123"]
        for token in [nil, "", "wrong", "an admin token of at least 32 characterX"] {
            let answer = server.send(
                "POST", "auth/reset-password", body,
                headers: token.map { ["HTTP_X_ADMIN_TOKEN": $0] } ?? [:])
            #expect(answer.status == 401)
            #expect(answer.code == "UNAUTHORIZED")
        }
        let admin = ["HTTP_X_ADMIN_TOKEN": TestServer.adminToken]
        #expect(server.send("POST", "auth/reset-password", body, headers: admin).status == 404)
        #expect(
            server.send("POST", "auth/reset-password", [:], headers: admin).fields == [
                "email", "new_password",
            ])
    }

    @Test(
        "Passwords of any length and content open their own account only",
        arguments: [
            String(repeating: "a", count: 72), String(repeating: "a", count: 73),
            String(repeating: "a", count: 500), "with\u{0}a NUL inside", "with\u{0}another inside",
            "pässwörd-ünïcödé",
        ])
    func unusualPasswords(_ password: String) {
        let admitted = server.send(
            "POST", "auth/register",
            ["name": "J", "email": "long@example.com", "password": .string(password)])
        #expect(admitted.status == 201)
        #expect(logIn("long@example.com", .string(password)).status == 200)
        #expect(logIn("long@example.com", .string(password + "x")).status == 401)
        #expect(logIn("long@example.com", .string(String(password.dropLast()))).status == 401)
    }

    @Test("Hashes made elsewhere verify, and weak ones are renewed")
    func foreignHashes() throws {
        // Made by Python's crypt module: cost 10, password "correct horse".
        _ = register("old@example.com", ["password": "correct horse"])
        let hash = try server.database.texts("select password_hash from users").first.required()
        #expect(hash.hasPrefix("$2b$10$"))
        for prefix in ["$2a$", "$2y$"] {
            let foreign = prefix + hash.dropFirst(4)
            try server.database.execute("update users set password_hash = \(foreign)")
            #expect(logIn("old@example.com", "correct horse").status == 200, "\(prefix)")
            #expect(logIn("old@example.com", "correct horsf").status == 401, "\(prefix)")
        }
        for broken in [
            "", "*0", "plain", "$1$salt$hash", "$2b$04$" + hash.dropFirst(7),
            "$2b$15$" + hash.dropFirst(7),
        ] {
            try server.database.execute("update users set password_hash = \(String(broken))")
            #expect(logIn("old@example.com", "correct horse").status == 401, "\(broken)")
        }
    }

    @Test("Health names the service and its version")
    func health() {
        let answer = server.send("GET", "/health")
        #expect(answer.status == 200)
        #expect(answer.json == ["status": "ok", "service": "baby-basics", "version": "1.0.0"])
        #expect(server.send("HEAD", "/health").status == 200)
    }
}
