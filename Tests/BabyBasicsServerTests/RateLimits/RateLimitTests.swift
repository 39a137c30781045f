import Testing

@testable import BabyBasicsServer

@Suite("Rate limits")
struct RateLimitTests {
    let server: TestServer
    let address = "198.51.100.7"

    init() throws {
        server = try TestServer()
    }

    private func preview(from address: String) -> Answer {
        server.send("POST", "invites/preview", ["token": "x"], from: address)
    }

    @Test(
        "Rate limited at 5 req/min per IP, failures included",
        arguments: [
            "auth/register", "auth/login", "auth/reset-password", "invites/accept",
            "invites/preview",
        ])
    func address(_ path: String) throws {
        for remaining in [4, 3, 2, 1, 0] {
            let answer = server.send("POST", path, raw: "x", from: address)
            #expect(answer.status != 429)
            #expect(answer.headers["RateLimit-Limit"] == "5")
            #expect(answer.headers["RateLimit-Remaining"] == "\(remaining)")
        }
        let refused = server.send("POST", path, raw: "x", from: address)
        #expect(refused.status == 429)
        #expect(refused.code == "RATE_LIMITED")
        let wait = try Int(refused.headers["Retry-After"].required()).required()
        #expect((1...60).contains(wait))
        #expect(refused.headers["RateLimit-Remaining"] == "0")
        #expect(
            server.send("POST", path, raw: "x", from: "198.51.100.8").status != 429, "others go on")
        server.clock.advance(by: .seconds(wait))
        #expect(server.send("POST", path, raw: "x", from: address).status != 429)
    }

    @Test("Each endpoint has a bucket of its own")
    func buckets() {
        for _ in 0..<6 { _ = preview(from: address) }
        #expect(preview(from: address).status == 429)
        #expect(server.send("POST", "auth/login", raw: "x", from: address).status == 400)
    }

    @Test("The window slides: never more than 5 accepted in any 60 s")
    func sliding() {
        // Five at 0, 15, 30, 45, 59 s: the next may come at 60, the one after it at 75.
        for step in [15, 15, 15, 14, 0] {
            #expect(preview(from: address).status != 429)
            server.clock.advance(by: .seconds(step))
        }
        #expect(preview(from: address).status == 429)
        server.clock.advance(by: .seconds(2))
        #expect(preview(from: address).status != 429)
        #expect(preview(from: address).status == 429)
        server.clock.advance(by: .seconds(13))
        #expect(
            preview(from: address).status == 429, "refused ones did not count, accepted ones did")
        server.clock.advance(by: .seconds(2))
        #expect(preview(from: address).status != 429)
    }

    @Test("Of simultaneous requests from one address 5 pass")
    func addressRace() {
        let statuses = race(24) { _ in preview(from: address).status }
        #expect(statuses.filter { $0 == 404 }.count == 5)
        #expect(statuses.filter { $0 == 429 }.count == 19)
    }

    @Test(
        "IPv6 is counted by /64, and IPv4 in IPv6 as IPv4",
        arguments: [
            ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", true),
            ("2001:db8:1:2::1", "2001:db8:1:3::1", false),
            ("::ffff:203.0.113.5", "203.0.113.5", true), ("203.0.113.5", "203.0.113.6", false),
            ("2001:DB8:0:0::1", "2001:db8::2", true),
        ])
    func keys(_ left: String, _ right: String, _ same: Bool) {
        #expect((rateLimitKey(address: left) == rateLimitKey(address: right)) == same)
    }

    @Test("100 requests a minute for each user, over all sessions")
    func user() throws {
        let johnny = try server.user("Johnny")
        for index in 1...100 {
            let answer = server.send("GET", "users/me", as: johnny)
            #expect(answer.status == 200)
            #expect(answer.headers["RateLimit-Limit"] == "100")
            #expect(answer.headers["RateLimit-Remaining"] == "\(100 - index)")
        }
        let refused = server.send("GET", "users/me", as: johnny)
        #expect(refused.status == 429)
        let wait = try Int(refused.headers["Retry-After"].required()).required()
        #expect((1...60).contains(wait))
        #expect(server.send("GET", "users/me", as: try server.user("Maria")).status == 200)
        server.clock.advance(by: .seconds(wait + 1))
        #expect(server.send("GET", "users/me", as: johnny).headers["RateLimit-Remaining"] == "99")
    }

    @Test("A user's first requests, all at once, are all let in")
    func firstRequests() throws {
        for _ in 0..<5 {
            let johnny = try server.user("Johnny")
            let statuses = race(12) { [server] _ in
                server.send("GET", "users/me", as: johnny).status
            }
            #expect(statuses == Array(repeating: 200, count: 12))
        }
    }

    @Test("Two workers of a host share the counters")
    func shared() throws {
        let other = try TestServer(database: server.database, requestCounts: server.requestCounts)
        let johnny = try server.user("Johnny")
        let statuses = race(130) { index in
            (index.isMultiple(of: 2) ? server : other).send("GET", "users/me", as: johnny).status
        }
        let passed = statuses.filter { $0 == 200 }.count
        #expect(passed <= 100)
        // In such a crowd some may wait too long for a database session.
        #expect(passed >= 100 - statuses.filter { $0 == 503 }.count)
    }

    @Test("An endpoint that is limited by address does not count against the user")
    func notBoth() throws {
        let johnny = try server.user("Johnny")
        let answer = server.send("POST", "invites/accept", as: johnny, ["token": "x"])
        #expect(answer.headers["RateLimit-Limit"] == "5")
        #expect(server.send("GET", "users/me", as: johnny).headers["RateLimit-Remaining"] == "99")
    }
}
