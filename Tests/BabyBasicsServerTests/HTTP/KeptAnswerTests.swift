import BabyBasicsAPI
import BabyBasicsServer
import Foundation
import Postgres
import Synchronization
import TestSupport
import Testing

/// Answers that are kept are those that would be made anew, at any moment.
@Suite("Kept answers")
struct KeptAnswerTests {
    let nursery: Nursery
    let paths = ["timeline", "timeline?limit=50", "dashboard"]

    init() throws {
        nursery = try Nursery()
        _ = try nursery.log("notes", ["content": "First", "occurred_at": "2026-02-25T12:00:00Z"])
    }

    private var database: TestDatabase { nursery.server.database }

    private func forget() throws {
        try database.execute("delete from kept_timelines")
        try database.execute("delete from kept_dashboards")
    }

    /// How many rows are kept and hold.
    private func kept() throws -> [String?] {
        try ["kept_timelines", "kept_dashboards"].map { table in
            try database.texts(
                """
                select count(*)::text from \(unescaped: table) k join families f on f.id = k.family_id
                where f.last_revision = k.revision
                """
            ).first
        }
    }

    /// Asks everything twice, and once when nothing is kept: each time the same is said. All of it is kept afterwards.
    private func check(as users: [TestUser], _ when: String) throws {
        let questions = users.flatMap { user in paths.map { (user, $0) } }
        func ask() -> [JSON] { questions.map { nursery.send("GET", $1, as: $0).json } }
        let (first, second) = (ask(), ask())
        for (index, (user, path)) in questions.enumerated() {
            try forget()
            let truth = nursery.send("GET", path, as: user)
            #expect(truth.status == 200)
            #expect(first[index] == truth.json, "\(path) \(when)")
            #expect(second[index] == truth.json, "\(path) the second time \(when)")
        }
        #expect(ask() == second)
    }

