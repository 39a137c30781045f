import BabyBasicsAPI
import Cryptography
import Foundation
import Postgres
import TestSupport
import Testing

@testable import BabyBasicsServer

@Suite("What a page of the timeline costs")
struct TimelinePlanTests {
    /// A child with that many events of each kind, a minute apart, among others.
    private func fill(_ nursery: Nursery, _ count: Int) throws {
        let other = try nursery.server.child(of: nursery.family, by: nursery.parent, "Other")
        for child in [nursery.child, other] {
            for (table, columns, values) in [
                ("feedings", "type, started_at", "'bottle', t"),
                ("diapers", "type, occurred_at", "'wet', t"),
                ("sleeps", "started_at, ended_at", "t, t"),
                ("notes", "content, occurred_at", "'x', t"),
            ] {
                try nursery.server.database.execute(
                    """
                    insert into \(unescaped: table) (child_id, family_id, created_by, \(unescaped: columns))
                    select \(child)::uuid, \(nursery.family)::uuid, \(nursery.parent.id)::uuid, \(unescaped: values)
                    from (select timestamptz '2026-02-25' - n * interval '1 minute' as t
                        from generate_series(1, \(Int64(count))) n) times
                    """)
            }
        }
        try nursery.server.database.script("vacuum analyze")
    }

    @Test(
        "Each kind's index gives one page, wherever the page begins and however it is planned",
        arguments: ["force_custom_plan", "force_generic_plan"])
    func plan(_ mode: String) throws {
        let nursery = try Nursery()
        try fill(nursery, 5000)
        let child = try #require(ChildID(nursery.child))
        let hash = Encoding.hex(Digest.sha256(nursery.parent.token.utf8))
        for at in ["2026-12-31T00:00:00Z", "2026-02-24T00:00:00Z"] {
            let request = EventPageRequest(
                tables: EventTable.all, from: try #require(Timestamp("2000-01-01T00:00:00Z")),
                after: .before(try #require(Timestamp(at))), limit: 50)
            let statement = request.query.sql.binding {
                $0.append(hash)
                $0.append(nursery.server.clock.now())
                $0.append(child)
                $0.append(request.from)
                $0.append(request.after.at)
                $0.append(request.after.id)
                $0.append(Int64(51))
            }
            let all = "'\(hash)', now(), '\(nursery.child)', '2000-01-01Z', '\(at)', '\(UUID())', 51"
            let plan = try nursery.server.database.asServer { session in
                try session.execute("set plan_cache_mode = \(unescaped: mode)")
                try session.script("prepare page as \(statement.text)")
                return try session.rows(
                    "explain (analyze, costs off, timing off, summary off) execute page (\(unescaped: all))"
                ) { try $0.next(String.self) }
            }
            #expect(plan.contains { $0.contains("$1") } == (mode == "force_generic_plan"))
            let scans = plan.filter {
                $0.contains(" on feedings") || $0.contains(" on diapers")
                    || $0.contains(" on sleeps") || $0.contains(" on notes")
            }
            #expect(scans.count == 4, "\(plan.joined(separator: "\n"))")
            for scan in scans {
                #expect(scan.contains("Index Scan using"), "\(scan)")
                #expect(scan.contains("_timeline on"), "\(scan)")
                let rows = try #require(scan.firstMatch(of: /rows=(\d+)/).flatMap { Int($0.1) })
                #expect(rows <= 51, "\(scan)")
            }
            // Session and place come from tables of a few rows, where filters are no matter.
            for index in plan.indices where scans.contains(plan[index]) {
                let own = plan[(index + 1)...].prefix { !$0.contains("->") }
                #expect(!own.contains { $0.contains("Rows Removed") }, "\(own.joined(separator: "\n"))")
            }
        }
    }
}
