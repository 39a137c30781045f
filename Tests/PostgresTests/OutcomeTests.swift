import EventLoop
import Glibc
import Postgres
import TestSupport
import Testing

/// Where a connection breaks decides what is known about the work.
struct OutcomeTests {
    let database: TestDatabase

    init() throws {
        database = try TestCluster.shared.emptyDatabase()
        // Committing takes as long as the deferred trigger sleeps.
        try database.script(
            """
            create table t (a int);
            create table slow (a int);
            create function doze() returns trigger language plpgsql as
                $$ begin perform pg_sleep(5); return null; end $$;
            create constraint trigger doze after insert on slow
                deferrable initially deferred for each row execute function doze();
            """)
    }

    /// Runs `body` on a connection and ends its server process when it is at `wait`.
    private func interrupted(
        whenWaitingFor wait: String, _ body: @escaping @Sendable (TestConnection) throws -> Void
    ) throws -> PostgresError {
        let database = database
        let worker = Background {
            let connection = try database.open()
            return try failure { try body(connection) }
        }
        try database.asSuperuser { connection in
            try eventually {
                try connection.execute(
                    """
                    select pg_terminate_backend(pid) from pg_stat_activity
                    where datname = current_database() and wait_event = \(wait)
                    """) > 0
            }
        }
        return try worker.join()
    }

    @Test func lostDuringCommitIsUnknown() throws {
        let error = try interrupted(whenWaitingFor: "PgSleep") { connection in
            try connection.transaction {
                try connection.execute("insert into t values (1)")
                try connection.execute("insert into slow values (1)")
            }
        }
        #expect(error.isOutcomeUnknown)
    }

    @Test func lostDuringCommitWithAQueuedStatementIsUnknown() throws {
        let error = try interrupted(whenWaitingFor: "PgSleep") { connection in
            try connection.transaction { try connection.enqueue("insert into slow values (1)") }
        }
        #expect(error.isOutcomeUnknown)
    }

    @Test func lostDuringAWriteOutsideATransactionIsUnknown() throws {
        let error = try interrupted(whenWaitingFor: "PgSleep") { connection in
            try connection.execute("insert into t select 1 from pg_sleep(5)")
        }
        #expect(error.isOutcomeUnknown)
        let script = try interrupted(whenWaitingFor: "PgSleep") { connection in
            try connection.script("insert into t select 1 from pg_sleep(5)")
        }
        #expect(script.isOutcomeUnknown)
    }

    @Test func lostInsideATransactionIsCertain() throws {
        let error = try interrupted(whenWaitingFor: "PgSleep") { connection in
            try connection.transaction {
                try connection.execute("insert into t values (1)")
                try connection.execute("insert into t select 1 from pg_sleep(5)")
            }
        }
        #expect(error.isConnectionLost)
        let begin = try interrupted(whenWaitingFor: "PgSleep") { connection in
            try connection.transaction {
                _ = try connection.execute("insert into t select 1 from pg_sleep(5)")
            }
        }
        #expect(begin.isConnectionLost)
    }

    @Test func lostDuringAReadIsCertain() throws {
        let error = try interrupted(whenWaitingFor: "PgSleep") { connection in
            try connection.execute("\n  SELECT pg_sleep(5)")
        }
        #expect(error.isConnectionLost)
    }

    @Test func aSwallowedLossDoesNotCommitElsewhere() throws {
        let connection = try database.open()
        let process = connection.processIdentifier
        let error = try failure {
            try connection.transaction {
                try connection.execute("insert into t values (1)")
                try database.asSuperuser {
                    try $0.execute("select pg_terminate_backend(\(process), 5000)")
                }
                _ = try? connection.execute("select 1")
                _ = try? connection.execute("insert into t values (2)")
            }
        }
        #expect(error.isConnectionLost)
        #expect(try failure { try connection.execute("select 1") }.isConnectionLost)
        let count = try database.asOwner {
            try $0.first("select count(*) from t") {
                try $0.next(Int.self)
            }
        }
        #expect(count == 0)
    }

    @Test func queueingAfterALossIsCertain() throws {
        let connection = try database.open()
        let process = connection.processIdentifier
        let error = try failure {
            try connection.transaction {
                try connection.execute("insert into t values (1)")
                try database.asSuperuser {
                    try $0.execute("select pg_terminate_backend(\(process), 5000)")
                }
                try eventually { !connection.isInTransaction }
                try connection.enqueue("insert into t values (2)")
            }
        }
        #expect(error.isConnectionLost)
    }

