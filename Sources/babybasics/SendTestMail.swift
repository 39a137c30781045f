import ArgumentParser
import BabyBasicsServer

struct SendTestMail: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send-test-mail",
        abstract: "Send a mail with this environment's SMTP_URL and MAIL_FROM, at once, and say what came of it.")

    @Argument(help: "The mailbox to send it to.")
    var address: String

    func run() throws {
        let environment = try Environment(.ofThisProcess())
        guard environment.server.mail != nil else { throw ConfigurationError("SMTP_URL is not set") }
        guard try environment.server.sendTestMail(to: address) else {
            throw ValidationError("the address is no mailbox")
        }
        print("The mail server took it.")
    }
}
