import ArgumentParser
import BabyBasicsAPI
import BabyBasicsClient
import Foundation

@main
struct Demo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "babybasics-demo",
        abstract: "Fills a Baby Basics server with a family to look at, through its API.",
        discussion: """
            Makes two parents, a caregiver, a family and a child with days of all that parents log, which end now, \
            and prints the logins and a tour. Run again with the same seed it completes what is missing and adds nothing. \
            The passwords follow from the seed: for a server of your own, not for one that others use.
            """)

    @Option(help: "The server's address.")
    var url = "https://localhost:8443"

    @Option(
        help: ArgumentHelp(
            "The certificate authority of the server, PEM, if the system does not trust it.",
            valueName: "file"))
    var ca: String?

    @Option(help: "Another seed makes another family.")
    var seed = 1

    @Option(help: "How many days of history, 1 to \(Scenario.age).")
    var days = 90

    func validate() throws {
        guard (1...Scenario.age).contains(days) else {
            throw ValidationError("--days must be 1 to \(Scenario.age), the child's age")
        }
        if let ca, !FileManager.default.isReadableFile(atPath: ca) {
            throw ValidationError("--ca \(ca) cannot be read")
        }
    }

    func run() async throws {
        let progress = Progress()
        do {
            try await run(progress)
        } catch {
            progress.finish()
            guard (error as? TransportFailure)?.reason == .untrustedServer else { throw error }
            throw Complaint("\(error)\nname the server's certificate authority with --ca FILE")
        }
    }

    private func run(_ progress: Progress) async throws {
        guard let address = URL(string: url) else { throw Complaint("\(url) is not an address") }
        guard let zone = TimeZone(identifier: Scenario.zoneName) else {
            throw Complaint("this machine knows no time zones (package tzdata)")
        }
        let retries = RetryPolicy(
            tries: 8, totalTime: .seconds(180),
            onPause: { pause, failure in
                let seconds = max(1, pause.components.seconds)
                progress.say("Going on in \(seconds) s: \(failure)")
            })
        let client = APIClient(address, retries: retries, transport: transport)
        let scenario = Scenario(seed: seed)
        let household = try await Household(
            scenario: scenario, client: client, progress: progress
        ).settle()
        let events = scenario.history(until: household.child.createdAt, zone: zone)
            .events(lastDays: days)
        let count = try await Upload(
            clients: household.clients, child: household.child.id, progress: progress
        ).send(events)
        progress.finish()
        print(
            Tour(
                scenario: scenario, url: url, certificateAuthority: ca, household: household,
                events: count))
    }

    private var transport: Transport {
        ca.map { .curl(certificateAuthority: URL(fileURLWithPath: $0)) } ?? .urlSession()
    }
}
