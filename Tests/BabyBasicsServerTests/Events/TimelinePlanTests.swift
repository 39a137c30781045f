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
                    insert into events (revision, child_id, family_id, created_by, \(unescaped: columns))
                    select 9, \(child)::uuid, \(nursery.family)::uuid, \(nursery.parent.id)::uuid, \(unescaped: values)
                    from (select timestamptz '2026-02-25' - n * interval '1 minute' as t
                        from generate_series(1, \(Int64(count))) n) times
                    """)
            }
        }
        try nursery.server.database.script("vacuum analyze")
    }

    /// The plan of a page that begins at a time, as it ran.
    private func page(of nursery: Nursery, at: String, kind: Int? = nil, _ mode: String) throws -> [String] {
        let hash = Encoding.hex(Digest.sha256(nursery.parent.token.utf8))
        let question = kind == nil ? pageOfAllKinds : pageOfOneKind
        let values =
            "'\(hash)', now(), '\(nursery.family)', '\(nursery.child)', '2000-01-01Z', '\(at)', '\(UUID())', 51"
            + (kind.map { ", \($0)" } ?? "")
        return try nursery.server.database.asServer { session in
            try session.execute("set plan_cache_mode = \(unescaped: mode)")
            try session.script("prepare page as \(question.sql[.session].text)")
            return try session.rows(
                "explain (analyze, buffers, costs off, timing off, summary off) execute page (\(unescaped: values))"
            ) { try $0.next(String.self) }
        }
    }

    /// The scan of the events, with the lines about it.
    private func scan(_ plan: [String]) throws -> [Substring] {
        let found = plan.indices.filter { plan[$0].contains(" on events") }
        #expect(found.count == 1, "\(plan.joined(separator: "\n"))")
        let first = try found.first.required()
        return [plan[first][...]] + plan[(first + 1)...].prefix { !$0.contains("->") }.map { $0[...] }
    }

    private func number(_ name: String, in lines: [Substring]) -> Int? {
        lines.lazy.compactMap { line in
            line.firstRange(of: "\(name)=").flatMap { Int(line[$0.upperBound...].prefix { $0.isNumber }) }
        }.first
    }

    @Test(
        "One index gives one page, wherever the page begins and however it is planned",
        arguments: ["force_custom_plan", "force_generic_plan"])
    func plan(_ mode: String) throws {
        let nursery = try Nursery()
        try fill(nursery, 2000)
        for at in ["2026-12-31T00:00:00Z", "2026-02-24T00:00:00Z"] {
            for (kind, index) in [(nil, "events_timeline"), (2, "events_of_kind")] as [(Int?, String)] {
                let plan = try page(of: nursery, at: at, kind: kind, mode)
                #expect(plan.contains { $0.contains("$1") } == (mode == "force_generic_plan"))
                let lines = try scan(plan)
                #expect(lines[0].contains("Index Scan using \(index) on"), "\(lines)")
                #expect(number("rows", in: lines) == 51, "\(lines)")
                #expect(!lines.contains { $0.contains("Rows Removed") }, "\(lines)")
            }
        }
    }

    @Test("A kind that the child has nothing of costs one look into its index, however much others have")
    func absentKind() throws {
        let nursery = try Nursery()
        try fill(nursery, 2000, Array(Sample.all.prefix(4)))
        let lines = try scan(page(of: nursery, at: "2026-12-31T00:00:00Z", kind: 7, "force_generic_plan"))
        #expect(number("rows", in: lines) == 0, "\(lines)")
        // From the index's root to a leaf.
        let pages = (number("hit", in: lines) ?? 0) + (number("read", in: lines) ?? 0)
        #expect((1...4).contains(pages), "\(lines)")
    }
}
