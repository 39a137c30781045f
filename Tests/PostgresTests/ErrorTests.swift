import Postgres
import TestSupport
import Testing

/// An error names its SQLSTATE, constraint and statement, and shows no argument in any way.
struct ErrorTests {
    let fixture: Fixture
    var connection: TestConnection { fixture.connection }

    init() throws {
        fixture = try Fixture()
        try fixture.connection.script(
            """
            create table users (id int primary key, email text not null
                constraint users_email_key unique constraint users_email_check check (email <> ''));
            insert into users values (1, 'hunter2@example.com');
            create table shards (id int constraint shards_pkey_102014 primary key, place int constraint place_15 unique);
            insert into shards values (1, 1);
            """)
    }

    private func checkHidden(_ error: PostgresError, _ secret: String) {
        var dumped = ""
        dump(error, to: &dumped)
        for text in [
            "\(error)", String(reflecting: error), "\(error.kind)", String(reflecting: error.kind),
            dumped, "\(error as any Error)", "\(Result<Int, PostgresError>.failure(error))",
            "\(Optional(error) as Any)",
        ] {
            #expect(!text.contains(secret))
        }
    }

    @Test func constraintsAreNamed() throws {
        let secret = "hunter2@example.com"
        let unique = try failure {
            try connection.execute("insert into users values (\(Int32(2)), \(secret))")
        }
        #expect(unique.sqlState == .uniqueViolation)
        #expect(unique.constraint == "users_email_key")
        #expect(
            unique.description == """
                PostgreSQL: error 23505, constraint users_email_key in \
                «insert into users values ($1, $2)»
                """)
        checkHidden(unique, secret)
        let check = try failure {
            try connection.execute("insert into users values (\(Int32(3)), \(""))")
        }
        #expect(check.sqlState == .checkViolation)
        #expect(check.constraint == "users_email_check")
        let missing = try failure {
            try connection.execute("insert into users values (\(Int32(3)), \(nil as String?))")
        }
        #expect(missing.sqlState == .notNullViolation)
        #expect(missing.constraint == nil)
    }

    @Test func aShardsNumberIsNoPartOfAConstraintsName() throws {
        let shard = try failure { try connection.execute("insert into shards values (1, 2)") }
        #expect(shard.constraint == "shards_pkey")
        let other = try failure { try connection.execute("insert into shards values (2, 1)") }
        #expect(other.constraint == "place_15")
    }

    @Test func messagesThatQuoteValuesStayOutOfDescriptions() throws {
        let error = try failure { try connection.execute("select (\("hunter2"))::int") }
        #expect(error.sqlState == "22P02")
        #expect(error.message?.contains("hunter2") == true)
        checkHidden(error, "hunter2")
    }

    @Test func syntaxErrorsHaveAPosition() throws {
        let error = try failure { try connection.execute("select 1 fron users") }
        #expect(error.sqlState == "42601")
        #expect(error.position == 15)
    }

    @Test func theSessionGoesOnAfterAnError() throws {
        for _ in 0..<3 {
            #expect(throws: PostgresError.self) { try connection.execute("select 1/\(0)") }
            #expect(try connection.first("select \(1)") { try $0.next(Int.self) } == 1)
        }
    }

    @Test func aDeferredConstraintFailsAStatementOfItsOwnTransaction() throws {
        try connection.script(
            """
            create table child (id int, parent int constraint child_parent_fkey
                references users (id) deferrable initially deferred);
            """)
        // PostgreSQL reports the insert as done and fails while committing it.
        let error = try failure {
            try connection.execute("insert into child values (1, \(Int32(99)))")
        }
        #expect(error.sqlState == .foreignKeyViolation)
        #expect(error.constraint == "child_parent_fkey")
        #expect(try connection.first("select count(*) from child") { try $0.next(Int.self) } == 0)
    }

    @Test func copyIsRefused() throws {
        for text in ["copy users from stdin", "copy users to stdout"] as [SQL] {
            let connection = try fixture.database.open()
            let error = try failure { try connection.execute(text) }
            #expect(error.isMisuse || error.isConnectionLost || error.sqlState != nil)
        }
        let script = try failure { try connection.script("copy users from stdin") }
        #expect(script.isMisuse)
    }

    @Test func aMalformedURLDoesNotShowItsPassword() throws {
        let configuration = ConnectionConfiguration(url: "postgresql://u:hunter2@[bad/x")
        let error = try failure {
            _ = try TestConnection(configuration)
        }
        #expect(error.isMisuse)
        checkHidden(error, "hunter2")
        var dumped = "\(configuration)"
        dump(PoolConfiguration(connection: configuration), to: &dumped)
        #expect(!dumped.contains("hunter2"))
    }

    @Test func noticesGoToTheLogWithoutTheirText() throws {
        let recorder = LogRecorder()
        let connection = try fixture.database.open(logger: recorder.logger)
        try connection.script(
            "do $$ begin raise notice 'hunter2'; raise warning 'hunter2' using errcode = 'XX123'; end $$"
        )
        #expect(recorder.all.count == 2)
        #expect(recorder.all.contains { $0.contains("warning") && $0.contains("XX123") })
        #expect(!recorder.all.contains { $0.contains("hunter2") })
    }
}
