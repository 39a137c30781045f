import Postgres
import TestSupport
import Testing

@testable import BabyBasicsServer

@Suite("A user's requests are counted with the session")
struct RequestCountTests {
    let server: TestServer
    /// Another worker of the same host.
    let other: TestServer
    let johnny: TestUser

    init() throws {
        server = try TestServer()
        other = try Self.worker(besides: server)
        johnny = try server.account("Johnny", email: "johnny@example.com")
    }

    private static func worker(besides server: TestServer) throws -> TestServer {
        try TestServer(database: server.database, grants: server.grants)
    }

    private func get(_ server: TestServer, as user: TestUser? = nil) -> Answer {
        server.send("GET", "children", as: user ?? johnny)
    }

    @Test("Requests that go to two workers in turn: 100 pass, not one more, not one less")
    func inTurn() throws {
        let statuses = (0..<130).map { get($0.isMultiple(of: 2) ? server : other).status }
        #expect(statuses.prefix(100).allSatisfy { $0 == 200 })
        #expect(statuses.dropFirst(100).allSatisfy { $0 == 429 })
    }

    @Test(
        "One session at one worker, then another at another: 100 pass, not one less",
        arguments: [1, 50, 60])
    func oneAfterTheOther(_ first: Int) throws {
        let phone = try server.anotherSession(of: johnny)
        for _ in 0..<first { #expect(get(server).status == 200) }
        let statuses = (first..<101).map { _ in get(other, as: phone).status }
        #expect(statuses == Array(repeating: 200, count: 100 - first) + [429])
    }

    @Test("Of simultaneous requests at four workers, with two sessions, 100 pass, not one more")
    func race100() throws {
        let servers =
            [server, other] + (try (0..<2).map { _ in try Self.worker(besides: server) })
        let phone = try server.anotherSession(of: johnny)
        let statuses = race(160) { index in
            get(servers[index % 4], as: index % 8 < 4 ? johnny : phone).status
        }
        let passed = statuses.count { $0 == 200 }
        #expect(passed <= 100)
        // In such a crowd some may wait too long for a database session.
        #expect(passed >= 100 - statuses.count { $0 == 503 })
    }

    /// As after registration, and for everybody after a crash has emptied the counters.
    @Test("Of two first requests at once, the one that finds the counter being made is let in, too")
    func firstAtOnce() throws {
        let first = try server.database.asSuperuser { session in
            try session.transaction {
                try session.execute(
                    "insert into user_rates (user_id, since, requests) values (\(johnny.id)::uuid, now(), 1)"
                )
                let (server, johnny) = (server, johnny)
                let second = Background { server.send("GET", "children", as: johnny).status }
                try server.database.waitUntilBlocked()
                return second
            }
        }
        #expect(try first.value() == 200)
    }

    /// They are counted ahead of the transaction that is undone.
    @Test("Changes that fail count, each once")
    func failedChanges() throws {
        let child = try server.child(of: server.family(of: johnny), by: johnny)
        server.clock.advance(by: .seconds(61))
        let good: JSON = ["type": "solid", "started_at": "2026-01-01T00:00:00Z"]
        func post(_ child: String, _ body: JSON) -> Answer {
            server.send("POST", "children/\(child)/feedings", as: johnny, body)
        }
        let answers = [
            post(child, good), post(child, ["type": "solid"]), post("no-child", good),
            post(child, good),
        ]
        #expect(answers.map(\.status) == [201, 400, 404, 201])
        #expect(answers.map { $0.headers["RateLimit-Remaining"] } == ["99", "98", "97", "96"])
        let statuses = (0..<100).map { _ in post(child, ["type": "solid"]).status }
        #expect(statuses == Array(repeating: 400, count: 96) + Array(repeating: 429, count: 4))
    }

    /// A crash of the database empties the counters, one of the host what was granted.
    @Test("A change is made, and counted once, where no counter is left")
    func changeWithoutCounter() throws {
        let child = try server.child(of: server.family(of: johnny), by: johnny)
        for (remaining, status) in [("99", 201), ("99", 400)] {
            _ = try server.database.asOwner { try $0.execute("delete from user_rates") }
            server.grants.clear()
            let body: JSON =
                status == 201 ? ["type": "solid", "started_at": "2026-01-01T00:00:00Z"] : [:]
            let answer = server.send("POST", "children/\(child)/feedings", as: johnny, body)
            #expect(answer.status == status)
            #expect(answer.headers["RateLimit-Remaining"] == remaining)
            #expect(get(other).headers["RateLimit-Remaining"] == "98")
        }
    }

    private func counted() throws -> Int {
        try server.database.count(
            "user_rates, generate_series(1, requests) where user_id = '\(johnny.id)'")
    }

    @Test("The counter grants ten at once, and towards the end a quarter of what is left")
    func grants() throws {
        var counts = [Int]()
        for index in 0..<100 {
            let answer = get(index.isMultiple(of: 2) ? server : other)
            #expect(answer.headers["RateLimit-Remaining"] == "\(99 - index)")
            counts.append(try counted())
        }
        let steps = [10, 20, 30, 40, 50, 60, 70, 78, 84, 88, 91, 94, 96, 97, 98, 99, 100]
        #expect(counts == (1...100).map { request in steps.first { $0 >= request } })
    }

    @Test("Hosts never let in more than 100 together; what one was granted, the others cannot use")
    func hosts() throws {
        let host = try TestServer(database: server.database)
        #expect(get(server).status == 200)
        let statuses = (0..<100).map { _ in get(host).status }
        #expect(statuses.count { $0 == 200 } == 90)
        #expect(statuses.last == 429)
        let rest = (0..<20).map { _ in get(server).status }
        #expect(rest == Array(repeating: 200, count: 9) + Array(repeating: 429, count: 11))
    }

    @Test("Whoever is refused costs no counting")
    func refused() throws {
        for _ in 0..<101 { _ = get(server) }
        let version: SQL = "select xmin::text from user_rates where user_id = \(johnny.id)::uuid"
        let before = try server.database.texts(version)
        let answer = get(other)
        #expect(answer.status == 429)
        #expect(answer.headers["RateLimit-Remaining"] == "0")
        #expect(Int(answer.headers["Retry-After"] ?? "") ?? 0 > 50)
        #expect(before.count == 1)
        #expect(try server.database.texts(version) == before)
    }

    @Test("What a signed-out session asks for is not counted against its user")
    func endedSession() throws {
        let phone = try server.anotherSession(of: johnny)
        for _ in 0..<2 { #expect(get(server, as: phone).status == 200) }
        #expect(other.send("POST", "auth/logout", as: phone).status == 204)
        let before = get(server).headers["RateLimit-Remaining"]
        for _ in 0..<50 { #expect(get(server, as: phone).status == 401) }
        #expect(before == "96")
        #expect(get(server).headers["RateLimit-Remaining"] == "95")
    }

    @Test("The next minute counts anew")
    func expires() throws {
        #expect(get(server).status == 200)
        for _ in 0..<100 { _ = get(other) }
        server.clock.advance(by: .seconds(61))
        other.clock.advance(by: .seconds(61))
        let statuses = (0..<101).map { _ in get(server).status }
        #expect(statuses.count { $0 == 200 } == 100)
        #expect(get(server).headers["RateLimit-Remaining"] == "0")
    }

    @Test("Signing out holds from the very next request")
    func signOut() throws {
        let child = try server.child(of: server.family(of: johnny), by: johnny)
        let phone = try server.anotherSession(of: johnny)
        #expect(get(server, as: phone).status == 200)
        #expect(server.send("GET", "children/\(child)/timeline", as: phone).status == 200)
        #expect(other.send("POST", "auth/logout", as: phone).status == 204)
        #expect(get(server, as: phone).status == 401)
        #expect(server.send("GET", "children/\(child)/timeline", as: phone).status == 401)
        let body: JSON = ["type": "solid", "started_at": "2026-01-01T00:00:00Z"]
        #expect(server.send("POST", "children/\(child)/feedings", as: phone, body).status == 401)
    }

    @Test("Removal from a family holds from the very next request")
    func removal() throws {
        let family = try server.family(of: johnny)
        let child = try server.child(of: family, by: johnny)
        let maria = try server.member("Maria", of: family, by: johnny)
        #expect(server.send("GET", "children/\(child)/dashboard", as: maria).status == 200)
        let path = "families/\(family)/members/\(maria.id)"
        #expect(other.send("DELETE", path, as: johnny).status == 204)
        #expect(server.send("GET", "children/\(child)/dashboard", as: maria).status == 404)
        #expect(get(server, as: maria).json["count"] == 0)
    }

    @Test(
        "A session's use is written down without a flush, at reads and at changes, and a change stays durable"
    )
    func touch() throws {
        let child = try server.child(of: server.family(of: johnny), by: johnny)
        let stale: SQL = "update sessions set last_used_at = now() - interval '5 minutes'"
        for path in ["children", "children/\(child)/timeline"] {
            try server.database.execute(stale)
            #expect(server.send("GET", path, as: johnny).status == 200)
            #expect(
                try server.database.count(
                    "sessions where last_used_at > now() - interval '1 minute'") == 1)
        }
        try server.database.execute(stale)
        let body: JSON = ["type": "solid", "started_at": "2026-01-01T00:00:00Z"]
        #expect(server.send("POST", "children/\(child)/feedings", as: johnny, body).status == 201)
        #expect(
            try server.database.count("sessions where last_used_at > now() - interval '1 minute'")
                == 1)
        // The touch turns waiting for the disk off for its own transaction: it must not be the one of the feeding.
        #expect(
            try server.database.count(
                "feedings f, sessions s where f.xmin::text = s.xmin::text") == 0)
    }
}
