import EventLoop
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Postgres

/// Readings of all tasks share connections, and none ever gets another's answer, whatever happens to them.
struct SharedConnectionTests {
    let database: TestDatabase

    init() throws { database = try TestCluster.shared.emptyDatabase() }

    /// How many readings ended how; `wrong` is what must never be.
    private struct Outcomes {
        var right = 0
        var wrong: [String] = []
        var errors: [String] = []

        /// By their SQLSTATE or kind.
        var errorCounts: [String: Int] { errors.reduce(into: [:]) { $0[$1, default: 0] += 1 } }
    }

    /// Many tasks, each reading one thing after the other: its own number, by one of some statements.
    private func readAll(
        _ pool: TestPool, tasks: Int = 48, rounds: Int = 60,
        _ statement: @escaping @Sendable (Int) -> SQL = { "select \($0)" }
    ) throws -> Outcomes {
        let outcomes = LoopBound(Outcomes(), on: TestLoop.shared)
        try TestLoop.run { [pool = pool.pool] in
            await withTaskGroup { group in
                for task in 0..<tasks {
                    group.addTask {
                        for round in 0..<rounds {
                            let number = task * 1_000 + round
                            var use = DatabaseUse()
                            do {
                                let rows = try await pool.read(statement(number), adding: &use) {
                                    try $0.next(Int.self)
                                }
                                if rows == [number] {
                                    outcomes.value.right += 1
                                } else {
                                    outcomes.value.wrong.append("\(number): \(rows)")
                                }
                            } catch {
                                let text =
                                    (error as? PostgresError)?.sqlState?.rawValue
                                    ?? "\((error as? PostgresError)?.kind as Any)"
                                outcomes.value.errors.append(text)
                                await TestLoop.shared.sleep(.milliseconds(5))
                            }
                        }
                    }
                }
            }
        }
        return try TestLoop.run { outcomes.value }
    }

    @Test func `each task gets its own answers, over one or two connections`() throws {
        let pool = database.pool()
        let outcomes = try readAll(pool)
        #expect(outcomes.right == 48 * 60)
        #expect(outcomes.wrong.isEmpty && outcomes.errors.isEmpty)
        #expect(pool.statistics.inUse <= 2)
        #expect(pool.statistics.checkouts <= 2)
    }

    @Test func `errors among good ones are their own tasks' alone`() throws {
        let pool = database.pool()
        let outcomes = try readAll(pool) { number in
            switch number % 7 {
            case 0: "select \(number) / 0"
            case 1: "select \(number) from missing"
            case 2: "select \("x\(number)")::int"
            default: "select \(number)"
            }
        }
        let all = (0..<48).flatMap { task in (0..<60).map { task * 1_000 + $0 } }
        func count(_ rest: Int) -> Int { all.count { $0 % 7 == rest } }
        #expect(outcomes.wrong.isEmpty)
        #expect(outcomes.errorCounts == ["22012": count(0), "42P01": count(1), "22P02": count(2)])
        #expect(outcomes.right + outcomes.errors.count == all.count)
    }

