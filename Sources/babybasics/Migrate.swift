import ArgumentParser
import BabyBasicsServer
import Configuration
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

    func run() throws {
        let reader = try ConfigReader.ofThisProcess()
        let url = try reader.required("DATABASE_URL")
        let session = try Session(
            SessionConfiguration(url: url), logger: Environment.logger(level: .warning))
        let applied = try Migrator(directory: directory).migrate(session, to: to)
        for migration in applied { print("applied \(migration.name)") }
        if applied.isEmpty { print("nothing to do") }
    }
}
