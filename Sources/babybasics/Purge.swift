import ArgumentParser
import BabyBasicsServer
import Configuration
import EventLoop
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
        let logger = Environment.logger(level: .warning)
        let report = try EventLoop.run { [batch, dryRun] loop in
            let connection = try await Connection.open(
                ConnectionConfiguration(url: url), on: loop, logger: logger)
            let purge = BabyBasicsServer.Purge(
                connection: connection, now: BabyBasicsServer.Purge.now, batch: batch)
            return try await dryRun ? purge.rehearse() : purge.run()
        }
        let verb = dryRun ? "would remove" : "removed"
        print("\(verb) \(report.members) members whose time was over")
        print("\(verb) \(report.events) events, \(report.plans) plans and \(report.tombstones) tombstones")
        print("\(verb) \(report.sessions) expired sessions")
        print("\(verb) \(report.counters) counters of requests and sign-ins")
        print("\(verb) \(report.mail) mailed links and mails that are over")
        print("\(verb) \(report.pushes) pushes that are over")
        print(
            "\(verb) \(report.tokens) expired tokens and \(report.deliveries) calls of webhooks that nobody can look at"
        )
        if report.busyFamilies > 0 {
            print("\(report.busyFamilies) families were locked; the next run will do them")
        }
    }
}