    /// Plans last as long as sessions, and are made while next to nothing is kept.
    @Test("What is kept is found by its key, also where it was first looked for in empty tables")
    func plans() throws {
        try database.script("vacuum analyze")
        for _ in 0..<2 {
            for path in paths { #expect(nursery.send("GET", path).status == 200) }
        }
        // Sessions tell what they did when they end.
        nursery.server.services.close()
        func scans(_ column: SQL) throws -> [String?] {
            try database.texts(
                """
                select \(unescaped: column.text)::text from pg_stat_user_tables
                where relname in ('kept_timelines', 'kept_dashboards')
                """)
        }
        let end = ContinuousClock.now + .seconds(20)
        while try scans("idx_scan").contains("0"), .now < end { usleep(20_000) }
        #expect(try !scans("idx_scan").contains("0"))
        #expect(try scans("seq_scan") == ["0", "0"])
    }

    @Test("The second answer is the one that was kept, for every member")
    func isUsed() throws {
        for path in paths { #expect(nursery.send("GET", path).status == 200) }
        #expect(try kept() == ["1", "1"])
        try database.execute("update kept_timelines set page = '{\"kept\":true}'")
        try database.execute("update kept_dashboards set notes = 4711")
        for user in [nursery.parent, nursery.caregiver] {
            #expect(nursery.send("GET", "timeline", as: user).json == ["kept": true])
            #expect(nursery.send("GET", "timeline?limit=50", as: user).json == ["kept": true])
            let dashboard = nursery.send("GET", "dashboard", as: user).json["dashboard"]
            #expect(dashboard["totals"]["notes"]["count"] == 4711)
        }
        for path in ["timeline?limit=49", "timeline?types=note", "dashboard?date=2026-02-25"] {
            let answer = nursery.send("GET", path)
            #expect(answer.status == 200)
            #expect(answer.json["kept"] == .null)
            #expect(answer.json["dashboard"]["totals"]["notes"]["count"] != 4711)
        }
    }

    @Test("It opens no door: neither to strangers nor without a session, and not past the limit")
    func opensNoDoor() throws {
        for path in paths { #expect(nursery.send("GET", path).status == 200) }
        for path in paths {
            #expect(nursery.send("GET", path, as: nursery.stranger).status == 404)
            #expect(
                nursery.server.send("GET", "children/\(nursery.child)/\(path)").status == 401)
            #expect(nursery.send("GET", path, child: "no-child").status == 404)
        }
        let removal = nursery.server.send(
            "DELETE", "families/\(nursery.family)/members/\(nursery.caregiver.id)",
            as: nursery.parent)
        #expect(removal.status == 204)
        for path in paths {
            #expect(nursery.send("GET", path, as: nursery.caregiver).status == 404)
        }
        nursery.server.clock.advance(by: .seconds(61))
        let statuses = (0..<101).map { _ in
            nursery.server.send("GET", "children/\(nursery.child)/timeline", as: nursery.parent)
                .status
        }
        #expect(statuses == Array(repeating: 200, count: 100) + [429])
    }

    @Test("After every kind of change the truth is told")
    func changes() throws {
        let users = [nursery.parent, nursery.caregiver]
        try check(as: users, "at first")
        var bodies: [(path: String, name: String)] = []
        for sample in Sample.all {
            var body = sample.most.with([sample.time: .string(recent(minutes: 50))])
            if body["ended_at"] != .null {
                body = body.with(["ended_at": .string(recent(minutes: 40))])
            }
            let id = try nursery.log(sample.kind, body)["id"].string.required()
            bodies.append(("\(sample.kind)/\(id)", sample.name))
            try check(as: users, "after a \(sample.name)")
        }
        for (path, name) in bodies {
            #expect(nursery.send("PATCH", path, ["notes": "other"]).status == 200)
            try check(as: users, "after a change of the \(name)")
            #expect(nursery.send("DELETE", path).status == 204)
            try check(as: users, "after the end of the \(name)")
            #expect(nursery.send("POST", "\(path)/restore").status == 200)
            try check(as: users, "after the return of the \(name)")
        }
        _ = nursery.server.send(
            "PATCH", "users/me", as: nursery.parent, ["name": "Jonathan", "timezone": "Asia/Tokyo"])
        try check(as: users, "with another name and clock")
        #expect(nursery.send("GET", "timeline").json.text.contains("Jonathan"))
        _ = nursery.server.send(
            "PATCH", "families/\(nursery.family)", as: nursery.parent, ["name": "Renamed"])
        try check(as: users, "with another name of the family")
        #expect(nursery.send("GET", "dashboard").json.text.contains("Renamed"))
    }

    private func recent(minutes: Int) -> String {
        let now = Date(
            timeIntervalSinceNow: TimeInterval(nursery.server.clock.offset.components.seconds))
        return now.addingTimeInterval(Double(-60 * minutes)).formatted(.iso8601)
    }

    @Test("Nothing is kept that shows the name of somebody who left: it can change unseen")
    func formerMembers() throws {
        _ = try nursery.log(
            "notes", ["content": "Hers", "occurred_at": "2026-02-25T13:00:00Z"],
            as: nursery.caregiver)
        _ = try nursery.log(
            "diapers", ["type": "wet", "occurred_at": "2026-02-25T13:00:00Z"],
            as: nursery.caregiver)
        let server = nursery.server
        #expect(
            server.send(
                "DELETE", "families/\(nursery.family)/members/\(nursery.caregiver.id)",
                as: nursery.parent
            ).status == 204)
        for path in paths { #expect(nursery.send("GET", path).json.text.contains("Maria")) }
        #expect(try kept() == ["0", "0"])
        #expect(
            server.send("PATCH", "users/me", as: nursery.caregiver, ["name": "Mary"]).status == 200)
        for path in paths { #expect(nursery.send("GET", path).json.text.contains("Mary")) }
    }

    @Test("Events changed by hand, without a revision, are seen", arguments: Sample.all)
    func byHand(sample: Sample) throws {
        let table = SQL(stringLiteral: sample.kind)
        for path in paths { #expect(nursery.send("GET", path).status == 200) }
        try database.execute(
            """
            insert into \(fragment: table) (child_id, family_id, created_by, \(unescaped: sample.time)\
            \(unescaped: sample.name == "note" ? ", content" : ", type"))
            values (\(nursery.child)::uuid, \(nursery.family)::uuid, \(nursery.parent.id)::uuid, now(), \
            \(sample.least["type"].string ?? "nap"))
            """)
        try check(as: [nursery.parent], "after an insertion")
        for path in paths { #expect(nursery.send("GET", path).status == 200) }
        try database.execute("update \(fragment: table) set notes = 'by hand'")
        try check(as: [nursery.parent], "after an update")
        #expect(nursery.send("GET", "timeline").json.text.contains("by hand"))
        try database.execute("delete from \(fragment: table) where notes = 'by hand'")
        #expect(!nursery.send("GET", "timeline").json.text.contains("by hand"))
        try check(as: [nursery.parent], "after a deletion")
    }

    @Test("The server's own changes do without the triggers")
    func withoutTriggers() throws {
        try database.asOwner { session in
            for kind in EventKind.all {
                for trigger in ["inserted_by_hand", "updated_by_hand", "removed"] {
                    try session.execute(
                        "drop trigger \(unescaped: trigger) on \(unescaped: kind.plural)")
                }
            }
        }
        try changes()
    }

    @Test("What goes on is told as of now, and a new day begins in time")
    func present() throws {
        let home = try Household(zone: "UTC", dayStart: "00:00")
        try home.sleep("2026-06-10T10:00:00Z")
        try home.feeding("breast", "2026-06-10T11:00:00Z")
        try home.diaper("wet", "2026-06-10T11:00:00Z")
        let early = try home.dashboard(at: "2026-06-10T12:00:30Z")
        #expect(early.totals["sleep"]["minutes"] == 120)
        #expect(early["ongoing"]["feeding"] != .null)
        try home.server.database.execute("update kept_dashboards set notes = 4711")
        let later = try home.dashboard(at: "2026-06-10T14:59:50Z")
        #expect(later.totals["notes"]["count"] == 4711)  // the one that was kept
        #expect(later.totals["sleep"] == ["count": 1, "minutes": 299, "longest_minutes": 299])
        #expect(later.sleepMinutes == [0, 0, 0, 0, 0, 0, 299])
        #expect(later["ongoing"]["feeding"] != .null)
        let forgotten = try home.dashboard(at: "2026-06-10T15:00:01Z")
        #expect(forgotten.totals["notes"]["count"] == 4711)
        #expect(forgotten["ongoing"]["feeding"] == .null)
        #expect(forgotten["ongoing"]["sleep"] != .null)
        let lastMoment = try home.dashboard(at: "2026-06-10T23:59:59Z")
        #expect(lastMoment.totals["notes"]["count"] == 4711)
        let tomorrow = try home.dashboard(at: "2026-06-11T00:00:00Z")
        #expect(tomorrow.totals["notes"]["count"] == 0)
        #expect(tomorrow["day"]["date"] == "2026-06-11")
        #expect(tomorrow.totals["diapers"]["count"] == 0)
        #expect(tomorrow.sleepMinutes == [0, 0, 0, 0, 0, 840, 0])
    }

    @Test("Each member's dashboard goes by the member's own clocks")
    func clocks() throws {
        for (user, zone) in [
            (nursery.parent, "Asia/Tokyo"), (nursery.caregiver, "America/New_York"),
        ] {
            try database.execute(
                "update users set timezone = \(zone) where id = \(user.id)::uuid")
        }
        for _ in 0..<2 {
            for (user, zone) in [
                (nursery.parent, "Asia/Tokyo"), (nursery.caregiver, "America/New_York"),
            ] {
                let dashboard = nursery.send("GET", "dashboard", as: user).json["dashboard"]
                #expect(dashboard["day"]["timezone"].string == zone)
                #expect(
                    dashboard["child"]["role"].string
                        == (user.id == nursery.parent.id ? "parent" : "caregiver"))
            }
        }
        #expect(try kept()[1] == "2")
    }

    @Test("The purge takes what does not hold any more, and a child's end what was kept of it")
    func ends() throws {
        for path in paths { #expect(nursery.send("GET", path).status == 200) }
        var configuration = SessionConfiguration(url: database.serverURL)
        configuration.lockTimeout = .seconds(1)
        let session = try Session(configuration, logger: TestCluster.logger)
        defer { session.close() }
        func rows() throws -> [String] {
            try database.texts(
                """
                select (select count(*) from kept_timelines)::text
                union all select (select count(*) from kept_dashboards)::text
                """)
        }
        let now = Timestamp(
            microsecondsSince1970: Int64(Date().timeIntervalSince1970 * 1_000_000)
        ).adding(nursery.server.clock.offset)
        _ = try Purge(session: session, now: now).run()
        #expect(try rows() == ["1", "1"])
        _ = try Purge(session: session, now: now.adding(.seconds(86_400))).run()
        #expect(try rows() == ["1", "0"])
        _ = nursery.send("GET", "dashboard")
        _ = try nursery.log("notes", ["content": "x", "occurred_at": "2026-02-25T12:00:00Z"])
        _ = try Purge(session: session, now: now).run()
        #expect(try rows() == ["0", "0"])
        for path in paths { #expect(nursery.send("GET", path).status == 200) }
        #expect(try rows() == ["1", "1"])
        #expect(
            nursery.server.send("DELETE", "children/\(nursery.child)", as: nursery.parent).status
                == 204)
        #expect(try rows() == ["0", "0"])
    }

    @Test(
        "Nobody who asks while others write is told less than was confirmed before",
        .timeLimit(.minutes(2)))
    func race() throws {
        let nursery = try Nursery(sessions: 8)
        let confirmed = Mutex<Set<String>>([])
        let lies = Mutex<[String]>([])
        let writersLeft = Atomic(2)
        _ = BabyBasicsServerTests.race(6) { number in
            guard number >= 2 else {
                let user = number == 0 ? nursery.parent : nursery.caregiver
                for index in 0..<24 {
                    let body: JSON = [
                        "type": "wet", "occurred_at": .string("2026-02-25T12:00:\(10 + index)Z"),
                    ]
                    let answer = nursery.send("POST", "diapers", body, as: user)
                    if let id = answer.json["diaper"]["id"].string {
                        confirmed.withLock { _ = $0.insert(id) }
                    }
                }
                writersLeft.subtract(1, ordering: .sequentiallyConsistent)
                return
            }
            // Two of these, the writing and the last look are one user's, who has a hundred requests a minute.
            for _ in 0..<35 where writersLeft.load(ordering: .sequentiallyConsistent) > 0 {
                let known = confirmed.withLock { $0 }
                let user = number % 2 == 0 ? nursery.parent : nursery.caregiver
                let answer = nursery.send("GET", "timeline", as: user)
                let told = Set(
                    answer.json["events"].array.compactMap { $0["event"]["id"].string })
                if answer.status != 200 || !known.isSubset(of: told) {
                    lies.withLock { $0.append("\(answer.status) \(known.subtracting(told))") }
                }
            }
        }
        #expect(lies.withLock { $0 } == [])
        #expect(confirmed.withLock { $0.count } == 48)
        #expect(nursery.send("GET", "timeline").json["count"] == 48)
    }
}
