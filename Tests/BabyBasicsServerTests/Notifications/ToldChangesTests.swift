import BabyBasicsAPI
import EventLoop
import Postgres
import TestSupport
import Testing

@testable import BabyBasicsServer

@Suite("What others logged is told")
struct ToldChangesTests {
    let phones: Phones

    init() throws { phones = try Phones() }

    @Test("At once, and what the same person logs within a minute together in its place")
    func gathered() throws {
        try phones.ask(for: "feeding", "diaper", "sleep", as: phones.johnny)
        try phones.log("feeding", as: phones.rosa)
        let first = try phones.told(phones.johnny)
        #expect(first.map(\.body) == ["Rosa logged a bottle"])
        #expect(first.map(\.title) == ["Baby Bretz"])
        phones.wait(minutes: 0.5)
        try phones.log("diaper", as: phones.rosa)
        try phones.log("sleep", minutesAgo: 90, as: phones.rosa, ["type": "nap", "ended_at": phones.time()])
        #expect(try phones.told(phones.johnny) == [])
        phones.wait(minutes: 0.6)
        let gathered = try phones.told(phones.johnny)
        #expect(gathered.map(\.body) == ["Rosa logged a bottle, a diaper and a nap"])
        #expect(gathered.map(\.tag) == first.map(\.tag), "it takes the first one's place")
        phones.wait(minutes: 5)
        #expect(try phones.told(phones.johnny) == [])
    }

    @Test("What comes when the minute is over is told once, whichever is looked at first")
    func afterTheMinute() throws {
        try phones.ask(for: "feeding", "diaper", as: phones.johnny)
        try phones.log("feeding", as: phones.rosa)
        try phones.notify()
        phones.wait(minutes: 1.1)
        try phones.log("diaper", as: phones.rosa)
        #expect(try phones.bodies(phones.johnny) == ["Rosa logged a bottle", "Rosa logged a diaper"])
        phones.wait(minutes: 5)
        #expect(try phones.told(phones.johnny) == [])
    }

    @Test("A hundred changes of one minute are one notification")
    func many() throws {
        try phones.ask(for: "feeding", "diaper", as: phones.johnny)
        for _ in 0..<99 {
            try phones.log("diaper", as: phones.rosa)
            try phones.notify()
        }
        phones.wait(minutes: 1.1)
        #expect(try phones.bodies(phones.johnny) == ["Rosa logged 99 diapers"])
        #expect(try phones.server.database.count("notifications") == 0)
    }

