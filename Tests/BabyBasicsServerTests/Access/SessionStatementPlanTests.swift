import TestSupport
import Testing

@testable import BabyBasicsServer
@testable import Postgres

/// What the busiest statements cost when they are run for several requests at once.
@Suite("What a statement for several sessions costs")
struct SessionStatementPlanTests {
    private static let statements = [
        "children": childrenOfCaller.statement, "timeline": keptTimeline.statement,
        "dashboard": keptDashboard.statement,
    ]

    /// So many people, each with a session, a family, a child and what is kept of it.
    private func fill(_ database: TestDatabase, _ count: Int) throws {
        try database.script(
            """
            create temporary table person as
                select n, gen_random_uuid() as id, gen_random_uuid() as family, gen_random_uuid() as child
                from generate_series(1, \(count)) n;
            insert into users (id, email, name, password_hash)
                select id, n || '@example.com', 'Name', 'none' from person;
            insert into sessions (user_id, token_hash, expires_at)
                select id, lpad(n::text, 64, '0'), now() + interval '1 day' from person;
            insert into families (id, name, created_by, last_revision) select family, 'Name', id, 1 from person;
            insert into family_members (family_id, user_id, role) select family, id, 'parent' from person;
            insert into children (id, family_id, name, date_of_birth, created_by)
                select child, family, 'Name', '2026-01-01', id from person;
            insert into kept_timelines (child_id, family_id, revision, page)
                select child, family, 1, 'x' from person;
            analyze;
            """)
    }

    @Test(
        "Whatever the tables hold, each session costs the rows that are its own",
        arguments: ["children", "timeline", "dashboard"])
    func plan(_ name: String) throws {
        let server = try TestServer(sessions: 2)
        try fill(server.database, 3000)
        let text = try #require(Self.statements[name]?.counted.textForMany)
        let hashes = (1...9).map {
            String(repeating: "0", count: 60) + "\(10_000 + $0 * 300)".suffix(4)
        }
        let children = try server.database.texts(
            """
            select c.id::text from sessions s join family_members m using (user_id)
            join children c using (family_id) where token_hash = any (\(hashes))
            order by token_hash
            """)
        #expect(children.count == 9)
        let plan = try server.database.asServer { session in
            try session.script(
                "set plan_cache_mode = force_generic_plan; set enable_seqscan = off; prepare many (text[], timestamptz[]\(name == "children" ? "" : ", uuid[]")) as \(text)"
            )
            let values = [
                hashes, hashes.map { _ in "2026-02-25T00:00:00Z" },
                name == "children" ? nil : children,
            ].compactMap { $0 }.map { "'{\($0.joined(separator: ","))}'" }.joined(separator: ", ")
            return try session.rows(
                "explain (analyze, costs off, timing off, summary off) execute many (\(unescaped: values))"
            ) { try $0.next(String.self) }
        }
        #expect(plan.first?.contains("rows=9") == true, "\(plan.joined(separator: "\n"))")
        let scans = plan.filter { $0.contains("Scan ") && !$0.contains("Subquery") }
        #expect(scans.count >= 4, "\(plan.joined(separator: "\n"))")
        for scan in scans {
            let rows = try #require(scan.firstMatch(of: /rows=(\d+)/).flatMap { Int($0.1) })
            #expect(rows <= 9, "\(plan.joined(separator: "\n"))")
        }
        #expect(!plan.contains { $0.contains("Rows Removed") }, "\(plan.joined(separator: "\n"))")
    }
}
