import ArgumentParser
import BabyBasicsServer
import Configuration
import Logging
import Postgres

struct Purge: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Remove for good what was deleted over 30 days ago and what has expired.",
        discussion:
            """
            Only DATABASE_URL is needed; the server's role is enough. Run it once a day. It removes a few rows at a time, so it can be \
            interrupted, and run while the server works or another purge does.
            """)

    @Flag(help: "Count what would be removed, and remove nothing.")
    var dryRun = false

    @Option(help: "Rows to remove in one transaction, 1 to 100000.")
    var batch = 1000

    func validate() throws {
        guard (1...100_000).contains(batch) else {
            throw ValidationError("--batch must be from 1 to 100000")
        }
    }

    func run() throws {
        let reader = try ConfigReader.ofThisProcess()
        let url = try reader.required("DATABASE_URL")
        let session = try Session(
            SessionConfiguration(url: url), logger: Environment.logger(level: .warning))
        let purge = BabyBasicsServer.Purge(
            session: session, now: BabyBasicsServer.Purge.now, batch: batch)
        let report = try dryRun ? purge.rehearse() : purge.run()
        let verb = dryRun ? "would remove" : "removed"
        print("\(verb) \(report.events) events and \(report.tombstones) tombstones")
        print("\(verb) \(report.sessions) expired sessions")
        print("\(verb) \(report.counters) counters of requests and sign-ins")
        print("\(verb) \(report.answers) kept answers")
        if report.busyFamilies > 0 {
            print("\(report.busyFamilies) families were locked; the next run will do them")
        }
    }
}
