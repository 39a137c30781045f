import Glibc
import Postgres
import TestSupport
import Testing

/// Statements of several requests that go over one session.
struct PipelineTests {
    let fixture: Fixture

    init() throws { fixture = try Fixture() }

    private func pool(sessions: Int = 3) throws -> Pool {
        let pool = fixture.database.pool { $0.maximumSessions = sessions }
        try pool.fill(sessions)
        return pool
    }

    private func isReadable(_ descriptor: CInt?, milliseconds: CInt = 10_000) throws -> Bool {
        var entry = pollfd(fd: try #require(descriptor), events: Int16(POLLIN), revents: 0)
        return unsafe poll(&entry, 1, milliseconds) == 1
    }

    private func number(_ sent: PipelinedStatement?) throws -> Int64? {
        try #require(sent).rows { try $0.next(Int64.self) }?.first
    }

    /// A statement that waits until the test lets it go on.
    private func gate() throws -> (statement: SQL, lock: Session) {
        let lock = try fixture.database.open()
        try lock.script("select pg_advisory_lock(7)")
        return ("select 0::int8 from pg_advisory_lock_shared(7)", lock)
    }

    private func open(_ lock: Session) throws { try lock.script("select pg_advisory_unlock(7)") }

    @Test func `several go over one session, and each gets its own answer`() throws {
        let pool = try pool()
        defer { pool.close() }
        let pipelines = Pipelines(pool, sessions: 1)
        for _ in 0..<3 {
            let sent = try (1...10).map {
                try #require(pipelines.send("select \(Int64($0)), pg_backend_pid()"))
            }
            #expect(Set(sent.map(\.descriptor)).count == 1)
            #expect(pool.statistics.inUse == 1)
            let rows = try sent.map {
                try $0.rows { (try $0.next(Int64.self), try $0.next(Int32.self)) } ?? []
            }
            #expect(rows.map { $0.map(\.0) } == (1...10).map { [Int64($0)] })
            #expect(Set(rows.map { $0[0].1 }).count == 1)
            #expect(pool.statistics.inUse == 0)
        }
    }

    @Test func `whether an answer is here is told without waiting`() throws {
        let pool = try pool()
        defer { pool.close() }
        let (slow, lock) = try gate()
        let pipelines = Pipelines(pool, sessions: 1)
        let first = try #require(pipelines.send(slow))
        let second = try #require(pipelines.send("select 2::int8"))
        #expect(!(try isReadable(first.descriptor, milliseconds: 50)))
        #expect(!first.isHere)
        #expect(!second.isHere)
        try open(lock)
        #expect(try isReadable(first.descriptor))
        try eventually { second.isHere }
        #expect(first.isHere)
        #expect(pool.statistics.inUse == 0)
        #expect(try number(second) == 2)
        #expect(try number(first) == 0)
        #expect(first.use.roundTrips == 1)
        #expect(first.use.nanoseconds > 50_000_000)
    }

    @Test func `who waits for the last has the others answered on the way`() throws {
        let pool = try pool()
        defer { pool.close() }
        let pipelines = Pipelines(pool, sessions: 1)
        let sent = (1...5).map { pipelines.send("select \(Int64($0))") }
        #expect(try number(sent[4]) == 5)
        #expect(sent.allSatisfy { $0?.isHere == true })
        for index in [2, 0, 3, 1] { #expect(try number(sent[index]) == Int64(index + 1)) }
    }

    @Test func `one that fails has no rows, nor have those behind it, and the session ends`()
        throws
    {
        let pool = try pool(sessions: 2)
        defer { pool.close() }
        let pipelines = Pipelines(pool, sessions: 1)
        for bad in ["select 1 / 0::int8", "select no_such_column"] as [SQL] {
            let good = pipelines.send("select 1::int8")
            let failing = pipelines.send(bad)
            let next = pipelines.send("select 4::int8")
            #expect(try number(failing) == nil)
            #expect(pipelines.send("select 5::int8") == nil)
            #expect(next?.isHere == true)
            #expect(try number(next) == nil)
            #expect(try number(good) == 1)
            #expect(pool.statistics.idle == 1 && pool.statistics.inUse == 0)
            try pool.fill(2)
            #expect(try number(pipelines.send("select 6::int8")) == 6)
        }
    }

    /// Of statements that wait for one lock each would have to wait for its own timeout, one after the other.
    @Test func `after a timeout nobody waits for the next`() throws {
        let pool = fixture.database.pool {
            $0.maximumSessions = 2
            $0.session.statementTimeout = .milliseconds(400)
        }
        defer { pool.close() }
        try pool.fill(2)
        let (slow, lock) = try gate()
        let pipelines = Pipelines(pool, sessions: 1)
        let start = ContinuousClock.now
        let sent = (0..<10).map { _ in pipelines.send(slow) }
        for one in sent { #expect(try number(one) == nil) }
        #expect(ContinuousClock.now - start < .milliseconds(2_000))
        try open(lock)
    }

    @Test func `where the connection is lost nobody waits and nobody has rows`() throws {
        let pool = try pool()
        defer { pool.close() }
        let (slow, lock) = try gate()
        let pipelines = Pipelines(pool, sessions: 1)
        let first = try #require(pipelines.send(slow))
        let second = try #require(pipelines.send("select 2::int8"))
        try fixture.database.asOwner {
            try $0.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'advisory'"
            )
        }
        #expect(try isReadable(first.descriptor))
        try eventually { first.isHere }
        #expect(second.isHere)
        #expect(try number(first) == nil)
        #expect(try number(second) == nil)
        try eventually { pool.statistics.inUse == 0 }
        #expect(try number(pipelines.send("select 3::int8")) == 3)
        try open(lock)
    }

    /// A worker's thread that sends must not wait for one that waits for an answer.
    @Test func `while a thread waits for an answer others send elsewhere`() throws {
        let pool = try pool()
        defer { pool.close() }
        let (slow, lock) = try gate()
        let pipelines = Pipelines(pool, sessions: 2)
        let first = try #require(pipelines.send(slow))
        let waiting = Worker { try first.rows { try $0.next(Int64.self) } ?? [] }
        // Until it waits it is no reason to send elsewhere.
        var behind: [PipelinedStatement] = []
        try eventually {
            let two = try (1...2).map { try #require(pipelines.send("select \(Int64($0))")) }
            behind += two
            return two.allSatisfy { $0.descriptor != first.descriptor }
        }
        for _ in 1...3 {
            let others = try (1...4).map { try #require(pipelines.send("select \(Int64($0))")) }
            #expect(others.allSatisfy { $0.descriptor != first.descriptor })
            for (index, other) in others.enumerated() {
                #expect(try number(other) == Int64(index + 1))
            }
        }
        try open(lock)
        #expect(try waiting.join() == [0])
        for (index, one) in behind.enumerated() {
            #expect(try number(one) == Int64(index % 2 + 1))
        }
    }

    @Test func `each goes where the fewest are under way, and none where there are too many`()
        throws
    {
        let pool = try pool()
        defer { pool.close() }
        let pipelines = Pipelines(pool, sessions: 2, depth: 3)
        // One is under way and three wait, on each.
        let sent = (1...8).compactMap { pipelines.send("select \(Int64($0))") }
        #expect(sent.count == 8)
        #expect(Set(sent.map(\.descriptor)).count == 2)
        #expect(sent[0].descriptor != sent[1].descriptor)
        #expect(pipelines.send("select 9::int8") == nil)
        #expect(try number(sent[0]) == 1)
        #expect(try number(pipelines.send("select 10::int8")) == 10)
        for (index, one) in sent.enumerated().dropFirst() {
            #expect(try number(one) == Int64(index + 1))
        }
    }

    @Test(arguments: [1, 2, 3]) func `one session of the pool is left to others`(sessions: Int)
        throws
    {
        let pool = try pool(sessions: sessions)
        defer { pool.close() }
        let pipelines = Pipelines(pool, sessions: 2, depth: 1)
        let sent = (0..<4).compactMap { _ in pipelines.send("select 1::int8") }
        #expect(Set(sent.map(\.descriptor)).count == sessions - 1)
        #expect(pool.statistics.inUse == sessions - 1)
        let hasOneLeft = pool.checkoutIdle() != nil
        #expect(hasOneLeft)
        for one in sent { #expect(try number(one) == 1) }
    }

    @Test func `nothing is sent where no session is at hand`() throws {
        let pool = try pool(sessions: 2)
        defer { pool.close() }
        let pipelines = Pipelines(pool)
        try pool.withSession { _ in
            try pool.withSession { _ in #expect(pipelines.send("select 1::int8") == nil) }
        }
        #expect(try number(pipelines.send("select 2::int8")) == 2)
    }

    /// Room for statements is made while none is under way: the others wait for that.
    @Test func `more statements than a session keeps are sent one by one`() throws {
        let pool = fixture.database.pool {
            $0.maximumSessions = 2
            $0.session.maximumStatements = 5
        }
        defer { pool.close() }
        try pool.fill(2)
        let pipelines = Pipelines(pool, sessions: 1)
        var sent: [(number: Int64, statement: PipelinedStatement)] = []
        for number in 0..<40 as Range<Int64> {
            let statement = SQL(stringLiteral: "select \(number)::int8")
            if let one = pipelines.send(statement) {
                sent.append((number, one))
            } else {
                for (number, one) in sent { #expect(try self.number(one) == number) }
                sent = [(number, try #require(pipelines.send(statement)))]
            }
        }
        for (number, one) in sent { #expect(try self.number(one) == number) }
        try pool.withSession { first in
            try pool.withSession { second in
                let prepared = [first, second].map(\.preparedStatements)
                #expect(prepared.allSatisfy { $0 <= 5 })
                #expect(prepared.contains { $0 > 0 })
            }
        }
    }

    @Test func `who forgets a statement does not keep those behind it from their answers`() throws {
        let pool = try pool()
        defer { pool.close() }
        let pipelines = Pipelines(pool, sessions: 1)
        _ = pipelines.send("select 1::int8")
        let second = try #require(pipelines.send("select 2::int8"))
        try eventually { second.isHere }
        #expect(try number(second) == 2)
        #expect(pool.statistics.inUse == 0)
    }

    @Test func `many threads at once get their own answers`() throws {
        let pool = try pool(sessions: 4)
        defer { pool.close() }
        let pipelines = Pipelines(pool, sessions: 2)
        let workers = (0..<8).map { thread in
            Worker {
                var wrong: [[Int64]?] = []
                for round in 0..<300 {
                    let number = Int64(thread * 1000 + round)
                    var sent: PipelinedStatement?
                    while sent == nil {
                        sent = pipelines.send("select \(number)")
                        if sent == nil { usleep(100) }
                    }
                    while round % 2 == 0, sent?.isHere == false { usleep(50) }
                    let rows = try sent?.rows { try $0.next(Int64.self) }
                    if rows != [number] { wrong.append(rows) }
                }
                return wrong
            }
        }
        let wrong = try workers.flatMap { try $0.join() }
        #expect(wrong.isEmpty)
        #expect(pool.statistics.inUse == 0)
    }
}
