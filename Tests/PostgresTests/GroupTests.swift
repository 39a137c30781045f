import Glibc
import Postgres
import TestSupport
import Testing

/// Changes of several requests that are one transaction.
struct GroupTests {
    let fixture: Fixture

    init() throws {
        fixture = try Fixture()
        try fixture.session.script(
            """
            create table t (a int8 primary key);
            create table late (a int8 unique deferrable initially deferred);
            create table counter (n int8);
            insert into counter values (0);
            """)
    }

    private func pool(sessions: Int = 4) throws -> Pool {
        let pool = fixture.database.pool { $0.maximumSessions = sessions }
        try pool.fill(sessions)
        return pool
    }

    /// Inserts a number and returns it with the transaction that did.
    private static func insert(_ number: Int64, into table: SQL = "t") -> SQL {
        "insert into \(fragment: table) values (\(number)) returning a, pg_current_xact_id()::text::int8"
    }

    private static func rows(_ sent: PipelinedStatement?) throws -> [[Int64]]? {
        try #require(sent).rows { [try $0.next(), try $0.next()] }
    }

    private func insert(_ number: Int64, into table: SQL = "t") -> SQL {
        Self.insert(number, into: table)
    }

    private func rows(_ sent: PipelinedStatement?) throws -> [[Int64]]? { try Self.rows(sent) }

    private func committed(_ table: SQL = "t") throws -> [Int64] {
        try fixture.session.rows("select a from \(fragment: table) order by a") { try $0.next() }
    }

    /// A statement that waits, for no lock, until the test lets it go on.
    private let gate: SQL = """
        insert into t select n from (
            select 0 as n, pg_sleep(0.2)) s
        returning a, 0::int8
        """

