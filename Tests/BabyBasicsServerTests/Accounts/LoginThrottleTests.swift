import Postgres
import TestSupport
import Testing

/// Addresses come one by one from the test server, so that the limit by address is not what refuses.
@Suite("Guessing one account's password from many addresses")
struct LoginThrottleTests {
    let server: TestServer
    let home = "2001:db8:1:2::1"

    init() throws {
        server = try TestServer()
        _ = try server.account("Johnny", email: "johnny@example.com")
    }

    private func guess(_ email: String = "johnny@example.com", from address: String? = nil)
        -> Answer
    {
        server.logIn(email, "not the password", from: address)
    }

    @Test(
        "Ten attempts are free, then the wait grows from half a minute to 16 minutes; known and unknown emails alike",
        arguments: ["johnny@example.com", "NOBODY@example.com"])
    func slows(_ email: String) throws {
        for _ in 0..<10 { #expect(guess(email).status == 401) }
        for wait in [30, 60, 120, 240, 480, 960, 960] {
            let refused = guess(email)
            #expect(refused.status == 429)
            #expect(refused.code == "RATE_LIMITED")
            let seconds = try Int(refused.headers["Retry-After"].required()).required()
            #expect(((wait - 2)...wait).contains(seconds), "\(seconds) of \(wait)")
            server.clock.advance(by: .seconds(wait - 2))
            #expect(guess(email.lowercased()).status == 429)
            server.clock.advance(by: .seconds(2))
            #expect(guess(email).status == 401)
        }
    }

    @Test("Refused before the password is looked at: not even the right one gets an answer")
    func rightPassword() {
        for _ in 0..<10 { _ = guess() }
        #expect(server.logIn("johnny@example.com").status == 429)
    }

    @Test("Where the account was signed in from before, strangers' failures hold up nobody")
    func knownPlace() {
        #expect(server.logIn("johnny@example.com", from: home).status == 200)
        for _ in 0..<10 { _ = guess() }
        #expect(guess().status == 429)
        // Another address of the same /64.
        #expect(server.logIn("johnny@example.com", from: "2001:db8:1:2::99").status == 200)
        #expect(guess(from: "2001:db8:1:2::5").status == 401)
        #expect(server.logIn("johnny@example.com", from: "2001:db8:1:3::1").status == 429)
        server.clock.advance(by: .seconds(57 * 86_400))
        for _ in 0..<10 { _ = guess() }
        #expect(server.logIn("johnny@example.com", from: home).status == 429, "eight weeks later")
    }

    @Test("The place of registration is known; one account's place is not another's")
    func registration() {
        let body: JSON = [
            "name": "Sarah", "email": "Sarah@example.com", "password": .string(testPassword),
        ]
        #expect(server.send("POST", "auth/register", body, from: home).status == 201)
        for _ in 0..<11 {
            _ = guess("sarah@example.com")
            _ = guess()
        }
        #expect(server.logIn("sarah@example.com").status == 429)
        #expect(server.logIn("sarah@example.com", from: home).status == 200)
        #expect(server.logIn("johnny@example.com", from: home).status == 429)
    }

    @Test("A right password takes its own attempt back, a day without attempts all of them")
    func forgives() throws {
        for _ in 0..<9 { _ = guess() }
        #expect(server.logIn("johnny@example.com").status == 200)
        #expect(guess().status == 401)
        #expect(guess().status == 429)
        server.clock.advance(by: .seconds(86_401))
        for _ in 0..<10 { #expect(guess().status == 401) }
        #expect(guess().status == 429)
    }

    @Test("The administrator's reset lets the owner in")
    func reset() {
        for _ in 0..<11 { _ = guess() }
        let answer = server.send(
            "POST", "auth/reset-password",
            ["email": "johnny@example.com", "new_password": "another fine password"],
            headers: ["HTTP_X_ADMIN_TOKEN": TestServer.adminToken])
        #expect(answer.status == 200)
        #expect(server.logIn("johnny@example.com", "another fine password").status == 200)
    }

    @Test(
        "A changed password makes the places of the old one strange again, but for where it was changed"
    )
    func passwordChange() throws {
        #expect(server.logIn("johnny@example.com", from: "192.0.2.1").status == 200)
        let login = server.logIn("johnny@example.com", from: home)
        let johnny = TestUser(
            id: "", name: "", email: "",
            token: try login.json["session"]["token"].string.required())
        let change: JSON = [
            "current_password": .string(testPassword), "new_password": "another fine password",
        ]
        #expect(
            server.send("POST", "auth/change-password", as: johnny, change, from: home).status
                == 204)
        for _ in 0..<10 { _ = guess() }
        #expect(
            server.logIn("johnny@example.com", "another fine password", from: home).status == 200)
        #expect(guess(from: "192.0.2.1").status == 429)
    }

    @Test("Of any number of attempts at once, ten are let in")
    func guessRace() {
        let answers = race(30) { _ in guess().status }
        #expect(answers.filter { $0 == 401 }.count == 10)
        #expect(answers.filter { $0 == 429 }.count == 20)
    }

    @Test("Where too many wait to be checked, strangers are turned away without a trace")
    func fullQueue() throws {
        let crowded = try TestServer(database: server.database, hashingQueue: 0)
        _ = server.logIn("johnny@example.com", from: home)
        for _ in 0..<20 {
            #expect(crowded.logIn("johnny@example.com").status == 503)
        }
        #expect(try server.database.count("login_failures") == 0)
        let line = try crowded.log.lines.last { $0.contains("status=503") }.required()
        #expect(line.contains("db_trips=2"), "the limit by address, and whether the place is known")
    }

    /// The statement is prepared while the table is known to be empty, and its plan then serves a full one.
    @Test("The failures of others, however many, do not slow an attempt")
    func manyOthers() throws {
        _ = try server.database.asOwner { try $0.execute("vacuum analyze login_failures") }
        #expect(guess().status == 401)
        try server.database.asOwner {
            _ = try $0.execute(
                """
                insert into login_failures (account, failures, failed_at)
                select sha256(n::text::bytea), 1, now() from generate_series(1, 30000) n
                """)
        }
        for _ in 0..<4 {
            let start = ContinuousClock.now
            #expect(guess().status == 401)
            #expect(ContinuousClock.now - start < .seconds(5))
        }
    }

    @Test("The tables hold neither emails nor addresses")
    func tables() throws {
        #expect(server.logIn("johnny@example.com", from: "192.0.2.77").status == 200)
        for number in 0..<5 { _ = guess("guess\(number)@example.com", from: "192.0.2.88") }
        let stored = try server.database.texts(
            """
            select encode(account, 'escape') || encode(place, 'escape') from login_places
            union all select encode(account, 'escape') from login_failures
            """
        ).joined()
        #expect(!stored.contains("example") && !stored.contains("192.0.2"))
        #expect(try server.database.count("login_failures") == 5)
    }

    @Test("Other hosts know the same places and failures, whatever their invite keys; under another key none are known")
    func key() throws {
        _ = server.logIn("johnny@example.com", from: "192.0.2.1")
        _ = server.logIn("johnny@example.com", "not the password")
        // As after many more: a stranger waits for 16 minutes, however slow the machine.
        try server.database.execute("update login_failures set failures = 20")
        let other = try TestServer(inviteKeys: [9], database: server.database)
        #expect(other.logIn("johnny@example.com").status == 429)
        #expect(other.logIn("johnny@example.com", from: "192.0.2.1").status == 200)
        let stranger = try TestServer(throttleKey: 6, database: server.database)
        #expect(stranger.logIn("johnny@example.com").status == 200)
    }
}
