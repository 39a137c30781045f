import BabyBasicsAPI
import EventLoop
import Foundation
import Postgres
import Synchronization
import TestSupport
import Testing

@testable import BabyBasicsServer

@Suite("News between workers", .serialized)
struct NewsBetweenWorkersTests {
    let near: TestServer
    let far: TestServer
    let johnny: TestUser
    let family: String

    init() throws {
        near = try TestServer()
        far = try TestServer(database: near.database)
        johnny = try near.user("Johnny")
        family = try near.family(of: johnny)
        try near.listen()
        try far.listen()
    }

    private func rename() {
        let answer = near.patiently("PATCH", "families/\(family)", as: johnny, ["name": .string(UUID().uuidString)])
        #expect(answer.status == 200)
    }

    private func end() {
        near.stopListening()
        far.stopListening()
    }

    @Test("A change in one worker is the answer of another")
    func change() throws {
        defer { end() }
        let waiting = try far.waitForChanges(of: family, as: johnny)
        rename()
        let got = try waiting.value()
        #expect(got.changes.map { $0["entity"] } == ["family"])
        #expect(got.isAtOnce)
        #expect(near.services.news.metrics.sent.value >= 1)
        #expect(far.services.news.metrics.received.value >= 1)
        #expect(near.services.news.metrics.received.value == 0)
        #expect(far.services.news.metrics.wakeUps.snapshot.buckets.reduce(0, +) == 1)
    }

    @Test("A session that ends in one worker is told so by another")
    func session() throws {
        defer { end() }
        let waiting = try far.waitForChanges(of: family, as: johnny)
        #expect(near.send("POST", "auth/logout", as: johnny).status == 204)
        let got = try waiting.value()
        #expect(got.status == 401)
        #expect(got.isAtOnce)
    }

    @Test("What changes while nobody listens is found when somebody listens again", arguments: [false, true])
    func lost(isDeleted: Bool) throws {
        defer { end() }
        let waiting = try far.waitForChanges(of: family, as: johnny)
        // Told to nobody: as a worker that is killed after its commit.
        let change: SQL =
            isDeleted
            ? "delete from families where id = \(family)::uuid"
            : """
            with number as (
                update feeds set last_revision = last_revision + 1 where family_id = \(family)::uuid returning last_revision
            )
            update family_members m set revision = last_revision from number where family_id = \(family)::uuid
            """
        try near.database.execute(change)
        try near.interruptNews()
        let got = try waiting.value()
        #expect(got.status == (isDeleted ? 403 : 200))
        #expect(got.changes.count == (isDeleted ? 0 : 1))
        #expect(got.seconds < 20)
        try waitUntil { far.isListening && near.isListening }
        let again = isDeleted ? nil : try far.waitForChanges(of: family, as: johnny)
        if let again {
            rename()
            #expect(try again.value().isAtOnce)
        }
    }

    @Test("News that could not be sent go with the next connection")
    func unsent() throws {
        defer { end() }
        let waiting = try far.waitForChanges(of: family, as: johnny)
        _ = try near.database.asSuperuser {
            try $0.execute("revoke execute on function pg_notify(text, text) from public")
        }
        rename()
        try waitUntil { !near.isListening }
        _ = try near.database.asSuperuser {
            try $0.execute("grant execute on function pg_notify(text, text) to public")
        }
        let got = try waiting.value()
        #expect(got.changes.count >= 1)
        #expect(got.isAtOnce)
    }

    /// Its process is stopped: the connection lasts, and says nothing.
    @Test("A listening connection that hangs is given up, and what changed meanwhile is found")
    func hangs() throws {
        let far = try TestServer(database: near.database, responseTimeout: .seconds(1))
        try far.listen()
        defer {
            end()
            far.stopListening()
        }
        let waiting = try far.waitForChanges(of: family, as: johnny)
        let hung = try near.newsProcesses()
        #expect(hung.count == 3)
        for process in hung { kill(process, SIGSTOP) }
        defer { for process in hung { kill(process, SIGCONT) } }
        rename()
        let got = try waiting.value()
        #expect(got.changes.count == 1)
        // Ten seconds to the look, and one for its answer.
        #expect(got.seconds < 20)
    }

    @Test("Whoever waits hears of it at once when the purge ends a membership")
    func purged() throws {
        defer { end() }
        let maria = try near.member("Maria", of: family, by: johnny)
        let waiting = try far.waitForChanges(of: family, as: johnny)
        try near.database.execute(
            "update family_members set access_until = now() - interval '1 minute' where user_id = \(maria.id)::uuid")
        let session = try TestConnection(ConnectionConfiguration(url: near.database.serverURL))
        let connection = session.connection
        let report = try TestLoop.run { try await Purge(connection: connection, now: Purge.now).run() }
        #expect(report.members == 1)
        let got = try waiting.value()
        #expect(got.changes.map { $0["op"] } == ["delete"])
        #expect(got.changes.map { $0["id"] } == [.string(maria.id)])
        #expect(got.isAtOnce)
    }

    @Test("A worker that hears of what its client has already goes on waiting")
    func known() throws {
        defer { end() }
        let since = try far.position(in: family, as: johnny)
        let waiting = try far.waitForChanges(of: family, as: johnny, since: since, seconds: 3)
        let revision = SyncPosition(since: try #require(Int64(since))).revision
        let id = try #require(FamilyID(family))
        TestLoop.shared.sync { [far] in
            let items = [NewsItem.family(id, upTo: revision), .family(id, upTo: NewsItem.unknown)]
            far.services.news.publish(items)
        }
        let got = try waiting.value()
        #expect(got.changes == [])
        #expect(got.seconds >= 3)
    }
}