    @Test func `what comes while a group is under way is the next group`() throws {
        let pool = try pool()
        defer { pool.close() }
        let pipelines = Pipelines(pool)
        let first = pipelines.sendInGroup(gate)
        let sent = (1...10).map { pipelines.sendInGroup(insert($0)) }
        #expect(Set(sent.map { $0?.descriptor }) == [first?.descriptor])
        #expect(try committed().isEmpty)
        #expect(pool.statistics.inUse == 1)
        #expect(try rows(first) == [[0, 0]])
        #expect(try committed().first == 0)
        let found = try sent.map { try #require(try rows($0)) }
        #expect(found.map { $0.map(\.first) } == (1...10).map { [$0] })
        #expect(Set(found.map { $0[0][1] }).count == 1, "one transaction")
        #expect(try committed() == Array(0...10))
        #expect(pool.statistics.inUse == 0)
        let alone = try (11...13).map { try rows(pipelines.sendInGroup(insert($0)))?[0][1] }
        #expect(Set(alone).count == 3)
    }

    @Test func `nobody is told before the commit`() throws {
        let pool = try pool()
        defer { pool.close() }
        try fixture.session.script("insert into late values (3)")
        let pipelines = Pipelines(pool)
        let first = pipelines.sendInGroup(gate)
        let sent = [1, 2, 3].map { pipelines.sendInGroup(insert($0, into: "late")) }
        #expect(try rows(first) == [[0, 0]])
        // All three have had their rows; the commit has failed.
        for one in sent { #expect(try rows(one) == nil) }
        #expect(try committed("late") == [3])
    }

    @Test func `where one fails nothing is done, and the next group goes on`() throws {
        let pool = try pool()
        defer { pool.close() }
        let pipelines = Pipelines(pool)
        for bad in ["insert into t values (0) returning a, a", "select no_such_column"] as [SQL] {
            try fixture.session.script("delete from t")
            let first = pipelines.sendInGroup(gate)
            let sent = [insert(1), bad, insert(2)].map { pipelines.sendInGroup($0) }
            #expect(try rows(first) == [[0, 0]])
            let next = pipelines.sendInGroup(insert(3))
            for one in sent { #expect(try rows(one) == nil) }
            #expect(try rows(next)?.first?.first == 3)
            #expect(try committed() == [0, 3])
        }
        #expect(pool.statistics.idle == 4, "no session is given up")
    }

    /// Somebody else who holds a lock must not hold up strangers.
    @Test func `a lock is not waited for`() throws {
        let pool = try pool()
        defer { pool.close() }
        try fixture.session.script("insert into t values (100)")
        let pipelines = Pipelines(pool)
        let lock = try fixture.database.open()
        try lock.transaction {
            try lock.execute("update t set a = a where a = 100")
            let first = pipelines.sendInGroup(gate)
            let waits = pipelines.sendInGroup("update t set a = a where a = 100 returning a, a")
            let stranger = pipelines.sendInGroup(insert(1))
            #expect(try rows(first) == [[0, 0]])
            var found: [[[Int64]]?] = []
            let duration = try milliseconds { found = [try rows(waits), try rows(stranger)] }
            #expect(found == [nil, nil])
            #expect((15..<500).contains(duration))
            #expect(try rows(pipelines.sendInGroup(insert(2)))?.first?.first == 2)
        }
        let limit = try pool.withSession {
            try $0.first("select current_setting('lock_timeout')") { try $0.next(String.self) }
        }
        #expect(limit == "5s", "for the group alone")
    }

    @Test func `where the connection is lost that is not known of those under way`() throws {
        let pool = try pool()
        defer { pool.close() }
        let pipelines = Pipelines(pool)
        let first = pipelines.sendInGroup(gate)
        let next = pipelines.sendInGroup(insert(2))
        try fixture.database.asOwner {
            try $0.execute(
                """
                select pg_terminate_backend(pid) from pg_stat_activity
                where wait_event = 'PgSleep' and datname = current_database()
                """)
        }
        #expect(try failure { try rows(first) }.isOutcomeUnknown)
        #expect(try rows(next) == nil, "it was not sent")
        #expect(try committed().isEmpty)
        try eventually { pool.statistics.inUse == 0 }
        #expect(try rows(pipelines.sendInGroup(insert(3)))?.first?.first == 3)
    }

    @Test func `a prelude stays whatever becomes of the rest`() throws {
        let pool = try pool()
        defer { pool.close() }
        let pipelines = Pipelines(pool)
        let count: SQL = "update counter set n = n + 1 returning n"
        func read(_ sent: PipelinedStatement?) throws -> (counted: Int64?, rows: [Int64]?) {
            var counted: Int64?
            let rows = try #require(sent).rows(
                reading: { counted = try $0.next() }, { try $0.next(Int64.self) })
            return (counted, rows)
        }
        let first = pipelines.sendInGroup(gate)
        let good = [
            pipelines.sendInGroup(insert(1), after: count), pipelines.sendInGroup(insert(2)),
            pipelines.sendInGroup(insert(3), after: count),
        ]
        #expect(try rows(first) == [[0, 0]])
        let found = try good.map { try read($0) }
        #expect(found.map(\.counted) == [1, nil, 2])
        #expect(found.map(\.rows) == [[1], [2], [3]])
        #expect(good.map { $0?.hasPrelude } == [true, false, true])

        try fixture.session.script("delete from t")
        _ = try rows(pipelines.sendInGroup(insert(9)))
        let again = pipelines.sendInGroup(gate)
        let bad = [
            pipelines.sendInGroup(insert(1), after: count), pipelines.sendInGroup(insert(9)),
        ]
        #expect(try rows(again) == [[0, 0]])
        let lost = try bad.map { try read($0) }
        #expect(lost.map(\.counted) == [3, nil])
        #expect(lost.map(\.rows) == [nil, nil])
        #expect(bad[0]?.hasPrelude == true)
        #expect(try committed() == [0, 9])
    }

    @Test func `a prelude that fails is told to whom it belongs`() throws {
        let pool = try pool()
        defer { pool.close() }
        let pipelines = Pipelines(pool)
        let first = pipelines.sendInGroup(gate)
        let failing = pipelines.sendInGroup(insert(1), after: "select 1 / 0")
        let other = pipelines.sendInGroup(insert(2), after: "update counter set n = n + 1")
        #expect(try rows(first) == [[0, 0]])
        #expect(try failure { try rows(failing) }.sqlState?.rawValue == "22012")
        #expect(try rows(other)?.first?.first == 2)
        #expect(try rows(pipelines.sendInGroup(insert(3)))?.first?.first == 3)
    }

    /// The group is run alone then, where a plan is made anew.
    @Test(arguments: [false, true]) func `a stale plan is not used for ever`(
        isPrelude: Bool
    ) throws {
        let pool = try pool(sessions: 8)
        defer { pool.close() }
        try fixture.session.script("create table wide (a int8); insert into wide values (4)")
        let pipelines = Pipelines(pool)
        let all: SQL = "select * from wide"
        func read() throws -> [Int64]? {
            let sent =
                isPrelude
                ? pipelines.sendInGroup("select 4::int8", after: all) : pipelines.sendInGroup(all)
            return try #require(sent).rows { try $0.next() }
        }
        for _ in 0..<4 { #expect(try read() == [4]) }
        try fixture.session.script("alter table wide add column b int8 default 0")
        let found = (0..<6).map { _ in try? read() }
        #expect(found.contains { $0 != [4] })
        #expect(found.last == [4])
    }

    @Test func `where there are too many, or no session, nothing is sent`() throws {
        let pool = try pool()
        defer { pool.close() }
        let pipelines = Pipelines(pool, depth: 3)
        let sent = ([gate] + (1...5).map { insert($0) }).map { pipelines.sendInGroup($0) }
        #expect(sent.map { $0 == nil } == [false, false, false, false, true, true])
        for one in sent.prefix(4) { #expect(try rows(one)?.count == 1) }
        for (sessions, hasGroup) in [(1, false), (2, false), (3, false), (4, true)] {
            let small = try self.pool(sessions: sessions)
            defer { small.close() }
            let one = Pipelines(small).sendInGroup(insert(Int64(sessions + 10)))
            #expect((one != nil) == hasGroup)
            if hasGroup { _ = try rows(one) }
        }
    }

    @Test func `a commit that did not wait for its standby is unknown`() throws {
        let cluster = try TestCluster.start()
        let url = cluster.superuserURL()
        let setUp = try Session(SessionConfiguration(url: url), logger: TestCluster.logger)
        try setUp.script("set synchronous_commit = local; create table t (a int8)")
        let pool = Pool(configuration: PoolConfiguration(url: url), logger: TestCluster.logger)
        try setUp.requireMissingStandby()
        try pool.fill(4)
        let sent = Pipelines(pool).sendInGroup(insert(1))
        try setUp.cancelStandbyWait()
        #expect(try failure { try rows(sent) }.isOutcomeUnknown)
        pool.close()
    }

    @Test func `many threads at once, some of whose changes fail`() throws {
        let pool = try pool()
        defer { pool.close() }
        let pipelines = Pipelines(pool)
        let workers = (0..<8).map { thread in
            Worker {
                var done: [Int64] = []
                for round in 0..<200 {
                    let number = Int64(1 + thread * 1000 + (round % 10 == 0 ? 0 : round))
                    var sent: PipelinedStatement?
                    while sent == nil {
                        sent = pipelines.sendInGroup(Self.insert(number))
                        if sent == nil { usleep(100) }
                    }
                    while round % 2 == 0, sent?.isHere == false { usleep(50) }
                    guard let rows = try Self.rows(sent) else { continue }
                    if rows.first?.first != number { done.append(-1) }
                    done.append(number)
                }
                return done
            }
        }
        let told = try workers.flatMap { try $0.join() }
        #expect(try committed() == told.sorted())
        #expect(told.count > 100)
        #expect(pool.statistics.inUse == 0)
    }
}
