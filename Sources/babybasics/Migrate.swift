import ArgumentParser
import BabyBasicsServer
import Configuration
import EventLoop
import Logging
import Postgres

struct Migrate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Bring the database's schema to the version of this release.",
        discussion:
            "DATABASE_URL must be the owner's, not the server's. Safe to run again and by several at once."
    )

    @Option(help: "The directory of the numbered migrations.")
    var directory = "sql"

    @Option(help: "Stop after this migration instead of the last.")
    var to: Int?

    @Flag(
        help: """
            Accept a database that a newer release has migrated: migrations are compatible with the release before them, \
            so this one can be put back.
            """)
    var allowNewer = false

    func run() throws {
        let reader = try ConfigReader.ofThisProcess()
        let url = try reader.required("DATABASE_URL")
        let logger = Environment.logger(level: .warning)
        let applied: [Migration]
        do {
            applied = try EventLoop.run { [directory, to] loop in
                let connection = try await Connection.open(
                    ConnectionConfiguration(url: url), on: loop, logger: logger)
                return try await Migrator(directory: directory).migrate(connection, to: to)
            }
        } catch MigrationError.databaseIsNewer(let fileName) where allowNewer {
            // Found after all of this release's were found as they are here.
            print("the database is newer: it has \(fileName)")
            return
        }
        for migration in applied { print("applied \(migration.name)") }
        if applied.isEmpty { print("nothing to do") }
    }
}
