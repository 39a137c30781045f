public import Foundation

/// The invite link in a pasted text or an opened URL.
public struct JoinLink: Hashable, Sendable {
    /// 22 characters of base64url, or a UUID: the server takes both.
    public let token: String
    /// The host that the link names; nil for the app's own scheme, and for a bare token.
    public let host: String?
    /// The port that the link names; nil for the usual one.
    public let port: Int?

    /// Why there is no link to follow.
    public enum Problem: Error, Hashable, Sendable {
        /// There is none in it.
        case noLink
        /// It is another server's.
        case otherHost(String)
    }

    /// A link of these parts.
    public init(token: String, host: String? = nil, port: Int? = nil) {
        self.token = token
        self.host = host
        self.port = port
    }

    /// The server's address as it is typed: `baby.example:8443`.
    var address: String? {
        host.map { host in port.map { "\(host):\($0)" } ?? host }
    }

    /// Finds the link, whatever is written around it.
    /// - Parameters:
    ///   - hosts: the hosts whose links are followed; nil for all.
    ///   - scheme: the app's own.
    public init(
        in text: String, hosts: Set<String>? = nil, scheme: String = "babybasics"
    ) throws(Problem) {
        var other: String?
        // Some apps percent-encode shared links, some of them twice.
        var text = text
        for _ in 0..<3 {
            for link in Self.links(in: text, scheme: scheme) {
                guard let host = link.host, let hosts else {
                    self = link
                    return
                }
                if hosts.contains(where: { $0.lowercased() == host }) {
                    self = link
                    return
                }
                other = other ?? host
            }
            guard let decoded = text.removingPercentEncoding, decoded != text else { break }
            text = decoded
        }
        if let other { throw .otherHost(other) }
        throw .noLink
    }

    /// The link that the system opened the app with.
    public init(
        _ url: URL, hosts: Set<String>? = nil, scheme: String = "babybasics"
    ) throws(Problem) {
        try self.init(in: url.absoluteString, hosts: hosts, scheme: scheme)
    }

    private static let token =
        "([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[A-Za-z0-9_-]{22})(?![A-Za-z0-9_-]*[A-Za-z0-9])"

    private static func links(in text: String, scheme: String) -> [JoinLink] {
        let scheme = NSRegularExpression.escapedPattern(for: scheme)
        let web = matches(
            "(?:https?://)?((?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\\.)*[a-z0-9-]+)(?::([0-9]{1,5}))?/join/+\(token)",
            text)
        let app = matches("\(scheme):/{0,2}invite/+\(token)", text)
        let bare = matches("^\\s*\(token)\\s*$", text)
        return web.map { JoinLink(token: $0[2], host: $0[0].lowercased(), port: Int($0[1])) }
            + (app + bare).map { JoinLink(token: $0[0]) }
    }

    /// The groups of each match; empty for one that has no part in it.
    private static func matches(_ pattern: String, _ text: String) -> [[String]] {
        guard
            let expression = try? NSRegularExpression(
                pattern: pattern, options: [.caseInsensitive])
        else { return [] }
        return expression.matches(in: text, range: NSRange(text.startIndex..., in: text)).map {
            match in
            (1..<match.numberOfRanges).map { index in
                Range(match.range(at: index), in: text).map { String(text[$0]) } ?? ""
            }
        }
    }
}