    @Test("Nothing is lost where changes and the end of the minute meet")
    func races() throws {
        try phones.ask(for: "medication", as: phones.johnny)
        let details: JSON = ["show_details": true]
        #expect(phones.server.send("PATCH", "users/me", as: phones.johnny, details).status == 200)
        let server = phones.server
        let others = try (0..<2).map { _ in try TestServer(database: server.database, connections: 4) }
        for round in 1...8 {
            try phones.log("medication", as: phones.rosa, ["name": "M0"])
            try phones.notify()
            phones.wait(minutes: 1.01)
            for other in others { other.clock.advance(by: server.clock.offset - other.clock.offset) }
            // The end of the minute, and four more, all at once.
            _ = race(6) { number in
                if number < 4 {
                    _ = try? phones.log("medication", as: phones.rosa, ["name": .string("M\(number + 1)")])
                    try? phones.notify()
                } else {
                    try? phones.notify(others[number - 4])
                }
            }
            try phones.notify()
            phones.wait(minutes: 1.01)
            let told = try phones.bodies(phones.johnny).joined()
            for name in (0..<5).map({ "M\($0)" }) { #expect(told.contains(name), "round \(round): \(name) in \(told)") }
        }
    }

    @Test("Of the kinds that somebody asked for alone; to viewers if they asked; and never to who did it")
    func audience() throws {
        try phones.ask(for: "feeding", as: phones.sarah)
        try phones.ask(for: "diaper", as: phones.ines)
        try phones.ask(for: "diaper", "feeding", as: phones.rosa)
        try phones.log("feeding", as: phones.rosa)
        try phones.log("diaper", as: phones.rosa)
        try phones.notify()
        phones.wait(minutes: 1.1)
        #expect(try phones.bodies(phones.sarah) == ["Rosa logged a bottle"])
        #expect(try phones.bodies(phones.ines) == ["Rosa logged a diaper"])
        #expect(try phones.bodies(phones.rosa) == [])
        #expect(try phones.bodies(phones.johnny) == [], "did not ask")
    }

    @Test("Where nobody asked, nothing is written; nor when nobody wants it any more")
    func unwatched() throws {
        try phones.log("feeding", as: phones.rosa)
        #expect(try phones.server.database.count("notifications") == 0)
        try phones.ask(for: "feeding", as: phones.sarah)
        try phones.log("feeding", as: phones.rosa)
        #expect(try phones.server.database.count("notifications") == 1)
        try phones.ask(["kinds": [], "members": true, "access_ends": true], as: phones.sarah)
        #expect(try phones.told(phones.sarah) == [])
        try phones.log("feeding", as: phones.rosa)
        #expect(try phones.server.database.count("notifications") == 0)
    }

    @Test("Edits and deletions are no news, nor is what was deleted before it was told")
    func onlyNew() throws {
        let old = try phones.log("feeding", as: phones.rosa)
        try phones.ask(for: "feeding", as: phones.johnny)
        #expect(phones.server.send("PATCH", old, as: phones.rosa, ["amount_ml": 90]).status == 200)
        #expect(try phones.told(phones.johnny) == [])
        let slip = try phones.log("feeding", as: phones.rosa)
        #expect(phones.server.send("DELETE", slip, as: phones.rosa).status == 204)
        #expect(try phones.told(phones.johnny) == [])
    }

    @Test("What comes from an import, of days ago, is no news")
    func imports() throws {
        try phones.ask(for: "feeding", as: phones.johnny)
        try phones.log("feeding", minutesAgo: 25 * 60, as: phones.rosa)
        #expect(try phones.told(phones.johnny) == [])
    }

    @Test("What is told: names of medicines and temperatures to those who asked for details; notes' words to nobody")
    func details() throws {
        let details: JSON = ["show_details": true]
        #expect(phones.server.send("PATCH", "users/me", as: phones.sarah, details).json["user"]["show_details"] == true)
        for user in [phones.johnny, phones.sarah] {
            try phones.ask(for: "medication", "temperature", "note", as: user)
        }
        try phones.log("medication", minutesAgo: 3, as: phones.rosa, ["dose": "2.5 ml", "notes": "A secret"])
        try phones.log("temperature", minutesAgo: 2, as: phones.rosa)
        try phones.log("note", minutesAgo: 1, as: phones.rosa)
        try phones.notify()
        phones.wait(minutes: 1.1)
        #expect(try phones.bodies(phones.johnny) == ["Rosa logged a medicine, a temperature and a note"])
        #expect(
            try phones.bodies(phones.sarah)
                == ["Rosa logged Paracetamol (2.5 ml), a temperature of 38.5 °C and a note"])
    }

    @Test("In quiet hours it waits for their end, gathered, if its person is a member then")
    func quiet() throws {
        try phones.travel(to: "2026-12-10T05:00:00Z")
        for user in [phones.johnny, phones.sarah] {
            try phones.ask(for: "feeding", "diaper", as: user)
            try phones.setQuiet("22:00", "06:00", as: user)
        }
        try phones.log("feeding", as: phones.rosa)
        try phones.notify()
        phones.wait(minutes: 120)
        let slip = try phones.log("feeding", as: phones.rosa)
        try phones.log("diaper", as: phones.rosa)
        #expect(try phones.bodies(phones.johnny) == [])
        #expect(phones.server.send("DELETE", slip, as: phones.rosa).status == 204)
        let removal = phones.server.send(
            "DELETE", "families/\(phones.family)/members/\(phones.sarah.id)", as: phones.johnny)
        #expect(removal.status == 204)
        try phones.travel(to: "2026-12-10T10:59:50Z")
        #expect(try phones.bodies(phones.johnny) == [])
        phones.wait(minutes: 0.5)
        #expect(try phones.bodies(phones.johnny) == ["Rosa logged a bottle and a diaper"])
        #expect(try phones.bodies(phones.sarah) == [])
    }

    @Test(
        "Quiet hours end by the clock on the wall in the nights in which clocks change",
        arguments: [
            ("2027-03-14T05:30:00Z", "2027-03-14T10:00:00Z"), ("2027-11-07T04:30:00Z", "2027-11-07T11:00:00Z"),
        ])
    func clockChange(night: String, end: String) throws {
        try phones.travel(to: night)
        try phones.ask(for: "feeding", as: phones.johnny)
        try phones.setQuiet("22:00", "06:00", as: phones.johnny)
        try phones.log("feeding", as: phones.rosa)
        #expect(try phones.bodies(phones.johnny) == [])
        try phones.travel(to: end)
        phones.wait(minutes: -0.2)
        #expect(try phones.bodies(phones.johnny) == [])
        phones.wait(minutes: 0.3)
        #expect(try phones.bodies(phones.johnny) == ["Rosa logged a bottle"])
    }

