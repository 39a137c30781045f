import BabyBasicsAPI
import EventLoop
import Foundation
import Postgres
import TestSupport
import Testing

@testable import BabyBasicsServer

@Suite("When sessions were used is written later, many at once")
struct SessionTouchesTests {
    let server: TestServer
    let touches: SessionTouches

    init() throws {
        server = try TestServer()
        touches = server.services.sessionTouches
    }

    private func note(_ id: Identifier<SignedIn.Session>, at moment: Timestamp) {
        TestLoop.shared.sync { [touches] in touches.note(id, at: moment) }
    }

    private func write() { TestLoop.shared.sync { [touches] in await touches.write() } }

    /// Makes sessions that were used an hour ago; answers their ids.
    private func sessions(_ count: Int) throws -> [Identifier<SignedIn.Session>] {
        for number in 0..<count { _ = try server.user("User \(number)") }
        try server.database.execute("update sessions set last_used_at = now() - interval '1 hour'")
        return try server.database.texts("select id::text from sessions order by id").map {
            try Identifier($0).required()
        }
    }

    private func lastUses() throws -> [String] {
        try server.database.texts(
            """
            select to_char(last_used_at at time zone 'UTC', 'HH24:MI:SS') || ' '
                || (expires_at = last_used_at + interval '30 days')
            from sessions order by id
            """)
    }

    /// Today, so that no session has ended.
    private func moment(_ seconds: Int) -> Timestamp {
        let midnight = SystemClock().now().microsecondsSince1970 / 86_400_000_000 * 86_400_000_000
        return Timestamp(
            microsecondsSince1970: midnight + 86_400_000_000 + Int64(seconds) * 1_000_000)
    }

    @Test("Each at its own time")
    func each() throws {
        let ids = try sessions(3)
        for (number, id) in ids.enumerated() { note(id, at: moment(number)) }
        write()
        #expect(try lastUses() == ["00:00:00 true", "00:00:01 true", "00:00:02 true"])
        let writers = try server.database.texts("select distinct xmin::text from sessions")
        #expect(writers.count == 1)
    }

    @Test("An earlier use, written later by another worker, changes nothing")
    func earlier() throws {
        let id = try sessions(1)[0]
        for second in [7, 3] {
            note(id, at: moment(second))
            write()
            #expect(try lastUses() == ["00:00:07 true"])
        }
    }

    @Test("A session that somebody is ending is not waited for, nor are others held up")
    func locked() throws {
        let ids = try sessions(2)
        try server.database.asOwner { session in
            try session.transaction {
                try session.execute("delete from sessions where id = \(ids[0])")
                for id in ids { note(id, at: moment(5)) }
                write()
            }
        }
        #expect(try lastUses() == ["00:00:05 true"])
    }

    @Test("What could not be written is written the next time")
    func again() throws {
        let ids = try sessions(2)
        try server.database.asOwner { try $0.execute("revoke update on sessions from babybasics") }
        for id in ids { note(id, at: moment(1)) }
        write()
        note(ids[1], at: moment(2))
        write()
        try server.database.asOwner { try $0.execute("grant update on sessions to babybasics") }
        write()
        #expect(try lastUses() == ["00:00:01 true", "00:00:02 true"])
    }
}
