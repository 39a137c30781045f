import BabyBasicsAPI
import Cryptography
import FastCGI
import Foundation
import Logging
import Postgres
import TestSupport
import Testing

@testable import BabyBasicsServer

struct RequestLogTests {
    let file: LineFile
    let writer: LogWriter
    let server: TestServer

    init() throws {
        file = try LineFile()
        let writer = try LogWriter(.lines(descriptor: file.descriptor))
        self.writer = writer
        server = try TestServer(
            logger: Logger(label: "test") { _ in ServiceLogHandler(writer, level: .trace) })
    }

    private func lines() throws -> [String] {
        writer.flush(within: .seconds(20))
        return try file.lines()
    }

    @Test("One line a request: id, pattern, status, times, user")
    func fields() throws {
        let johnny = try server.user("Johnny")
        let family = try server.family(of: johnny)
        _ = try lines()
        let id = String(repeating: "0123456789abcdef", count: 2)
        let answer = server.send(
            "GET", "families/\(family)", as: johnny, headers: ["REQUEST_ID": id])
        #expect(answer.status == 200)
        let found = try lines()
        #expect(found.count == 1)
        let line = try #require(
            try found.first.required().wholeMatch(
                of:
                    /time=\S+ level=info event=request request_id=(\S+) method=GET route=(\S+) status=200 ms=(\d+\.\d{3}) db_ms=(\d+\.\d{3}) db_trips=(\d+) pool_ms=\d+\.\d{3} user_id=(\S+)/
            ))
        #expect(line.1 == id)
        #expect(line.2 == "/api/v1/families/:familyId")
        let total = try Double(line.3).required()
        let database = try Double(line.4).required()
        #expect(database > 0 && database <= total)
        #expect((Int(line.5) ?? 0) >= 1)
        #expect(line.6 == johnny.id)
    }

    @Test("What met no endpoint, and whoever is not known, is a dash")
    func unknown() throws {
        _ = server.send("GET", "nothing/here", headers: ["REQUEST_ID": "a b\nlevel=error"])
        let line = try lines().first.required()
        #expect(line.contains(" request_id=- method=- route=- status=404 "))
        #expect(line.contains(" db_ms=0.000 db_trips=0 pool_ms=0.000 user_id=-"))
    }

    @Test("The answer's status decides the level, and a failure tells its cause in the same line")
    func failure() throws {
        let johnny = try server.user("Johnny")
        try server.database.asSuperuser {
            try $0.execute("alter table users rename to people")
        }
        #expect(server.send("GET", "users/me", as: johnny).status == 500)
        let found = try lines()
        #expect(found.count == 1)
        let line = try found.first.required()
        #expect(line.contains(" level=error event=request "))
        #expect(line.contains(#" cause="PostgreSQL: error 42P01 in «"#))
        #expect(server.metrics()[#"failures_total{cause="statement_refused"}"#] == 1)
    }

    @Test("The journal shows the same by field, and a sentence for people")
    func journal() throws {
        let journal = try JournalStandIn()
        let writer = try LogWriter(.journal(path: journal.path))
        let server = try TestServer(
            logger: Logger(label: "test") { _ in ServiceLogHandler(writer, level: .info) })
        let johnny = try server.user("Johnny")
        _ = server.send("GET", "users/me", as: johnny, headers: ["REQUEST_ID": "abc"])
        let event = try journal.event()
        #expect(
            Set(event.keys) == [
                "PRIORITY", "SYSLOG_IDENTIFIER", "MESSAGE", "REQUEST_ID", "METHOD", "ROUTE",
                "STATUS", "MS", "DB_MS", "DB_TRIPS", "POOL_MS", "USER_ID",
            ])
        #expect(event["REQUEST_ID"] == "abc" && event["ROUTE"] == "/api/v1/users/me")
        #expect(event["STATUS"] == "200" && event["USER_ID"] == johnny.id)
        #expect(
            try event["MESSAGE"].required().wholeMatch(of: /GET \/api\/v1\/users\/me 200 \d+ ms/)
                != nil)
        writer.close()
    }

    @Test(
        "No token, body, path, address or email is in any line, whatever the answer, at the most talkative level"
    )
    func privacy() throws {
        let secret = "canary" + Encoding.hex(try SecureRandom.bytes(6))
        let email = "\(secret)@example.com"
        let johnny = try server.user("Johnny \(secret)", email: email)
        let family = try server.family(of: johnny, secret)
        let child = try server.child(of: family, by: johnny, secret)
        let token = try server.invite(to: family, by: johnny)
        let other = try server.user("Maria")
        let body: JSON = [
            "email": .string(email), "password": .string(secret), "token": .string(token),
            "name": .string(secret), "id": .string(secret), "content": .string(secret),
            "date_of_birth": .string(secret), "occurred_at": .string(secret),
        ]
        let headers = [
            "HTTP_USER_AGENT": secret, "HTTP_X_ADMIN_TOKEN": secret, "HTTP_IF_MATCH": secret,
            "HTTP_COOKIE": secret, "HTTP_REFERER": "https://x/join/\(token)",
            "QUERY_STRING": secret,
        ]
        var statuses: Set<Int> = []
        for route in Route.all {
            // A minute for each, or the limits would answer for the handlers.
            server.clock.advance(by: .seconds(61))
            let path = route.endpoint.path.split(separator: "/").map {
                $0.hasPrefix(":child")
                    ? child
                    : $0.hasPrefix(":family")
                        ? family
                        : $0.hasPrefix(":") ? secret : String($0)
            }.joined(separator: "/")
            for user in [johnny, other, nil] where route.endpoint.path != "/api/v1/auth/logout" {
                for content in [nil, body.text, secret] {
                    let answer = server.send(
                        route.endpoint.method.rawValue, "/\(path)?limit=\(secret)&cursor=\(token)",
                        as: user, raw: content, headers: headers)
                    statuses.insert(answer.status)
                }
            }
        }
        statuses.insert(server.send("GET", "join/\(token)/\(secret)", as: johnny).status)
        statuses.insert(server.send(secret, "families", as: johnny).status)
        statuses.insert(
            server.send(
                "POST", "families", as: johnny, body, headers: ["CONTENT_TYPE": secret]
            ).status)
        statuses.insert(
            server.send("POST", "invites/accept", as: other, ["token": .string(token)]).status)
        for _ in 0..<6 {
            let answer = server.send(
                "POST", "invites/preview", ["token": .string(secret)], from: "10.1.2.3")
            statuses.insert(answer.status)
        }
        // And what the database refuses, with values in its own messages.
        try server.database.asSuperuser {
            // `invalid input syntax for type integer: "…"`
            try $0.execute("alter table families add check (name::int4 > 0) not valid")
            try $0.execute(
                "alter table users alter column name type int4 using 1, drop column if exists timezone"
            )
        }
        statuses.insert(
            server.send(
                "POST", "families", as: johnny, ["name": .string("x\(secret)")]
            ).status)
        statuses.insert(
            server.send("PATCH", "users/me", as: johnny, ["name": .string(secret)]).status)
        #expect(
            statuses.isSuperset(of: [200, 400, 401, 403, 404, 405, 415, 429, 500]), "\(statuses)")

        let text = try lines().joined(separator: "\n")
        #expect(text.contains("status=500") && text.contains("cause="))
        for (what, canary) in [
            ("the secret", secret), ("an email", "@"), ("a session", johnny.token),
            ("another session", other.token), ("an invite", token), ("a family's id", family),
            ("a child's id", child), ("a query", "?"),
        ] {
            #expect(!text.contains(canary), "\(what) is in the log")
        }
        #expect(!text.contains(/\d\.\d+\.\d+\.\d/), "an address is in the log")
    }
}