    @Test func waitingTooLongInsideATransactionIsCertain() throws {
        let connection = try database.open { $0.idleInTransactionTimeout = .milliseconds(50) }
        let error = try failure {
            try connection.transaction {
                try connection.execute("insert into t values (1)")
                try eventually {
                    try database.asSuperuser {
                        try $0.execute(
                            "select 1 from pg_stat_activity where pid = \(connection.processIdentifier)"
                        )
                            == 0
                    }
                }
            }
        }
        #expect(error.isConnectionLost)
    }

    /// PostgreSQL has said that it leaves, and has not hung up: what it still has to do takes it long.
    @Test func aServerThatTakesLongToLeaveIsCertain() throws {
        let connection = try database.open { $0.idleInTransactionTimeout = .milliseconds(50) }
        try connection.script("create temporary table kept (a int)")
        let schema = try #require(
            try connection.first("select relnamespace::regnamespace::text from pg_class where relname = 'kept'") {
                try $0.next(String.self)
            })
        let error = try database.asSuperuser { superuser in
            try superuser.transaction {
                // The session waits for this before it can drop its table.
                try superuser.script("lock table \(schema).kept in access share mode")
                return try failure {
                    try connection.transaction {
                        try connection.execute("insert into t values (1)")
                        usleep(500_000)
                    }
                }
            }
        }
        #expect(error.isConnectionLost)
    }

    /// What PostgreSQL said before it hung up is not read yet when COMMIT is sent.
    @Test func itIsCertainWhereOnlySendingFindsItOut() throws {
        // A loop of its own, which stays: what is closed late is closed on it.
        let loop = TestLoop.start()
        var configuration = ConnectionConfiguration(url: database.ownerURL)
        configuration.idleInTransactionTimeout = .milliseconds(50)
        let owner = try TestConnection(configuration, on: loop)
        let connection = owner.connection
        let error = try failure {
            try loop.wait {
                try await connection.transaction {
                    try await connection.execute("insert into t values (1)")
                    // The loop sees nothing while its thread sleeps.
                    usleep(500_000)
                }
            }
        }
        #expect(error.isConnectionLost)
        owner.close()
    }

    /// Transactions that wait for a standby that does not exist.
    @Test func aCancelledWaitForTheStandbyIsUnknown() throws {
        let cluster = try TestCluster.start()
        let url = cluster.superuserURL()
        let setUp = try TestConnection(ConnectionConfiguration(url: url))
        try setUp.script("set synchronous_commit = local; create table t (a int)")
        try setUp.requireMissingStandby()
        let writes: [@Sendable (TestConnection) throws -> Void] = [
            { try $0.execute("insert into t values (1)") },
            { connection in
                try connection.transaction { _ = try connection.execute("insert into t values (2)") }
            },
            { connection in try connection.transaction { try connection.enqueue("insert into t values (3)") }
            },
            { try $0.script("insert into t values (4)") },
        ]
        for (index, write) in writes.enumerated() {
            let worker = Background {
                let connection = try TestConnection(
                    ConnectionConfiguration(url: url))
                return try failure { try write(connection) }
            }
            try setUp.cancelStandbyWait()
            #expect(try worker.join().isOutcomeUnknown)
            let count = try setUp.first("select count(*) from t") { try $0.next(Int.self) }
            #expect(count == index + 1, "it is committed here all the same")
        }
    }

    /// A primary whose standby was promoted behind its back can acknowledge nothing: the pool leaves it.
    @Test func afterACancelledWaitTheNextHostIsTriedFirst() throws {
        let first = try TestCluster.start(settings: ["cluster_name": "first"])
        let second = try TestCluster.start(settings: ["cluster_name": "second"])
        let setUp = try TestConnection(
            ConnectionConfiguration(url: first.superuserURL()))
        try setUp.requireMissingStandby()
        let url =
            "postgresql:///postgres?host=\(first.socketDirectory),\(second.socketDirectory)"
            + "&port=5432&user=postgres&target_session_attrs=read-write"
        let pool = TestPool(configuration: PoolConfiguration(url: url))
        func name() throws -> String? {
            try pool.withConnection { connection in
                try connection.first("select current_setting('cluster_name')") {
                    try $0.next(String.self)
                }
            }
        }
        #expect(try name() == "first")
        let write = Background {
            try failure { try pool.withConnection { try $0.script("create table t (a int)") } }
        }
        try setUp.cancelStandbyWait()
        #expect(try write.join().isOutcomeUnknown)
        #expect(try name() == "second")
    }

    @Test func otherWarningsAreNotMistakenForIt() throws {
        try database.script(
            """
            create function warn() returns trigger language plpgsql as
                $$ begin raise warning 'beware'; return null; end $$;
            create constraint trigger warn after insert on t
                deferrable initially deferred for each row execute function warn();
            """)
        let connection = try database.open()
        try connection.execute("insert into t values (1)")
        try connection.transaction { try connection.execute("insert into t values (1)") }
    }
}