    @Test func `a server that hangs up in the middle mixes nothing up`() throws {
        let pool = database.pool()
        let isOver = Atomic(false)
        let database = database
        let kills = Background {
            var kills = 0
            try database.asSuperuser { connection in
                while !isOver.load(ordering: .relaxed) {
                    kills += try connection.execute(
                        """
                        select pg_terminate_backend(pid) from pg_stat_activity
                        where datname = current_database() and pid <> pg_backend_pid()
                        """)
                    usleep(20_000)
                }
            }
            return kills
        }
        let outcomes = try readAll(pool, rounds: 200) { number in
            number % 5 == 0 ? "select \(number) from pg_sleep(0.002)" : "select \(number)"
        }
        isOver.store(true, ordering: .relaxed)
        #expect(try kills.join() > 3)
        #expect(outcomes.wrong.isEmpty)
        let expected = ["connection lost", "unavailable"]
        #expect(
            outcomes.errorCounts.keys.allSatisfy { key in expected.contains { key.contains($0) } },
            "\(outcomes.errorCounts)")
        #expect(outcomes.right > 48 * 200 / 10)
        // And it goes on.
        #expect(try readAll(pool, tasks: 4).right == 240)
    }

    @Test func `a server that hung up a moment ago, unseen as yet, holds up nobody`() throws {
        // A loop of its own: one that looks at nothing else any more would hold up the other tests, too.
        let loop = TestLoop.start()
        let pool = Pool(configuration: PoolConfiguration(url: database.ownerURL), on: loop, logger: TestCluster.logger)
        let database = database
        let answer = Mutex<[Int]>([])
        let done = DispatchSemaphore(value: 0)
        loop.task {
            var use = DatabaseUse()
            let process = try? await pool.read("select pg_backend_pid()", adding: &use) { try $0.next(Int.self) }.first
            // In one step of the task, so that the loop hears nothing of it.
            usleep(10_000)
            let terminating = Background {
                try database.asSuperuser { try $0.execute("select pg_terminate_backend(\(Int32(process ?? 0)))") }
            }
            #expect(throws: Never.self) { try terminating.join() }
            usleep(50_000)
            let rows = try? await pool.read("select 5", adding: &use) { try $0.next(Int.self) }
            answer.withLock { $0 = rows ?? [] }
            done.signal()
        }
        #expect(done.wait(timeout: .now() + 20) == .success)
        #expect(answer.withLock { $0 } == [5])
    }

    @Test func `a statement that takes too long costs the others nothing but time`() throws {
        let pool = database.pool { $0.connection.statementTimeout = .milliseconds(60) }
        let outcomes = try readAll(pool, tasks: 16, rounds: 20) { number in
            number % 20 == 7 ? "select \(number) from pg_sleep(5)" : "select \(number)"
        }
        #expect(outcomes.errors.count == 16 && outcomes.errors.allSatisfy { $0 == "57014" })
        #expect(outcomes.right == 16 * 19)
    }

    @Test func `a statement cache that is full`() throws {
        let pool = database.pool { $0.connection.maximumStatements = 3 }
        let outcomes = try readAll(pool) { number in
            "select \(number) as \(unescaped: "n\(number % 11)")"
        }
        #expect(outcomes.right == 48 * 60)
        #expect(outcomes.wrong.isEmpty && outcomes.errors.isEmpty)
        let kept = try pool.read("select count(*) from pg_prepared_statements") { try $0.next(Int.self) }
        #expect(kept.allSatisfy { $0 <= 4 })
    }

    @Test func `a schema that changes under prepared statements`() throws {
        try database.script("create table t (a bigint); insert into t select generate_series(0, 50000)")
        let pool = database.pool()
        let isOver = Atomic(false)
        let database = database
        let changes = Background {
            var changes = 0
            try database.asOwner { connection in
                while !isOver.load(ordering: .relaxed) || changes < 4 {
                    try connection.script(changes % 2 == 0 ? "alter table t add b text" : "alter table t drop b")
                    changes += 1
                    usleep(50_000)
                }
            }
            return changes
        }
        let outcomes = try readAll(pool, tasks: 24, rounds: 80) { number in
            number % 2 == 0 ? "select * from t where a = \(number)" : "select a from t where a = \(number)"
        }
        isOver.store(true, ordering: .relaxed)
        #expect(try changes.join() >= 4)
        #expect(outcomes.wrong.isEmpty)
        // A statement that meets two changes in a row is its caller's to repeat.
        #expect(outcomes.errors.allSatisfy { $0 == "0A000" || $0 == "26000" }, "\(outcomes.errorCounts)")
        #expect(outcomes.right > 24 * 80 * 9 / 10, "\(outcomes.errorCounts)")
    }

    @Test func `a transaction's connection is nobody else's`() throws {
        let pool = database.pool { $0.checkoutTimeout = .seconds(60) }
        let inside = LoopBound<Set<Int>>([], on: TestLoop.shared)
        let wrong = LoopBound<[String]>([], on: TestLoop.shared)
        try TestLoop.run { [pool = pool.pool] in
            await withTaskGroup { group in
                for task in 0..<24 {
                    group.addTask {
                        for round in 0..<20 {
                            do {
                                if task % 2 == 0 {
                                    try await Self.transaction(pool, inside)
                                } else {
                                    var use = DatabaseUse()
                                    let rows = try await pool.read("select pg_backend_pid(), \(round)", adding: &use) {
                                        (try $0.next(Int.self), try $0.next(Int.self))
                                    }
                                    if rows.first?.1 != round || inside.value.contains(rows.first?.0 ?? 0) {
                                        wrong.value.append("reading: \(rows)")
                                    }
                                }
                            } catch { wrong.value.append("\(error)") }
                        }
                    }
                }
            }
        }
        #expect(try TestLoop.run { wrong.value } == [])
    }

    private struct Mixed: Error {}

    private static func transaction(_ pool: Pool, _ inside: LoopBound<Set<Int>>) async throws {
        try await pool.withConnection { connection in
            let process = Int(connection.processIdentifier)
            guard inside.value.insert(process).inserted else { throw Mixed() }
            defer { inside.value.remove(process) }
            try await connection.transaction {
                let statement: SQL = "select pg_current_xact_id()::text || ' ' || pg_backend_pid()"
                let first = try await connection.first(statement) { try $0.next(String.self) }
                await TestLoop.shared.sleep(.milliseconds(1))
                try connection.enqueue("select 1")
                let second = try await connection.first(statement) { try $0.next(String.self) }
                guard first == second, first?.hasSuffix(" \(process)") == true else { throw Mixed() }
            }
        }
    }

    /// What was under way when the connection broke is lost; nobody waits for ever.
    @Test func `everyone under way is told of a loss`() throws {
        let pool = database.pool()
        let started = LoopBound(0, on: TestLoop.shared)
        let lost = Background { [database] in
            try database.asSuperuser { connection in
                try eventually {
                    try connection.execute(
                        """
                        select pg_terminate_backend(pid) from pg_stat_activity
                        where datname = current_database() and wait_event = 'PgSleep'
                        """) > 0
                }
            }
        }
        let errors = try TestLoop.run { [pool = pool.pool] in
            await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        started.value += 1
                        var use = DatabaseUse()
                        do {
                            _ = try await pool.read("select pg_sleep(3)", adding: &use) { _ in }
                            return false
                        } catch { return (error as? PostgresError)?.isConnectionLost == true }
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
        }
        try lost.join()
        // With two connections, those of the other one may have ended well.
        #expect(errors > 0)
    }
}

