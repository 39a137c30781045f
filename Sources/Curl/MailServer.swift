/// Where mails are handed in.
public struct MailServer: Sendable {
    enum Security {
        /// No TLS: to this machine alone.
        case none
        case startTLS
        /// From the first byte.
        case tls
    }

    /// With user and password, so that it is shown nowhere.
    let url: String
    let security: Security
    /// Whose certificates are trusted in place of the system's.
    let authorities: String?

    /// Nil for anything but `smtp://` or `smtps://`, a host, and what may stand before and after it.
    ///
    /// `smtp://` means STARTTLS. To a loopback address it means no TLS, unless authorities are named.
    public init?(url: String, authorities: String? = nil) {
        guard
            let match = url.wholeMatch(
                of: /(smtps?):\/\/(?:[^\s@\/]*@)?(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+)(?::[0-9]{1,5})?\/?/)
        else { return nil }
        self.url = url
        self.authorities = authorities
        let isLocal = Self.isLoopback(match.output.2.lowercased())
        security = match.output.1 == "smtps" ? .tls : isLocal && authorities == nil ? .none : .startTLS
    }

    private static func isLoopback(_ host: String) -> Bool {
        host == "localhost" || host == "[::1]" || host.wholeMatch(of: /127(?:\.[0-9]{1,3}){3}/) != nil
    }
}

/// Why a mail was not taken. It says nothing of the mail.
public struct MailFailure: Error, CustomStringConvertible {
    public let description: String
    /// The mail server itself is away or refuses everything: others need not be tried now.
    public let isOfServer: Bool

    public init(description: String, isOfServer: Bool) {
        self.description = description
        self.isOfServer = isOfServer
    }
}
