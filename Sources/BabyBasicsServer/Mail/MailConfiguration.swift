import Configuration
public import Curl

/// By which server mails leave, and in whose name.
public struct MailConfiguration: Sendable {
    public let server: MailServer
    let from: Mailbox

    /// - Parameter from: `address`, or `name <address>`.
    public init?(server: MailServer, from: String) {
        guard let from = Mailbox(written: from) else { return nil }
        self.server = server
        self.from = from
    }

    /// Nil where the server sends no mail.
    init?(_ reader: ConfigReader) throws(ConfigurationError) {
        // As a file a secret may end with the end of a line.
        let url = reader.text("SMTP_URL")?.trimmed ?? ""
        switch (url.isEmpty ? nil : url, reader.text("MAIL_FROM")) {
        case (nil, _): return nil
        case (_, nil): throw ConfigurationError("SMTP_URL needs MAIL_FROM")
        case (let url?, let from?):
            guard let server = MailServer(url: url, authorities: reader.text("SMTP_CA")) else {
                throw ConfigurationError(
                    "SMTP_URL must be smtp:// or smtps:// with a host, such as smtps://user:password@mail.example.com")
            }
            guard let mail = MailConfiguration(server: server, from: from) else {
                throw ConfigurationError("MAIL_FROM must be a mailbox, such as Baby Basics <baby@example.com>")
            }
            self = mail
        }
    }
}

/// Who may make an account.
public enum RegistrationPolicy: String, Sendable, CaseIterable {
    case open
    /// Whoever holds an open invite.
    case invite

    init(_ reader: ConfigReader) throws(ConfigurationError) {
        guard let policy = RegistrationPolicy(rawValue: reader.text("REGISTRATION") ?? "open") else {
            throw ConfigurationError("REGISTRATION must be open or invite")
        }
        self = policy
    }
}
