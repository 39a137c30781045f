import ArgumentParser
import BabyBasicsAPI
import BabyBasicsServer
import Configuration
import EventLoop
import Logging
import Postgres

struct User: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "See the accounts; disable one, enable it again, make a link for a forgotten password.",
        discussion: "DATABASE_URL is needed; the server's role is enough. No password is ever read or shown.",
        subcommands: [List.self, Disable.self, Enable.self, ResetLink.self])

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print every account as a line of columns, separated by tabs.")

        func run() throws {
            try administer {
                print("email\tname\tsince\tconfirmed\tlast seen\tdevices\tfamilies\tstate")
                try await $0.list { print($0.line) }
            }
        }
    }

    struct Disable: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sign an account out everywhere and let nobody in. What it logged stays.",
            discussion: "Whoever tries to sign in is answered as with a wrong password.")

        @Argument(help: "The account's email.")
        var email: String

        func run() throws {
            let email = email
            try administer {
                print(try await $0.disable(email) ? "The account is disabled." : "The account was disabled already.")
            }
        }
    }

    struct Enable: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Let a disabled account in again, with the password that it had.")

        @Argument(help: "The account's email.")
        var email: String

        func run() throws {
            let email = email
            try administer {
                print(try await $0.enable(email) ? "The account is enabled." : "The account was not disabled.")
            }
        }
    }

    struct ResetLink: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print a link to choose a new password by, for a server without mail.",
            discussion: "BASE_URL is needed, too. The link works once, for 60 minutes; a newer one ends it.")

        @Argument(help: "The account's email.")
        var email: String

        func run() throws {
            let baseURL = try ServerConfiguration.baseURL(.ofThisProcess())
            let email = email
            try administer { print(try await $0.resetLink(email, baseURL: baseURL)) }
        }
    }
}

/// - Throws: `ValidationError` for what the account itself stands in the way of.
private func administer(_ act: @escaping @Sendable (AccountAdministration) async throws -> Void) throws {
    let url = try ConfigReader.ofThisProcess().required("DATABASE_URL")
    let logger = Environment.logger(level: .warning)
    do {
        try EventLoop.run { loop in
            let connection = try await Connection.open(ConnectionConfiguration(url: url), on: loop, logger: logger)
            try await act(AccountAdministration(connection: connection, now: BabyBasicsServer.Purge.now))
        }
    } catch let refusal as AccountAdministration.Refusal {
        throw ValidationError(refusal.description)
    }
}

extension AccountAdministration.Account {
    /// A name is what somebody typed in: it moves no cursor and makes no column.
    fileprivate var line: String {
        [
            email, String(String.UnicodeScalarView(name.unicodeScalars.filter { !isControl($0) })),
            madeAt.utcDate.description, emailIsConfirmed ? "yes" : "no", lastUsedAt?.utcDate.description ?? "-",
            "\(sessions)", "\(families)", isDisabled ? "disabled" : "active",
        ].joined(separator: "\t")
    }

    private func isControl(_ scalar: Unicode.Scalar) -> Bool {
        [.control, .format, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
    }
}
