import Foundation
import Postgres
import TestSupport
import Testing

/// Two requests that bring one identifier, held so that both have looked whether it is free before either has written anything.
@Suite("Client-made identifiers in two families at once")
struct IdentifierRaceTests: Sendable {
    let nursery: Nursery
    /// Of another family.
    let second: String

    init() throws {
        nursery = try Nursery(connections: 8)
        let family = try nursery.server.family(of: nursery.parent, "Second")
        second = try nursery.server.child(of: family, by: nursery.parent)
    }

    @Sendable private func batch(_ sample: Sample, _ ids: [String], child: String) -> Int {
        let items = ids.map { id -> JSON in
            ["type": .string(sample.name), "event": sample.least.with(["id": .string(id)])]
        }
        return nursery.server.send(
            "POST", "children/\(child)/events", as: nursery.parent, ["events": .array(items)]
        ).status
    }

    @Sendable private func single(_ sample: Sample, _ id: String, child: String) -> Int {
        nursery.server.send(
            "POST", "children/\(child)/\(sample.kind)", as: nursery.parent,
            sample.least.with(["id": .string(id)])
        ).status
    }

    /// Runs both while nothing can be written to either table, and lets them write once both wait.
    private func atOnce(
        _ first: @escaping @Sendable () -> Int, _ second: @escaping @Sendable () -> Int
    ) throws -> [Int] {
        let database = nursery.server.database
        return try database.asOwner { holder in
            let both = try holder.transaction { () -> Background<[Int]> in
                try holder.execute("lock table notes, diapers in share mode")
                let both = Background { race(2) { $0 == 0 ? first() : second() } }
                try waitForTwo(database)
                return both
            }
            return try both.value().sorted()
        }
    }

    private func waitForTwo(_ database: TestDatabase) throws {
        for _ in 0..<400 {
            let waiting = try database.asSuperuser {
                try $0.first(
                    """
                    select count(*) from pg_stat_activity
                    where datname = current_database() and wait_event_type = 'Lock'
                    """
                ) { try $0.next(Int64.self) }
            }
            if waiting == 2 { return }
            usleep(10_000)
        }
        throw Missing()
    }

    @Test("Two batches, two kinds: one gets it")
    func batches() throws {
        let (nursery, second) = (nursery, second)
        let id = UUID().uuidString
        let statuses = try atOnce {
            batch(Sample.all[3], [id], child: nursery.child)
        } _: {
            batch(Sample.all[1], [id], child: second)
        }
        #expect(statuses == [201, 409])
        let made = try nursery.server.database.count("notes")
        #expect(try nursery.server.database.count("diapers") + made == 1)
    }

    @Test("A batch and a single event, two kinds: one gets it")
    func batchAndSingle() throws {
        let (nursery, second) = (nursery, second)
        let id = UUID().uuidString
        let statuses = try atOnce {
            batch(Sample.all[3], [id], child: nursery.child)
        } _: {
            single(Sample.all[1], id, child: second)
        }
        #expect(statuses == [201, 409])
    }

    @Test("Large batches of the same identifiers in opposite orders do not wait in a circle")
    func order() throws {
        let (nursery, second) = (nursery, second)
        for _ in 0..<3 {
            let ids = (0..<300).map { _ in UUID().uuidString }
            let statuses = race(2) { index in
                index == 0
                    ? batch(Sample.all[3], ids, child: nursery.child)
                    : batch(Sample.all[1], ids.reversed(), child: second)
            }
            #expect(statuses.sorted() == [201, 409])
        }
        #expect(try nursery.server.database.count("notes") % 300 == 0)
    }
}
