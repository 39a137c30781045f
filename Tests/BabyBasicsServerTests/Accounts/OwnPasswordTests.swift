import Postgres
import TestSupport
import Testing

@Suite("Checks of one's own password")
struct OwnPasswordTests {
    let server: TestServer
    let johnny: TestUser

    init() throws {
        server = try TestServer()
        johnny = try server.account("Johnny", email: "johnny@example.com")
    }

    private func check(
        _ user: TestUser? = nil, _ password: String = "not my password", from address: String? = nil
    ) -> Answer {
        server.send(
            "POST", "auth/change-password", as: user ?? johnny,
            [
                "current_password": .string(password), "new_password": "another fine password",
            ], from: address)
    }

    @Test(
        "Five in any minute for each user, right or wrong, over all routes, sessions and addresses")
    func five() throws {
        let phone = try server.anotherSession(of: johnny)
        #expect(check().status == 403)
        #expect(check(phone).status == 403)
        #expect(server.deleteAccount(johnny, "not my password").status == 403)
        let email: JSON = ["current_password": .string(testPassword), "new_email": "j@example.com"]
        let fourth = server.send("POST", "auth/change-email", as: phone, email)
        #expect(fourth.status == 200)
        #expect(fourth.headers["RateLimit-Limit"] == "5")
        #expect(fourth.headers["RateLimit-Remaining"] == "1")
        server.clock.advance(by: .seconds(30))
        #expect(check().status == 403)
        for refused in [check(johnny, testPassword), server.deleteAccount(phone)] {
            #expect(refused.status == 429)
            let wait = try Int(refused.headers["Retry-After"].required()).required()
            #expect((25...30).contains(wait))
        }
        #expect(check(try server.account("Maria")).status == 403, "others go on")
        server.clock.advance(by: .seconds(31))
        #expect(check(johnny, testPassword).status == 204)
    }

    @Test("What is malformed is no check")
    func malformed() {
        for _ in 0..<8 {
            #expect(server.send("POST", "auth/change-password", as: johnny, [:]).status == 400)
        }
        #expect(check().status == 403)
    }

    @Test("A wrong one is a failed sign-in of that account, at home too")
    func throttle() throws {
        let home = "192.0.2.1"
        #expect(server.logIn(johnny.email, from: home).status == 200)
        for _ in 0..<2 {
            for _ in 0..<5 { #expect(check(from: home).status == 403) }
            server.clock.advance(by: .seconds(61))
        }
        #expect(try server.database.texts("select failures::text from login_failures") == ["10"])
        // The eleventh attempt comes after the first wait, the twelfth does not wait for its own.
        #expect(server.logIn(johnny.email, "not my password").status == 401)
        #expect(server.logIn(johnny.email).status == 429, "from elsewhere")
        #expect(server.logIn(johnny.email, from: home).status == 200)
    }

    @Test("From elsewhere they wait as sign-ins do: a session is no way round the throttle")
    func elsewhere() throws {
        for _ in 0..<10 { #expect(server.logIn(johnny.email, "not my password").status == 401) }
        let refused = check(johnny, testPassword)
        #expect(refused.status == 429)
        #expect(refused.headers["Retry-After"] != nil)
        server.clock.advance(by: .seconds(30))
        #expect(check(johnny, testPassword).status == 204)
        #expect(try server.database.texts("select failures::text from login_failures") == ["10"])
    }

    @Test(
        "Those of three users, all at once, keep no sign-in and no registration from being served")
    func flood() throws {
        let users = try (0..<3).map { try server.account("User \($0)") }
        for index in 0..<4 { _ = try server.account("Guest", email: "guest\(index)@example.com") }
        let statuses = race(53) { [server] index in
            if index < 45 { return check(users[index % 3]).status }
            if index < 49 { return server.logIn("guest\(index - 45)@example.com").status }
            return server.send(
                "POST", "auth/register",
                [
                    "name": "New", "email": .string("new\(index)@example.com"),
                    "password": .string(testPassword),
                ]
            ).status
        }
        #expect(statuses[45..<49] == [200, 200, 200, 200])
        #expect(statuses[49...] == [201, 201, 201, 201])
        // One at a time for each user, five a minute.
        let refusals = statuses[..<45]
        #expect(Set(refusals).isSubset(of: [403, 429, 503]))
        #expect((3...15).contains(refusals.filter { $0 == 403 }.count))
        #expect(refusals.filter { $0 == 429 }.count == 30)
    }
}
