import Foundation
import Postgres
import TestSupport
import Testing

/// Two requests that bring one identifier, held so that both have looked whether it is free before either has written anything.
@Suite("Client-made identifiers in one family at once")
struct IdentifierRaceTests: Sendable {
    let nursery: Nursery
    let twin: String

    init() throws {
        nursery = try Nursery(connections: 8)
        twin = try nursery.server.child(of: nursery.family, by: nursery.parent, "Twin")
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
            "POST", "children/\(child)/\(sample.kind)", as: nursery.parent, sample.least.with(["id": .string(id)])
        ).status
    }

    /// Runs both while the family is locked, and lets them go on once both wait for it.
    private func atOnce(_ first: @escaping @Sendable () -> Int, _ second: @escaping @Sendable () -> Int) throws -> [Int]
    {
        let database = nursery.server.database
        return try database.asOwner { holder in
            let both = try holder.transaction { () -> Background<[Int]> in
                try holder.execute("select from feeds where family_id = \(nursery.family)::uuid for no key update")
                let both = Background { race(2) { $0 == 0 ? first() : second() } }
                try database.waitUntilBlocked(2)
                return both
            }
            return try both.value().sorted()
        }
    }

    @Test("Two batches, two kinds, two children: one gets it")
    func batches() throws {
        let (nursery, twin) = (nursery, twin)
        let id = UUID().uuidString
        let statuses = try atOnce {
            batch(Sample.all[3], [id], child: nursery.child)
        } _: {
            batch(Sample.all[1], [id], child: twin)
        }
        #expect(statuses == [201, 409])
        #expect(try nursery.server.database.count("events") == 1)
    }

    @Test("A batch and a single event: one gets it, and the other is answered with it where it is the same")
    func batchAndSingle() throws {
        let nursery = nursery
        // Sent again in a batch it is 201, as the batch is new.
        for (sample, expected) in [(Sample.all[1], [[201, 409]]), (Sample.all[3], [[200, 201], [201, 201]])] {
            let id = UUID().uuidString
            let statuses = try atOnce {
                batch(Sample.all[3], [id], child: nursery.child)
            } _: {
                single(sample, id, child: nursery.child)
            }
            #expect(expected.contains(statuses))
        }
        #expect(try nursery.server.database.count("events") == 2)
    }

    @Test("Two sleeps that run: one of them, and the other's refusal names it")
    func sleeps() throws {
        let nursery = nursery
        let body: JSON = ["started_at": nursery.hoursAgo(1)]
        let post: @Sendable () -> Int = {
            nursery.server.send("POST", "children/\(nursery.child)/sleeps", as: nursery.parent, body).status
        }
        #expect(try atOnce(post, post) == [201, 409])
    }

    @Test("Large batches of the same identifiers in opposite orders do not wait in a circle")
    func order() throws {
        let (nursery, twin) = (nursery, twin)
        for _ in 0..<3 {
            let ids = (0..<300).map { _ in UUID().uuidString }
            let statuses = race(2) { index in
                index == 0
                    ? batch(Sample.all[3], ids, child: nursery.child)
                    : batch(Sample.all[1], ids.reversed(), child: twin)
            }
            #expect(statuses.sorted() == [201, 409])
        }
        #expect(try nursery.server.database.count("events") == 900)
    }
}
