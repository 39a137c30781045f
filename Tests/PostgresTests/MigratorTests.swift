import Foundation
import Postgres
import TestSupport
import Testing

/// A directory of migrations of one test.
final class MigrationFiles {
    let path: String

    init(_ files: [String: String]) throws {
        path = "/tmp/bbmigrations.\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for (name, text) in files { try write(name, text) }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ name: String, _ text: String) throws {
        try text.write(toFile: "\(path)/\(name)", atomically: true, encoding: .utf8)
    }

    func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: "\(path)/\(name)")
    }
}

struct MigratorTests {
    let fixture: Fixture
    let files: MigrationFiles
    var connection: TestConnection { fixture.connection }

    init() throws {
        fixture = try Fixture()
        files = try MigrationFiles([
            "001_first.sql": "create table log (n int); insert into log values (1);",
            "002_second.sql": "insert into log values (2); -- ; commit",
            "003_third.sql": "insert into log values (3);",
            "README.md": "not a migration",
        ])
    }

    private func log() throws -> [Int] {
        try connection.rows("select n from log order by n") { try $0.next(Int.self) }
    }

    private func migrate(to version: Int? = nil) throws -> [String] {
        try Migrator(directory: files.path).migrate(connection, to: version).map(\.fileName)
    }

    private func refusal(
        sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
    ) throws -> String {
        let error = try #require(
            #expect(throws: MigrationError.self, sourceLocation: sourceLocation, performing: body))
        return error.description
    }

    @Test func filesAreAppliedOnceInOrder() throws {
        let migrator = try Migrator(directory: files.path)
        #expect(migrator.migrations.map(\.version) == [1, 2, 3])
        #expect(try migrator.pending(connection).map(\.name) == ["first", "second", "third"])
        #expect(try migrate() == ["001_first.sql", "002_second.sql", "003_third.sql"])
        #expect(try log() == [1, 2, 3])
        #expect(try migrator.pending(connection) == [])
        #expect(try migrate() == [])
        #expect(try log() == [1, 2, 3])
        let rows = try connection.rows(
            """
            select version, name, encode(checksum, 'hex'), applied_at > now() - interval '1 minute'
            from schema_migrations order by version
            """
        ) { row in
            "\(try row.next(Int.self)) \(try row.next(String.self)) "
                + "\(try row.next(String.self)) \(try row.next(Bool.self))"
        }
        // printf '%s' 'insert into log values (3);' | sha256sum
        #expect(rows.count == 3)
        #expect(rows.last?.hasPrefix("3 third ") == true)
        #expect(rows.last?.hasSuffix(" true") == true)
    }

    @Test func partOfTheWay() throws {
        #expect(try migrate(to: 2) == ["001_first.sql", "002_second.sql"])
        #expect(try Migrator(directory: files.path).pending(connection).map(\.version) == [3])
        #expect(try migrate(to: 1) == [])
        #expect(try migrate() == ["003_third.sql"])
        #expect(try refusal { _ = try migrate(to: 4) } == "there is no migration 4")
    }

    @Test func aFileThatFailsLeavesNothing() throws {
        try files.write(
            "002_second.sql", "insert into log values (2);\n\ninsert into nowhere values (1);\n")
        let message = try refusal { _ = try migrate() }
        #expect(message.hasPrefix("002_second.sql:3: error 42P01"))
        #expect(message.contains("nowhere"))
        #expect(try log() == [1])
        try files.write("002_second.sql", "insert into log values (2)")
        #expect(try migrate() == ["002_second.sql", "003_third.sql"])
        #expect(try log() == [1, 2, 3])
    }

    @Test func whatAMigrationRaisesIsShown() throws {
        try files.write(
            "002_second.sql", "do $$ begin raise exception 'child 42 has no family'; end $$;")
        #expect(try refusal { _ = try migrate() }.contains("child 42 has no family"))
    }

    @Test func severalAtOnceAreSafe() throws {
        try files.write("002_second.sql", "select pg_sleep(0.3); insert into log values (2);")
        let path = files.path
        let database = fixture.database
        let workers = (0..<4).map { _ in
            Background {
                let connection = try database.open {
                    $0.lockTimeout = .milliseconds(50)
                    $0.statementTimeout = .milliseconds(100)
                    $0.responseTimeout = .milliseconds(150)
                }
                return try Migrator(directory: path).migrate(connection).count
            }
        }
        #expect(try workers.map { try $0.join() }.sorted() == [0, 0, 0, 3])
        #expect(try log() == [1, 2, 3])
    }