/// One connection and several tasks.
struct SeveralTasksTests {
    let fixture: Fixture

    init() throws { fixture = try Fixture { $0.responseTimeout = .milliseconds(700) } }

    private func each<Value: Sendable>(
        _ count: Int, _ body: @escaping @Sendable (Connection, Int) async throws -> Value
    ) throws -> [Result<Value, any Error>] {
        let handed = Handed(fixture.connection.connection)
        return try TestLoop.run {
            await withTaskGroup(of: (Int, Result<Value, any Error>).self) { group in
                for number in 0..<count {
                    group.addTask {
                        do { return (number, .success(try await body(handed.value, number))) } catch {
                            return (number, .failure(error))
                        }
                    }
                }
                var all: [Int: Result<Value, any Error>] = [:]
                for await (number, result) in group { all[number] = result }
                return (0..<count).compactMap { all[$0] }
            }
        }
    }

    /// Each is answered in its time; together they take longer than the server may be silent.
    @Test func `a server that answers one after the other is not silent`() throws {
        let results = try each(8) { connection, number in
            try await connection.first("select \(number) from pg_sleep(0.2)") { try $0.next(Int.self) }
        }
        for (number, result) in results.enumerated() { #expect(try result.get() == number) }
    }

    @Test func `a server that falls silent is given up by all`() throws {
        let process = fixture.connection.processIdentifier
        #expect(kill(process, SIGSTOP) == 0)
        defer { kill(process, SIGCONT) }
        let results = try each(8) { connection, number in try await connection.execute("select \(number)") }
        for result in results { #expect(try failure { try result.get() }.isConnectionLost) }
    }

    @Test func `a script and a transaction want the connection for themselves`() throws {
        let results = try each(3) { connection, number in
            switch number {
            case 0: return try await connection.first("select 7 from pg_sleep(0.1)") { try $0.next(Int.self) } ?? 0
            case 1: try await connection.script("select 1")
            default: try await connection.transaction { _ = try await connection.execute("select 1") }
            }
            return 0
        }
        #expect(try results[0].get() == 7)
        #expect(try failure { try results[1].get() }.isMisuse)
        #expect(try failure { try results[2].get() }.isMisuse)
        #expect(try fixture.connection.execute("select 1") == 1)
    }

    @Test func `nobody sends anything into a script`() throws {
        let results = try each(2) { connection, number in
            if number == 0 {
                try await connection.script("select pg_sleep(0.1)")
            } else {
                try await connection.execute("select 1")
            }
        }
        #expect(throws: Never.self) { try results[0].get() }
        #expect(try failure { try results[1].get() }.isMisuse)
        #expect(try fixture.connection.execute("select 1") == 1)
    }
}
