import Postgres
import TestSupport
import Testing

/// Statements are prepared once, forgotten with their connection, and survive changed schemas.
struct StatementTests {
    private func serverCount(_ connection: TestConnection) throws -> Int {
        try #require(
            try connection.first("select count(*) from pg_prepared_statements") {
                try $0.next(Int.self)
            })
    }

    @Test func aTextIsPreparedOnce() throws {
        let fixture = try Fixture()
        for number in 0..<10 {
            let back = try fixture.connection.first("select \(number)") { try $0.next(Int.self) }
            #expect(back == number)
        }
        #expect(try serverCount(fixture.connection) == 2)
        #expect(fixture.connection.preparedStatements == 2)
    }

    @Test func oneTextWithOtherTypesIsAnotherStatement() throws {
        let fixture = try Fixture()
        for _ in 0..<2 {
            #expect(try fixture.connection.first("select \(1)") { try $0.next(Int.self) } == 1)
            #expect(try fixture.connection.first("select \("x")") { try $0.next(String.self) } == "x")
            #expect(try fixture.connection.first("select \(true)") { try $0.next(Bool.self) } == true)
        }
        #expect(fixture.connection.preparedStatements == 3)
    }

    @Test func theirNumberIsBounded() throws {
        let fixture = try Fixture { $0.maximumStatements = 5 }
        for number in 0..<40 {
            try fixture.connection.execute("select 'kept'")
            try fixture.connection.execute("select \(unescaped: String(number))")
            #expect(fixture.connection.preparedStatements <= 5)
        }
        #expect(try serverCount(fixture.connection) <= 5)
        try fixture.connection.transaction {
            for number in 100..<120 {
                try fixture.connection.enqueue("select \(unescaped: String(number))")
                try fixture.connection.execute("select \(unescaped: String(number + 100))")
            }
        }
        #expect(try serverCount(fixture.connection) <= 5)
    }

    @Test func aStatementThatFailsToPrepareIsNotKept() throws {
        let fixture = try Fixture()
        let error = try failure { try fixture.connection.execute("select * from missing") }
        #expect(error.sqlState == .undefinedTable)
        #expect(fixture.connection.preparedStatements == 0)
        try fixture.connection.execute("create table missing (a int)")
        #expect(try fixture.connection.execute("select * from missing") == 0)
    }

    @Test func theyAreMadeAnewAfterAReconnect() throws {
        let database = try TestCluster.shared.emptyDatabase()
        let pool = database.pool { $0.maximumConnections = 1 }
        let processes = try (0..<2).map { _ in
            try pool.withConnection { connection in
                #expect(try connection.first("select \(7)") { try $0.next(Int.self) } == 7)
                let process = connection.processIdentifier
                try database.asSuperuser {
                    try $0.execute("select pg_terminate_backend(\(process))")
                }
                #expect(throws: PostgresError.self) { try connection.execute("select \(7)") }
                return process
            }
        }
        #expect(processes[0] != processes[1])
    }

    @Test func aChangedTableIsNoticedOnce() throws {
        let fixture = try Fixture()
        let connection = fixture.connection
        try connection.script("create table t (a int); insert into t values (1)")
        let read = { try connection.first("select * from t") { try $0.next(Int.self) } }
        #expect(try read() == 1)
        try fixture.database.execute("alter table t alter a type bigint")
        #expect(try read() == 1)

        // As the first statement of a transaction, with another queued before it.
        try fixture.database.execute("alter table t add b text default 'x'")
        let inside = try connection.transaction {
            try connection.enqueue("update t set a = a + 1")
            return try read()
        }
        #expect(inside == 2)
        #expect(try read() == 2, "what was queued was done once")
    }

    @Test func aChangedTableInsideATransactionIsAnErrorOnce() throws {
        let fixture = try Fixture()
        let connection = fixture.connection
        try connection.script("create table t (a int); insert into t values (1)")
        let read = { try connection.first("select * from t") { try $0.next(Int.self) } }
        #expect(try read() == 1)
        try fixture.database.execute("alter table t alter a type bigint")
        let error = try failure {
            try connection.transaction {
                try connection.execute("select 1")
                _ = try read()
            }
        }
        #expect(error.sqlState == .featureNotSupported)
        let again = try connection.transaction {
            try connection.execute("select 1")
            return try read()
        }
        #expect(again == 1)
    }

    @Test func statementsThatSomebodyDeallocatedAreMadeAnew() throws {
        let fixture = try Fixture()
        #expect(try fixture.connection.first("select \(1)") { try $0.next(Int.self) } == 1)
        try fixture.connection.script("deallocate all")
        #expect(try fixture.connection.first("select \(2)") { try $0.next(Int.self) } == 2)
        try fixture.connection.script("deallocate all")
        let third = try fixture.connection.transaction {
            try fixture.connection.first("select \(3)") { try $0.next(Int.self) }
        }
        #expect(third == 3)
        #expect(try serverCount(fixture.connection) == fixture.connection.preparedStatements)
    }

    @Test func settingsOfTheSession() throws {
        let fixture = try Fixture {
            $0.url += "&options=-c%20work_mem%3D5MB"
            $0.planCacheMode = .forceCustomPlan
            $0.findsRowsByIndex = true
            $0.applicationName = "tests of it"
        }
        let expected = [
            "work_mem": "5MB", "plan_cache_mode": "force_custom_plan", "enable_seqscan": "off",
            "jit": "off",
            "TimeZone": "UTC",
            "application_name": "tests of it", "client_encoding": "UTF8",
            "statement_timeout": "10s", "lock_timeout": "5s",
            "idle_in_transaction_session_timeout": "10s", "standard_conforming_strings": "on",
        ]
        for (name, value) in expected {
            let actual = try fixture.connection.first("select current_setting(\(name))") {
                try $0.next(String.self)
            }
            #expect(actual == value, "\(name)")
        }
    }
}
