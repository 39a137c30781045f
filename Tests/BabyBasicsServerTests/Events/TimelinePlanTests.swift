import BabyBasicsAPI
import Cryptography
import Foundation
import Postgres
import TestSupport
import Testing

@testable import BabyBasicsServer

@Suite("What a page of the timeline costs")
struct TimelinePlanTests {
    /// A child with that many events of some kinds, a minute apart, among others that have all.
    private func fill(_ nursery: Nursery, _ count: Int, _ samples: [Sample] = Sample.all) throws {
        let other = try nursery.server.child(of: nursery.family, by: nursery.parent, "Other")
        for child in [nursery.child, other] {
            for sample in child == other ? Sample.all : samples {
                let (columns, values) = sample.row(at: "t")
                try nursery.server.database.execute(
                    """
                    insert into \(unescaped: sample.kind) (child_id, family_id, created_by, \(unescaped: columns))
                    select \(child)::uuid, \(nursery.family)::uuid, \(nursery.parent.id)::uuid, \(unescaped: values)
                    from (select timestamptz '2026-02-25' - n * interval '1 minute' as t
                        from generate_series(1, \(Int64(count))) n) times
                    """)
            }
        }
        try nursery.server.database.script("vacuum analyze")
    }

    /// The plan of a page that begins at a time, as it ran.
    private func page(of nursery: Nursery, at: String, _ mode: String) throws -> [String] {
        let child = try #require(ChildID(nursery.child))
        let hash = Encoding.hex(Digest.sha256(nursery.parent.token.utf8))
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
        return try nursery.server.database.asServer { session in
            try session.execute("set plan_cache_mode = \(unescaped: mode)")
            try session.script("prepare page as \(statement.text)")
            return try session.rows(
                "explain (analyze, buffers, costs off, timing off, summary off) execute page (\(unescaped: all))"
            ) { try $0.next(String.self) }
        }
    }

    /// The scan of each kind's table, with the lines about it.
    private func scans(_ plan: [String]) throws -> [String: [Substring]] {
        var found: [String: [Substring]] = [:]
        for index in plan.indices {
            guard let table = Sample.all.map(\.kind).first(where: { plan[index].contains(" on \($0)") }) else {
                continue
            }
            #expect(plan[index].contains("Index Scan using \(table)_timeline on"), "\(plan[index])")
            #expect(found[table] == nil)
            found[table] = [plan[index][...]] + plan[(index + 1)...].prefix { !$0.contains("->") }.map { $0[...] }
        }
        return found
    }

    private func number(_ name: String, in lines: [Substring]) -> Int? {
        lines.lazy.compactMap { line in
            line.firstRange(of: "\(name)=").flatMap { Int(line[$0.upperBound...].prefix { $0.isNumber }) }
        }.first
    }

    @Test(
        "Each kind's index gives one page, wherever the page begins and however it is planned",
        arguments: ["force_custom_plan", "force_generic_plan"])
    func plan(_ mode: String) throws {
        let nursery = try Nursery()
        try fill(nursery, 5000)
        for at in ["2026-12-31T00:00:00Z", "2026-02-24T00:00:00Z"] {
            let plan = try page(of: nursery, at: at, mode)
            #expect(plan.contains { $0.contains("$1") } == (mode == "force_generic_plan"))
            let scans = try scans(plan)
            #expect(scans.count == Sample.all.count, "\(plan.joined(separator: "\n"))")
            for (table, lines) in scans {
                let rows = try #require(number("rows", in: lines))
                #expect((1...51).contains(rows), "\(table): \(lines)")
                // Session and place come from tables of a few rows, where filters are no matter.
                #expect(!lines.contains { $0.contains("Rows Removed") }, "\(table): \(lines)")
            }
        }
    }

    @Test("A kind that the child has nothing of costs one look into its index, however much others have")
    func absentKinds() throws {
        let nursery = try Nursery()
        let (had, absent) = (Sample.all.prefix(4), Sample.all.dropFirst(4))
        try fill(nursery, 5000, Array(had))
        let scans = try scans(page(of: nursery, at: "2026-12-31T00:00:00Z", "force_generic_plan"))
        #expect(scans.count == Sample.all.count)
        for sample in absent {
            let lines = try scans[sample.kind].required()
            #expect(number("rows", in: lines) == 0, "\(lines)")
            // From the index's root to a leaf.
            let pages = (number("hit", in: lines) ?? 0) + (number("read", in: lines) ?? 0)
            #expect((1...3).contains(pages), "\(sample.kind): \(lines)")
        }
    }
}
