import ArgumentParser
import BabyBasicsServer
import Curl

struct CheckConfig: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-config",
        abstract:
            "Say whether a worker could start with this environment, and what is wrong if not.",
        discussion: "Where the server sends mail it also connects to the mail server and signs in.")

    @Flag(help: "Connect to nobody.")
    var offline = false

    func run() throws {
        let environment = try Environment(.ofThisProcess())
        print("The configuration is complete.")
        guard !offline, let mail = environment.server.mail else { return }
        do throws(MailFailure) {
            try MailConnection(mail.server, timeLimit: .seconds(20)).check()
        } catch {
            throw ConfigurationError("SMTP_URL: \(error)")
        }
        print("The mail server takes us.")
    }
}
