import Testing

@testable import BabyBasicsServer

@Suite("Limits by client address")
struct AddressLimitTests {
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
            "invites/preview", "auth/forgot-password", "auth/verify-email",
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
}
