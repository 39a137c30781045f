import Postgres
import TestSupport
import Testing

@testable import BabyBasicsServer

/// An event is logged by one statement, which waits for the family in its midst.
@Suite("Events that wait for another change of the family")
struct CreateEventAtOnceTests: Sendable {
    let nursery: Nursery
    private static let kinds = Sample.all.filter { $0.name != "sleep" }

    init() throws {
        nursery = try Nursery()
    }

    /// Logs an event as the caregiver, which waits until somebody else has changed the family by `change`.
    ///
    /// - Parameter before: the caregiver's requests before, the first of which has ten granted: with the 11th the counter is asked again.
    private func log(
        _ sample: Sample, while change: SQL, before: Int = 1
    ) throws -> Answer {
        let nursery = nursery
        // So that nothing but the statement itself is in question.
        for _ in 0..<before {
            #expect(nursery.send("GET", "timeline", as: nursery.caregiver).status == 200)
        }
        let waiting = try nursery.server.database.asOwner { session in
            try session.transaction {
                try session.execute(
                    """
                    update families set last_revision = last_revision + 1 where id = \(nursery.family)::uuid
                    """)
                let waiting = Background {
                    nursery.send("POST", sample.kind, sample.least, as: nursery.caregiver)
                }
                try nursery.server.database.waitUntilBlocked()
                try session.execute(change)
                return waiting
            }
        }
        return try waiting.value()
    }

    private func events(_ sample: Sample) throws -> Int {
        try nursery.server.database.count(sample.kind)
    }

    @Test("Nothing of it concerns them: they take the next number", arguments: kinds)
    func another(_ sample: Sample) throws {
        let before = try nursery.lastRevision()
        let answer = try log(sample, while: "select 1")
        #expect(answer.status == 201)
        #expect(answer.json[sample.name]["revision"].number == Double(before + 2))
        #expect(answer.json[sample.name]["created_by"]["name"] == "Maria")
        #expect(try events(sample) == 1)
        #expect(try nursery.lastRevision() == before + 2)
    }

    @Test(
        "Their author was removed: nothing is logged, and no number taken", arguments: kinds,
        [1, 10])
    func removed(_ sample: Sample, requestsBefore: Int) throws {
        let before = try nursery.lastRevision()
        let answer = try log(
            sample,
            while: "delete from family_members where user_id = \(nursery.caregiver.id)::uuid",
            before: requestsBefore)
        #expect(answer.status == 404)
        #expect(answer.message == "Child not found")
        #expect(answer.headers["RateLimit-Remaining"] == "\(99 - requestsBefore)")
        #expect(try events(sample) == 0)
        #expect(try nursery.lastRevision() == before + 1)
    }

    @Test("The child was deleted")
    func childIsGone() throws {
        let sample = Self.kinds[0]
        let answer = try log(
            sample, while: "delete from children where id = \(nursery.child)::uuid")
        #expect(answer.status == 404)
        #expect(try events(sample) == 0)
    }

    @Test("The family was deleted")
    func familyIsGone() throws {
        let sample = Self.kinds[0]
        let answer = try log(
            sample, while: "delete from families where id = \(nursery.family)::uuid")
        #expect(answer.status == 404)
        #expect(try events(sample) == 0)
    }

    @Test("Strangers, and guesses at a child, lock no family and take no number")
    func strangers() throws {
        let sample = Self.kinds[0]
        _ = try nursery.server.family(of: nursery.stranger)
        let before = try nursery.lastRevision()
        #expect(nursery.send("POST", sample.kind, sample.least, as: nursery.stranger).status == 404)
        #expect(try events(sample) == 0)
        for child in ["none", "00000000-0000-4000-8000-000000000000"] {
            #expect(nursery.send("POST", sample.kind, sample.least, child: child).status == 404)
        }
        #expect(try nursery.lastRevision() == before)
    }

    @Test("Past the limit nothing is logged, whoever knows that it is past")
    func pastTheLimit() throws {
        let sample = Self.kinds[0]
        let path = "children/\(nursery.child)/\(sample.kind)"
        for _ in 0..<100 {
            #expect(nursery.server.send("GET", path, as: nursery.caregiver).status == 200)
        }
        // The first is told by the database, the second by what that has said.
        for _ in 0..<2 {
            let answer = nursery.server.send("POST", path, as: nursery.caregiver, sample.least)
            #expect(answer.status == 429)
        }
        #expect(try events(sample) == 0)
    }

    @Test("At the limit, of many at the same moment those are logged that are let in")
    func manyAtTheLimit() throws {
        let sample = Self.kinds[0]
        let path = "children/\(nursery.child)/\(sample.kind)"
        for _ in 0..<93 {
            #expect(nursery.server.send("GET", path, as: nursery.caregiver).status == 200)
        }
        let nursery = nursery
        let posts = (0..<20).map { _ in
            Background { nursery.server.send("POST", path, as: nursery.caregiver, sample.least) }
        }
        let statuses = try posts.map { try $0.value().status }
        #expect(statuses.count { $0 == 201 } == 7)
        #expect(statuses.count { $0 == 429 } == 13)
        #expect(try events(sample) == 7)
    }

    @Test("One round trip, whether the counter has to be asked or not")
    func roundTrips() throws {
        let sample = Self.kinds[0]
        let path = "children/\(nursery.child)/\(sample.kind)"
        #expect(nursery.server.send("GET", path, as: nursery.caregiver).status == 200)
        for _ in 0..<11 {
            let answer = nursery.server.send(
                "POST", path, as: nursery.caregiver, sample.least)
            #expect(answer.status == 201)
            let line = try #require(nursery.server.log.lines.last { $0.contains("method=POST") })
            #expect(line.contains("db_trips=1 "))
        }
    }
}
