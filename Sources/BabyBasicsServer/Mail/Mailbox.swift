/// An address that mail can be sent to or from, in ASCII: `EmailAddress` lets nothing else through.
struct Mailbox: Sendable, Equatable {
    let address: String
    /// Of a person or a service, in any script.
    let name: String?

    /// Nil for what is no mailbox.
    init?(_ address: String, name: String? = nil) {
        guard let email = EmailAddress(address) else { return nil }
        self.address = email.text
        self.name = name.flatMap { $0.trimmed.isEmpty ? nil : $0.trimmed }
    }

    /// `address`, or `name <address>`.
    init?(written text: String) {
        guard let match = text.trimmed.wholeMatch(of: /(?:"?([^"<>]*?)"?\s*)?<([^<>]+)>/) else {
            self.init(text)
            return
        }
        self.init(String(match.output.2), name: match.output.1.map(String.init))
    }

    var domain: Substring { address.split(separator: "@").last ?? "" }

    /// As a header has it.
    var header: String {
        guard let name else { return address }
        return "\(MailHeader.phrase(name)) <\(address)>"
    }
}
