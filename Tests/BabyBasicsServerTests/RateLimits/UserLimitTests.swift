import Foundation
import Postgres
import TestSupport
import Testing

@testable import BabyBasicsServer

/// Each test begins with a minute, so that it ends within it.
@Suite("100 requests a minute for each user")
struct UserLimitTests {
    let server: TestServer
    let johnny: TestUser

    init() throws {
        server = try TestServer()
        johnny = try server.user("Johnny")
        let second = Date().timeIntervalSince1970.truncatingRemainder(dividingBy: 60)
        server.clock.advance(by: .seconds(60 - second))
    }

    /// A worker of the same host, or of another.
    private func worker(ofSameHost: Bool = true) throws -> TestServer {
        let other = try TestServer(
            database: server.database, requestCounts: ofSameHost ? server.requestCounts : nil)
        other.clock.advance(by: server.clock.offset)
        return other
    }

    private func ask(_ server: TestServer, as user: TestUser? = nil) -> Answer {
        server.send("GET", "users/me", as: user ?? johnny)
    }

    private func use(_ count: Int, of server: TestServer) {
        for _ in 0..<count { _ = ask(server) }
    }

    @Test("The hundredth is answered, the next one waits for the minute's end")
    func hundred() throws {
        for index in 1...100 {
            let answer = ask(server)
            #expect(answer.status == 200)
            #expect(answer.headers["RateLimit-Limit"] == "100")
            #expect(answer.headers["RateLimit-Remaining"] == "\(100 - index)")
        }
        let refused = ask(server)
        #expect(refused.status == 429)
        #expect(refused.code == "RATE_LIMITED")
        let wait = try Int(refused.headers["Retry-After"].required()).required()
        #expect((1...60).contains(wait))
        #expect(refused.headers["RateLimit-Reset"] == "\(wait)")
        #expect(ask(server, as: try server.user("Maria")).status == 200)
        server.clock.advance(by: .seconds(wait))
        #expect(ask(server).headers["RateLimit-Remaining"] == "99")
    }

    @Test("All sessions of a user count together")
    func sessions() throws {
        let maria = try server.account("Maria")
        let phone = try server.anotherSession(of: maria)
        #expect(ask(server, as: maria).headers["RateLimit-Remaining"] == "99")
        #expect(ask(server, as: phone).headers["RateLimit-Remaining"] == "98")
    }

    @Test("Workers of a host count together and exactly, however many requests come at once")
    func workers() throws {
        let other = try worker()
        let statuses = race(130) { index in ask(index.isMultiple(of: 2) ? server : other).status }
        #expect(statuses.filter { $0 == 200 }.count == 100)
        #expect(statuses.filter { $0 == 429 }.count == 30)
    }

    @Test("Another host counts for itself")
    func hosts() throws {
        let other = try worker(ofSameHost: false)
        use(100, of: server)
        #expect(ask(server).status == 429)
        #expect(ask(other).headers["RateLimit-Remaining"] == "99")
    }

    @Test("A refusal does not touch the database")
    func refusals() throws {
        let family = try server.family(of: johnny)
        use(99, of: server)
        for (method, path) in [
            ("GET", "users/me"), ("GET", "children"), ("POST", "families"),
            ("PATCH", "families/\(family)"), ("POST", "auth/change-password"),
        ] {
            let refused = server.send(method, path, as: johnny, ["name": "Another"])
            #expect(refused.status == 429)
            let line = try server.log.lines.last { $0.contains("status=429") }.required()
            #expect(line.contains("db_trips=0"), "\(line)")
        }
    }

    @Test("One change too many changes nothing, also by a worker that has never seen the token")
    func changes() throws {
        let family = try server.family(of: johnny)
        use(99, of: server)
        for (method, path) in [
            ("POST", "families"), ("PATCH", "families/\(family)"), ("PATCH", "users/me"),
            ("POST", "families/\(family)/children"), ("POST", "auth/logout"),
        ] {
            let fresh = try worker()
            let answer = fresh.send(
                method, path, as: johnny, ["name": "Changed", "date_of_birth": "2026-03-15"])
            #expect(answer.status == 429, "\(method) \(path)")
        }
        #expect(try server.database.texts("select name from families") == ["Johnny's Family"])
        #expect(try server.database.texts("select name from users") == ["Johnny"])
        #expect(try server.database.count("children") == 0)
        #expect(try server.database.count("sessions") == 1)
    }

    @Test("Requests with a session that has ended are not its user's")
    func ended() throws {
        let maria = try server.account("Maria")
        let phone = try server.anotherSession(of: maria)
        #expect(ask(server, as: phone).headers["RateLimit-Remaining"] == "99")
        try server.database.execute("delete from sessions where user_id = \(maria.id)::uuid")
        let login = server.logIn(maria.email)
        let again = TestUser(
            id: maria.id, name: "", email: "",
            token: try login.json["session"]["token"].string.required())
        for _ in 0..<3 {
            let answer = ask(server, as: phone)
            #expect(answer.status == 401)
            #expect(answer.headers["RateLimit-Limit"] == nil)
        }
        #expect(ask(server, as: again).headers["RateLimit-Remaining"] == "98")
    }

    @Test("What a request gives back that has waited is of the minute that it came in")
    func waited() throws {
        let maria = try server.account("Maria")
        let family = try server.family(of: maria)
        let phone = try server.anotherSession(of: maria)
        let waiting = try server.waitForChanges(of: family, as: phone)
        server.clock.advance(by: .seconds(60))
        #expect(ask(server, as: maria).headers["RateLimit-Remaining"] == "99")
        try server.database.execute(
            "delete from sessions where token_hash = encode(sha256(convert_to(\(phone.token), 'UTF8')), 'hex')")
        let change = server.send("PATCH", "families/\(family)", as: maria, ["name": "Another"])
        #expect(change.headers["RateLimit-Remaining"] == "98")
        #expect(try waiting.value().status == 401)
        #expect(ask(server, as: maria).headers["RateLimit-Remaining"] == "97")
    }

    @Test("A token that nobody was given costs nobody's share")
    func unknown() {
        let stranger = TestUser(
            id: "", name: "", email: "", token: String(repeating: "0", count: 64))
        for _ in 0..<101 { #expect(ask(server, as: stranger).status == 401) }
        #expect(ask(server).headers["RateLimit-Remaining"] == "99")
    }

    @Test("A user's first requests, all at once, are all let in")
    func first() throws {
        let statuses = race(12) { _ in ask(server).status }
        #expect(statuses == Array(repeating: 200, count: 12))
    }

    @Test("An endpoint that is limited by address does not count against the user")
    func notBoth() {
        let answer = server.send("POST", "invites/accept", as: johnny, ["token": "x"])
        #expect(answer.headers["RateLimit-Limit"] == "5")
        #expect(ask(server).headers["RateLimit-Remaining"] == "99")
    }
}