    @Test("Whoever moves to another zone, or ends the quiet hours, is told by the new ones")
    func zones() throws {
        try phones.travel(to: "2026-12-10T05:00:00Z")
        try phones.ask(for: "feeding", as: phones.johnny)
        try phones.setQuiet("22:00", "06:00", as: phones.johnny)
        try phones.log("feeding", as: phones.rosa)
        #expect(try phones.bodies(phones.johnny) == [])
        let berlin: JSON = ["timezone": "Europe/Berlin"]
        #expect(phones.server.send("PATCH", "users/me", as: phones.johnny, berlin).status == 200)
        #expect(try phones.bodies(phones.johnny) == ["Rosa logged a bottle"], "it is six in the morning there")
        try phones.setQuiet("00:00", "23:00", as: phones.johnny)
        phones.wait(minutes: 2)
        try phones.notify()
        try phones.log("feeding", as: phones.rosa)
        #expect(try phones.bodies(phones.johnny) == [])
        #expect(
            phones.server.send("PATCH", "users/me", as: phones.johnny, ["quiet": nil]).json["user"]["quiet"] == .null)
        #expect(try phones.bodies(phones.johnny) == ["Rosa logged a bottle"])
    }

    @Test("What a worker took along when it was killed is told a minute later; who comes back late tells nothing")
    func killed() throws {
        try phones.ask(for: "feeding", as: phones.johnny)
        try phones.log("feeding", as: phones.rosa)
        let claim = ClaimedNotification.rows.claim(ClaimedNotification.columns, at: "clock_timestamp()")
        let late = try phones.server.database.asServer {
            try $0.first(claim) { try ClaimedNotification(&$0) }
        }.required()
        phones.wait(minutes: 0.9)
        #expect(try phones.bodies(phones.johnny) == [])
        phones.wait(minutes: 0.2)
        #expect(try phones.bodies(phones.johnny) == ["Rosa logged a bottle"])
        let pool = phones.server.services.pool
        let outcome = try TestLoop.run {
            try await Database(pool).tellChanges(late, at: "clock_timestamp()")
        }
        #expect(outcome == .lost)
    }

    @Test("What a killed worker had is told with what its person logged since, also to who is in quiet hours")
    func killedBeforeAnother() throws {
        try phones.travel(to: "2026-12-10T05:00:00Z")
        for user in [phones.johnny, phones.sarah] { try phones.ask(for: "feeding", "diaper", as: user) }
        try phones.setQuiet("22:00", "06:00", as: phones.sarah)
        try phones.log("feeding", as: phones.rosa)
        let offset = phones.server.clock.offset.microseconds
        let claim = ClaimedNotification.rows.claim(
            ClaimedNotification.columns, at: "(clock_timestamp() + \(offset) * interval '1 microsecond')")
        _ = try phones.server.database.asServer { try $0.first(claim) { try ClaimedNotification(&$0) } }.required()
        phones.wait(minutes: 0.2)
        try phones.log("diaper", as: phones.rosa)
        #expect(try phones.bodies(phones.johnny) == ["Rosa logged a diaper"])
        phones.wait(minutes: 0.85)
        try phones.notify()
        phones.wait(minutes: 0.3)
        #expect(try phones.bodies(phones.johnny) == ["Rosa logged a bottle and a diaper"])
        try phones.travel(to: "2026-12-10T11:00:10Z")
        #expect(try phones.bodies(phones.sarah) == ["Rosa logged a bottle and a diaper"])
    }

    @Test("Several workers tell each thing once")
    func workers() throws {
        let homes = try (0..<10).map { _ in try Phones(phones.server) }
        for home in homes {
            try home.ask(for: "feeding", as: home.johnny)
            try home.log("feeding", as: home.rosa)
        }
        let others = try (0..<3).map { _ in try TestServer(database: phones.server.database, connections: 4) }
        let all = [phones.server] + others
        for other in others { other.clock.advance(by: phones.server.clock.offset) }
        let before = all.map { $0.services.notificationMetrics.told.value }.reduce(0, +)
        _ = race(4) { try? phones.notify(all[$0]) }
        let after = all.map { $0.services.notificationMetrics.told.value }.reduce(0, +)
        #expect(after - before == 10)
        for home in homes { #expect(try home.bodies(home.johnny) == ["Rosa logged a bottle"]) }
    }

    @Test("A running worker tells what commits at once, and what is due when it is")
    func running() throws {
        try phones.ask(for: "feeding", as: phones.johnny)
        let services = phones.server.services
        TestLoop.shared.sync { services.start() }
        defer { TestLoop.shared.sync { await services.close() } }
        try phones.log("feeding", as: phones.rosa)
        let end = ContinuousClock.now + .seconds(10)
        func count() throws -> Int { try phones.server.database.count("pushes") }
        while try count() == 0, ContinuousClock.now < end {}
        #expect(try count() == 1)
    }
}
