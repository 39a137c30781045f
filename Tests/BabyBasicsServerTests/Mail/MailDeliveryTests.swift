import BabyBasicsAPI
import Curl
import EventLoop
import FastCGI
import Glibc
import Postgres
import Synchronization
import TestSupport
import Testing

@testable import BabyBasicsServer

@Suite("What waits to be sent")
struct MailDeliveryTests {
    let server: TestServer

    init() throws { server = try TestServer(connections: 8, sendsMail: true) }

    private static let away = MailFailure(description: "away", isOfServer: true)
    private static let refused = MailFailure(description: "refused; the server answered 550", isOfServer: false)

    @Test("Tried again after 1, 5 and 15 minutes and then every hour, for a day; then given up, and counted")
    func retries() throws {
        _ = try server.register("johnny@example.com")
        let tries = Mutex<[Timestamp]>([])
        server.mailroom.answer { [clock = server.clock] _ in
            tries.withLock { $0.append(clock.moment()) }
            return Self.away
        }
        var minutes = 0
        while try server.database.count("mails") > 0, minutes < 3000 {
            try server.deliver()
            server.clock.advance(by: .seconds(30))
            minutes += 1
        }
        let waits = tries.withLock { tries in
            zip(tries.dropFirst(), tries).map { Int(($0.since($1) / .seconds(60)).rounded()) }
        }
        #expect(Array(waits.prefix(5)) == [1, 5, 15, 60, 60])
        #expect(waits.dropFirst(3).allSatisfy { $0 == 60 })
        #expect(waits.count == 3 + 23, "then the link is too old")
        let metrics = server.server.metrics(worker: WorkerStatistics(), log: LogStatistics())
        #expect(metrics.contains("\nbabybasics_mails_given_up_total 1\n"))
        #expect(!server.log.lines.contains { $0.contains("johnny@") || $0.contains("verify/") })
    }

    @Test("It is the same mail each time, and goes once")
    func same() throws {
        _ = try server.register("johnny@example.com")
        let first = Mutex<String?>(nil)
        server.mailroom.answer { mail in
            first.withLock { $0 = mail.message }
            return Self.away
        }
        try server.deliver()
        server.mailroom.answer { _ in nil }
        try server.deliver()
        #expect(server.mailroom.mails.isEmpty, "it is not due")
        server.clock.advance(by: .seconds(61))
        try server.deliver()
        #expect(server.mailroom.mails.map(\.message) == [first.withLock { $0 }])
        server.clock.advance(by: .seconds(3600))
        try server.deliver()
        #expect(server.mailroom.mails.count == 1)
        #expect(try server.database.count("mails") == 0)
    }

    @Test("A mail that is refused holds up no other; a server that is away is left alone")
    func others() throws {
        for name in ["a", "b", "c"] { _ = try server.register("\(name)@example.com") }
        server.mailroom.answer { $0.to == "a@example.com" ? Self.refused : nil }
        try server.deliver()
        #expect(Set(server.mailroom.mails.map(\.to)) == ["b@example.com", "c@example.com"])
        for name in ["d", "e", "f"] { _ = try server.register("\(name)@example.com") }
        let tries = Mutex(0)
        server.mailroom.answer { _ in
            tries.withLock { $0 += 1 }
            return Self.away
        }
        try server.deliver()
        #expect(tries.withLock { $0 } == 1)
    }

    @Test("Several workers send each mail once")
    func workers() throws {
        let others = try (0..<3).map { _ in
            try TestServer(database: server.database, connections: 4, sendsMail: true)
        }
        for number in 0..<40 { _ = try server.register("number\(number)@example.com") }
        let all = [server] + others
        _ = race(4) { try? all[$0].deliver() }
        let sent = all.flatMap { $0.mailroom.mails.map(\.to) }
        #expect(sent.count == 40)
        #expect(Set(sent).count == 40)
    }

    @Test("What a worker took along when it was killed is free after a minute, and not before")
    func killed() throws {
        _ = try server.register("johnny@example.com")
        // As a worker leaves it that vanishes while it sends.
        let claim = MailSender.rows.claim("kind", at: "clock_timestamp()")
        #expect(try server.database.asServer { try $0.execute(claim) } == 1)
        server.clock.advance(by: .seconds(55))
        try server.deliver()
        #expect(server.mailroom.mails.isEmpty)
        server.clock.advance(by: .seconds(6))
        try server.deliver()
        #expect(server.mailroom.mails.count == 1)
    }

    @Test("Who comes back after the minute is over takes nothing away from who has it now")
    func late() throws {
        _ = try server.register("johnny@example.com")
        func claim() throws -> DueRows.Claim {
            try server.database.asServer {
                try $0.first(MailSender.rows.claim("kind", at: "clock_timestamp()")) { try DueRows.Claim(&$0) }
            }.required()
        }
        let late = try claim()
        try server.database.execute("update mails set due_at = now()")
        _ = try claim()
        #expect(try server.database.asServer { try $0.execute(MailSender.rows.removal(of: late)) } == 0)
        #expect(try server.database.count("mails") == 1)
    }

    @Test("What is undone was never sent")
    func undone() throws {
        _ = try server.register("johnny@example.com")
        let second = server.send(
            "POST", "auth/register",
            ["name": "A", "email": "johnny@example.com", "password": .string(testPassword)])
        #expect(second.status == 409)
        #expect(try server.mails(to: "johnny@example.com").count == 1)
    }

    @Test("A running worker is woken by what commits, in this process or in another")
    func woken() throws {
        let other = try TestServer(database: server.database, sendsMail: true)
        let services = other.services
        TestLoop.shared.sync { services.start() }
        defer { TestLoop.shared.sync { await services.close() } }
        for number in 0..<3 {
            #expect(
                other.send(
                    "POST", "auth/register",
                    ["name": "A", "email": .string("n\(number)@example.com"), "password": .string(testPassword)]
                ).status == 201)
            let end = ContinuousClock.now + .seconds(10)
            while other.mailroom.mails.count <= number, ContinuousClock.now < end { usleep(5000) }
            #expect(other.mailroom.mails.count == number + 1)
        }
    }
}
