import Glibc
import Postgres
import TestSupport
import Testing

/// A statement that is sent before anybody waits for its answer.
struct SentAheadTests {
    let fixture: Fixture
    var session: Session { fixture.session }

    init() throws {
        fixture = try Fixture()
        try fixture.session.script(
            """
            create table counter (n int8);
            insert into counter values (0);
            """)
    }

    private let count: SQL = "update counter set n = n + 1 returning n"

    private func counted() throws -> Int64 {
        try fixture.database.asOwner {
            try #require(try $0.first("select n from counter") { try $0.next(Int64.self) })
        }
    }

    private func isReadable(_ descriptor: CInt, milliseconds: CInt) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&entry, 1, milliseconds) == 1
    }

    private func isMisuse(_ body: () throws -> Void) throws -> Bool {
        if case .misuse = try failure(body).kind { true } else { false }
    }

    @Test func itRunsOnceAndTheDescriptorTells() throws {
        let before = session.use.roundTrips
        let slow: SQL = "select n from (select pg_sleep(0.3)) s, counter"
        let descriptor = try #require(try session.send(slow))
        #expect(!isReadable(descriptor, milliseconds: 50))
        #expect(isReadable(descriptor, milliseconds: 10_000))
        #expect(try session.rows(slow) { try $0.next(Int64.self) } == [0])
        #expect(session.use.roundTrips == before + 1)
        _ = try session.send(count)
        #expect(try session.rows(count) { try $0.next(Int64.self) } == [1])
        #expect(try counted() == 1)
    }

    @Test func whoRunsItEarlyWaits() throws {
        let slow: SQL = "select pg_sleep(0.2)::text"
        _ = try session.send(slow)
        #expect(try session.rows(slow) { try $0.next(String.self) } == [""])
    }

    @Test func withAPreludeBothComeInOneRoundTrip() throws {
        let before = session.use.roundTrips
        let read: SQL = "select n + 10 from counter"
        _ = try session.send(read, after: count)
        var first: Int64?
        let rows = try session.rows(
            read, after: count, reading: { first = try $0.next() },
            making: { try $0.next(Int64.self) })
        #expect(first == 1)
        #expect(rows == [11])
        #expect(session.use.roundTrips == before + 1)
        #expect(try counted() == 1)
    }

    @Test func itsErrorIsTheRunsError() throws {
        let bad: SQL = "select 1 / 0"
        _ = try session.send(bad)
        #expect(try failure { try session.execute(bad) }.sqlState?.rawValue == "22012")
        #expect(try session.rows("select 7") { try $0.next(Int32.self) } == [7])
    }

    @Test(arguments: [false, true]) func aStalePlanIsMadeAnewOnce(hasPrelude: Bool) throws {
        try session.script("create table wide (a int8); insert into wide values (4)")
        let all: SQL = "select * from wide"
        func read() throws -> [Int64] {
            _ = try session.send(all, after: hasPrelude ? count : nil)
            guard hasPrelude else { return try session.rows(all) { try $0.next(Int64.self) } }
            return try session.rows(
                all, after: count, reading: { _ in }, making: { try $0.next(Int64.self) })
        }
        #expect(try read() == [4])
        try fixture.database.asOwner {
            try $0.execute("alter table wide add column b int8 default 0")
        }
        #expect(try read() == [4])
        #expect(try counted() == (hasPrelude ? 2 : 0))
    }

    @Test func whatComesNextMustBeTheSame() throws {
        _ = try session.send("select 1")
        #expect(try isMisuse { try session.execute("select 2") })
        guard case .connectionLost = try failure({ try session.execute("select 1") }).kind else {
            Issue.record("the connection goes on")
            return
        }
    }

    @Test func onlyOneAtATimeAndInNoTransaction() throws {
        #expect(try isMisuse { try session.transaction { _ = try session.send("select 1") } })
        _ = try session.send("select 1")
        #expect(try isMisuse { _ = try session.send("select 1") })
    }

    @Test func aSessionGivenBackWithoutTheAnswerIsNotUsedAgain() throws {
        let pool = fixture.database.pool { $0.maximumSessions = 2 }
        defer { pool.close() }
        let first = try pool.withSession { $0.processIdentifier }
        do {
            guard let lease = pool.checkoutIdle() else { throw PostgresError(.poolTimeout) }
            #expect(lease.session.processIdentifier == first)
            _ = try lease.session.send("select 1")
        }
        #expect(pool.statistics.idle == 0)
        try pool.withSession {
            #expect($0.processIdentifier != first)
            let count = try $0.execute("select 2")
            #expect(count == 1)
        }
    }

    @Test func whereTheConnectionIsLostTheOutcomeIsUnknown() throws {
        let slow: SQL = "update counter set n = n + 1 where pg_sleep(30) is not null"
        let descriptor = try #require(try session.send(slow))
        let process = session.processIdentifier
        try fixture.database.asOwner {
            try $0.execute("select pg_terminate_backend(\(process))")
        }
        #expect(isReadable(descriptor, milliseconds: 10_000))
        guard case .outcomeUnknown = try failure({ try session.execute(slow) }).kind else {
            Issue.record("it is known")
            return
        }
        #expect(try counted() == 0)
    }
}