    @Test func aLockInTheWayIsWaitedForWithoutHoldingUpOthers() throws {
        _ = try migrate(to: 2)
        try files.write("003_third.sql", "alter table log add column t text")
        let path = files.path
        let database = fixture.database
        let blocker = try database.open()
        let migration = try blocker.transaction {
            _ = try blocker.rows("select n from log") { try $0.next(Int.self) }
            let migration = Background {
                try Migrator(directory: path).migrate(try database.open()).count
            }
            // Reads queue behind the migration's lock, but never for long.
            for _ in 0..<8 {
                let reader = try database.open { $0.lockTimeout = .seconds(4) }
                #expect(try reader.rows("select n from log") { try $0.next(Int.self) }.count == 2)
                usleep(150_000)
            }
            return migration
        }
        #expect(try migration.join() == 1)
    }

    @Test func aLockThatStaysInTheWayEndsTheMigration() throws {
        _ = try migrate(to: 2)
        try files.write("003_third.sql", "alter table log add column t text")
        let blocker = try fixture.database.open()
        try blocker.transaction {
            _ = try blocker.rows("select n from log") { try $0.next(Int.self) }
            let message = try refusal {
                _ = try Migrator(directory: files.path).migrate(connection, patience: .seconds(1))
            }
            #expect(message.hasPrefix("003_third.sql"))
            #expect(message.contains("55P03"))
        }
        #expect(try migrate() == ["003_third.sql"])
    }

    @Test func aChangedFileIsRefused() throws {
        _ = try migrate()
        try files.write("002_second.sql", "insert into log values (22)")
        #expect(
            try refusal { _ = try migrate() } == "002_second.sql was changed after it was applied")
        #expect(
            try refusal { _ = try Migrator(directory: files.path).pending(connection) }.hasPrefix(
                "002_second"))
        // Refusing leaves no lock behind.
        try files.write("002_second.sql", "insert into log values (2); -- ; commit")
        let other = try fixture.database.open { $0.responseTimeout = .seconds(2) }
        #expect(try Migrator(directory: files.path).migrate(other) == [])
    }

    @Test func aVanishedFileIsRefused() throws {
        _ = try migrate(to: 2)
        try files.remove("002_second.sql")
        try files.write("002_other.sql", "insert into log values (2); -- ; commit")
        #expect(try refusal { _ = try migrate() } == "002_second.sql was applied but is missing")
        #expect(try log() == [1, 2])
    }

    @Test func aNewerDatabaseIsRefused() throws {
        _ = try migrate()
        try files.remove("003_third.sql")
        #expect(
            try refusal { _ = try migrate() }
                == "the database is newer than these migrations: it has 003_third.sql")
    }

    @Test func gapsAndDuplicatesAreRefused() throws {
        try files.write("005_fifth.sql", "")
        #expect(try refusal { _ = try migrate() } == "migration 4 is missing")
        try files.remove("005_fifth.sql")
        try files.write("003_again.sql", "")
        #expect(try refusal { _ = try migrate() } == "two migrations have the number 3")
    }

    @Test(arguments: ["4_x.sql", "004.sql", "004-x.sql", "x.sql", "004_.sql"])
    func badNamesAreRefused(_ name: String) throws {
        try files.write(name, "")
        #expect(try refusal { _ = try migrate() }.hasPrefix(name))
    }

    @Test func aMissingDirectoryIsNamed() throws {
        #expect(
            try refusal { _ = try Migrator(directory: "/nonexistent/sql") }
                == "/nonexistent/sql can't be read")
    }

    /// A file is one transaction, and has no say in that.
    @Test(arguments: [
        "commit", "create table a (); COMMIT; select 1", "/* x /* y */ */ Rollback;", "select 'it''s'; end",
        "select E'\\''; abort",
    ])
    func transactionControlIsRefused(_ text: String) throws {
        try files.write("004_control.sql", text)
        let message = try refusal { _ = try migrate() }
        #expect(message.hasPrefix("004_control.sql"))
        #expect(message.contains("transaction control"))
        #expect(
            try fixture.database.open().first("select max(version) from schema_migrations") { try $0.next(Int.self) }
                == 3)
    }

    @Test(arguments: [
        "select 'x; commit;'", "select $$; commit; $$", "do $a$ begin perform 1; end $a$",
        "select 1; -- commit;\n", "/* ; commit; /* ; begin */ ; end */ select 1",
        "create function f() returns int language plpgsql as $f$ begin return 1; end; $f$;",
        "", ";;", "select case when true then 1 end;",
    ])
    func whatOnlyLooksLikeItIsNot(_ text: String) throws {
        try files.write("004_harmless.sql", text)
        #expect(try migrate().last == "004_harmless.sql")
    }

    @Test func theSearchPathOfAFileIsItsOwn() throws {
        try files.write("004_path.sql", "create schema s; set search_path = s; create table x ()")
        try files.write("005_next.sql", "insert into log values (5)")
        #expect(try migrate().count == 5)
    }

    @Test func anotherRoleMayAskWhatIsPending() throws {
        _ = try migrate(to: 2)
        let pending = try fixture.database.asServer {
            try Migrator(directory: files.path).pending($0).map(\.version)
        }
        #expect(pending == [3])
    }
}
