import BabyBasicsAPI
import Postgres
import TestSupport
import Testing

@testable import BabyBasicsServer

/// After a restore the same numbers are given again, to other things.
@Suite("A database that was put back", .serialized)
struct GenerationTests {
    let server: TestServer
    let johnny: TestUser
    let family: String

    init() throws {
        server = try TestServer()
        johnny = try server.user("Johnny")
        family = try server.family(of: johnny)
        _ = try notice()
    }

    private func get(since: String) -> Answer {
        server.send("GET", "families/\(family)/changes?since=\(since)", as: johnny)
    }

    private func set(_ generation: Int64) throws {
        try server.database.execute(
            "update installation set generation = \(generation), written_by = pg_current_xact_id()")
    }

    private func generation() throws -> Int64 {
        try server.database.asServer { try $0.first("select generation from installation") { try $0.next(Int64.self) } }
            .required()
    }

    /// What a worker finds that connects.
    private func look(at database: TestDatabase? = nil) throws -> Int64 {
        try (database ?? server.database).asServer { session in
            let connection = session.connection
            return try TestLoop.run { try await connection.currentGeneration() }
        }
    }

    /// Whether the generation is another after such a look.
    @discardableResult
    private func notice(_ database: TestDatabase? = nil) throws -> Bool {
        let before = try (database ?? server.database).asServer {
            try $0.first("select generation from installation") { try $0.next(Int64.self) }
        }
        return try look(at: database) != before
    }

    /// As pg_restore does it: the same values in new rows.
    private func readInDump() throws {
        try server.database.script(
            "create table dump as table installation; delete from installation; insert into installation table dump; drop table dump"
        )
    }

    @Test(
        "Positions of an older or a newer generation start again, and from 0 all is well",
        arguments: [0, 77, 2_097_151] as [Int64])
    func positions(_ here: Int64) throws {
        try set(here)
        let known = try server.position(in: family, as: johnny)
        #expect(get(since: known).status == 200)
        for other in [0, 40_000, 1_000_000, 2_097_151] as [Int64] where other != here {
            try set(other)
            // As many numbers as the client knows, and more.
            _ = try server.child(of: family, by: johnny)
            let refused = get(since: known)
            #expect(refused.status == 410)
            #expect(refused.code == "RESYNC_REQUIRED")
            let all = get(since: "0").json
            #expect(all["changes"][0]["revision"] == 1)
            #expect(get(since: all["next_since"].text).json["changes"] == [])
        }
        try set(here)
        #expect(get(since: known).status == 200)
    }

    @Test("A page at a time, from 0 to the end, in any generation")
    func pages() throws {
        for _ in 0..<5 { _ = try server.child(of: family, by: johnny) }
        try set(1_234_567)
        var follower = Follower(server, family)
        try follower.catchUp(as: johnny, limit: 2)
        #expect(follower.applied == 7)
        #expect(differences(follower.things, try server.things(of: family, as: johnny)) == [])
    }

    @Test("Nothing but a copy is noticed, and each once")
    func copies() throws {
        let first = try generation()
        #expect(try !notice())
        try server.database.execute("vacuum (full, freeze) installation")
        #expect(try !notice())
        #expect(try generation() == first)
        try readInDump()
        #expect(try notice())
        #expect(try !notice())
        let second = try generation()
        #expect(second != first)
        // The same dump once more is another generation again.
        try server.database.execute("update installation set generation = \(first), written_by = '3'")
        #expect(try notice())
        #expect(try ![first, second].contains(generation()))
    }

    @Test(
        "A copy within PostgreSQL is one, and one in another cluster, were it written by a transaction of the same number"
    )
    func elsewhere() throws {
        // As every test's database is made.
        let copy = try TestCluster.shared.database()
        #expect(try notice(copy))
        #expect(try !notice(copy))
        try server.database.execute(
            "update installation set system_identifier = system_identifier - 1, written_by = pg_current_xact_id()")
        #expect(try notice())
        #expect(try !notice())
    }

    @Test("Of several workers that find a copy, one gives it a generation")
    func severalWorkers() throws {
        for _ in 0..<5 {
            let before = try generation()
            try readInDump()
            // Whoever came second may have seen the one before.
            let found = Set(race(6) { _ in (try? look()) ?? -1 })
            #expect(try found.subtracting([before]) == [generation()])
        }
    }

    @Test("A worker that connects to a copy tells who waits, whoever noticed it first", arguments: [false, true])
    func waiting(isNoticedByAnother: Bool) throws {
        try server.listen()
        defer { server.stopListening() }
        let waiting = try server.waitForChanges(of: family, as: johnny)
        try readInDump()
        if isNoticedByAnother { try notice() }
        try server.interruptNews()
        let got = try waiting.value()
        #expect(got.status == 410)
        #expect(got.isAtOnce)
    }

    @Test("A worker whose connection lasts looks for a copy every ten seconds")
    func looks() throws {
        try server.listen()
        defer { server.stopListening() }
        let waiting = try server.waitForChanges(of: family, as: johnny)
        try readInDump()
        try notice()
        let got = try waiting.value()
        #expect(got.status == 410)
        #expect(got.seconds < 20)
    }
}
