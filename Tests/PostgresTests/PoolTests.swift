import Dispatch
import Glibc
import Postgres
import Synchronization
import TestSupport
import Testing

struct PoolTests {
    let database: TestDatabase

    init() throws { database = try TestCluster.shared.emptyDatabase() }

    private func pool(_ maximum: Int, timeout: Duration = .seconds(10)) -> TestPool {
        database.pool {
            $0.maximumConnections = maximum
            $0.checkoutTimeout = timeout
        }
    }

    @Test func sessionsAreOpenedWhenNeededAndUsedAgain() throws {
        let pool = pool(4)
        #expect(pool.statistics.idle == 0)
        let first = try pool.withConnection { $0.processIdentifier }
        let second = try pool.withConnection { $0.processIdentifier }
        #expect(first == second)
        #expect(pool.statistics.idle == 1)
        #expect(pool.statistics.inUse == 0)
        #expect(pool.statistics.checkouts == 2)
    }

    @Test func thereAreNeverMoreThanTheMaximum() throws {
        let pool = pool(4)
        let inside = Atomic(0)
        let most = Atomic(0)
        let processes = Mutex<Set<Int32>>([])
        let workers = (0..<16).map { number in
            Background {
                for round in 0..<60 {
                    try pool.withConnection { connection in
                        let now = inside.add(1, ordering: .relaxed).newValue
                        most.max(now, ordering: .relaxed)
                        let expected = number * 1000 + round
                        let back = try connection.first("select \(expected)") {
                            try $0.next(Int.self)
                        }
                        #expect(back == expected)
                        _ = processes.withLock { $0.insert(connection.processIdentifier) }
                        inside.subtract(1, ordering: .relaxed)
                    }
                }
            }
        }
        for worker in workers { try worker.join(seconds: 60) }
        #expect(most.load(ordering: .relaxed) <= 4)
        #expect(processes.withLock { $0.count } <= 4)
        let statistics = pool.statistics
        #expect(statistics.inUse == 0 && statistics.waiting == 0)
        #expect(statistics.idle <= 4 && statistics.checkouts == 960)
    }

    @Test func waitingEndsWithPoolTimeout() throws {
        let pool = pool(1, timeout: .milliseconds(100))
        let lease = try pool.checkout()
        var error: PostgresError?
        let spent = try milliseconds {
            error = try failure { try pool.withConnection { _ in } }
        }
        #expect(error?.isPoolTimeout == true)
        #expect((80..<2000).contains(spent))
        #expect(pool.statistics.waiting == 0)
        #expect(pool.statistics.totalWait >= .milliseconds(80))
        #expect(pool.statistics.waits == 1 && pool.statistics.timeouts == 1)
        #expect(try lease.connection.execute("select 1") == 1)
        lease.giveBack()
    }

    @Test func waitersAreServedInTheOrderTheyCame() throws {
        let pool = pool(1)
        let order = Mutex<[Int]>([])
        var workers: [Background<Void>] = []
        try pool.withConnection { _ in
            for number in 0..<8 {
                workers.append(
                    Background {
                        try pool.withConnection { _ in order.withLock { $0.append(number) } }
                    })
                try eventually { pool.statistics.waiting == number + 1 }
            }
        }
        for worker in workers { try worker.join() }
        #expect(order.withLock { $0 } == Array(0..<8))
    }

    @Test func aThrowGivesTheSessionBack() throws {
        struct Stop: Error {}
        let pool = pool(1, timeout: .milliseconds(50))
        for _ in 0..<5 {
            #expect(throws: Stop.self) { try pool.withConnection { _ in throw Stop() } }
        }
        #expect(pool.statistics.idle == 1)
    }

    @Test func aBrokenSessionIsReplaced() throws {
        let pool = pool(1)
        let error = try failure {
            try pool.withConnection { connection in
                let process = connection.processIdentifier
                try database.asSuperuser {
                    try $0.execute("select pg_terminate_backend(\(process), 5000)")
                }
                try connection.execute("select 1")
            }
        }
        #expect(error.isConnectionLost)
        #expect(try pool.withConnection { try $0.execute("select 1") } == 1)
    }

    @Test func aSessionThatDiedWhileIdleIsNotHandedOut() throws {
        let pool = pool(3)
        try pool.fill(3)
        #expect(pool.statistics.idle == 3)
        try database.asSuperuser {
            try $0.execute(
                """
                select pg_terminate_backend(pid, 5000) from pg_stat_activity
                where datname = current_database() and pid <> pg_backend_pid()
                """)
        }
        usleep(10_000)
        for _ in 0..<10 {
            #expect(try pool.withConnection { try $0.execute("select 1") } == 1)
        }
        #expect(pool.statistics.idle <= 3)
    }

    @Test func aWaiterGetsThePlaceOfABrokenSession() throws {
        let pool = pool(1)
        let lease = try pool.checkout()
        let waiter = Background { try pool.withConnection { try $0.execute("select 1") } }
        try eventually { pool.statistics.waiting == 1 }
        lease.connection.close()
        lease.giveBack()
        #expect(try waiter.join() == 1)
    }

    @Test func closing() throws {
        let pool = pool(1)
        let lease = try pool.checkout()
        let waiter = Background { try failure { try pool.withConnection { _ in } } }
        try eventually { pool.statistics.waiting == 1 }
        pool.close()
        #expect(try waiter.join().isMisuse)
        #expect(try lease.connection.execute("select 1") == 1)
        lease.giveBack()
        #expect(pool.statistics.idle == 0 && pool.statistics.inUse == 0)
        #expect(try failure { _ = try pool.checkout() }.isMisuse)
    }
}
