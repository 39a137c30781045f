public import Configuration
import Cryptography

/// What the server is told by its environment, read once at the start.
public struct ServerConfiguration: Sendable {
    /// Where join links point: scheme and host, no slash at the end.
    public var baseURL: String
    /// Keys of 32 bytes that invite tokens are derived with: new ones with the first, and those of open invites with any. At least one.
    public var inviteKeys: [[UInt8]]
    /// The key of 32 bytes that the login throttle's hashes are made with. The same on all hosts; another one forgets what they tell.
    public var throttleKey: [UInt8]
    /// What an administrator shows to reset a password: any of them. At least one.
    public var adminTokens: [[UInt8]]
    /// The app's own URL scheme.
    public var deepLinkScheme: String
    /// Nil where the server sends no mail.
    public var mail: MailConfiguration?
    /// Nil where the server pushes to nobody.
    public var push: PushConfiguration?
    public var webhooks = WebhookConfiguration()
    public var registration = RegistrationPolicy.open
    /// How people reach whoever runs the server: one line, at the foot of mails.
    public var support: String?

    public init(
        baseURL: String, inviteKeys: [[UInt8]], throttleKey: [UInt8], adminTokens: [[UInt8]], deepLinkScheme: String
    ) {
        self.baseURL = baseURL
        self.inviteKeys = inviteKeys
        self.throttleKey = throttleKey
        self.adminTokens = adminTokens
        self.deepLinkScheme = deepLinkScheme
    }

    /// Where our own pages are, as browsers name it: in lower case, without the scheme's own port.
    var origin: String {
        let origin = baseURL.lowercased()
        for (scheme, port) in [("https:", ":443"), ("http:", ":80")]
        where origin.hasPrefix(scheme) && origin.hasSuffix(port) {
            return String(origin.dropLast(port.count))
        }
        return origin
    }

    /// - Throws: `ConfigurationError`, which names the first value that is missing or malformed and never shows it.
    public init(_ reader: ConfigReader) throws(ConfigurationError) {
        baseURL = try Self.baseURL(reader)
        inviteKeys = try reader.lines("INVITE_KEY").map { line throws(ConfigurationError) in
            try Self.key(line, "INVITE_KEY")
        }
        throttleKey = try Self.key(reader.required("THROTTLE_KEY"), "THROTTLE_KEY")
        adminTokens = try reader.lines("ADMIN_TOKEN", formerly: "JWT_SECRET").map { Array($0.utf8) }
        guard adminTokens.allSatisfy({ $0.count >= 32 }) else {
            let name = reader.text("ADMIN_TOKEN") == nil ? "JWT_SECRET" : "ADMIN_TOKEN"
            throw ConfigurationError("\(name) must have at least 32 characters")
        }
        deepLinkScheme = reader.text("DEEP_LINK_SCHEME") ?? "babybasics"
        guard deepLinkScheme.wholeMatch(of: /[a-z][a-z0-9+.-]*/) != nil else {
            throw ConfigurationError("DEEP_LINK_SCHEME must be a URL scheme in lower case")
        }
        mail = try MailConfiguration(reader)
        push = try PushConfiguration(reader, baseURL: baseURL, mail: mail)
        webhooks = try WebhookConfiguration(reader)
        registration = try RegistrationPolicy(reader)
        support = reader.text("SUPPORT")
    }

    public static func baseURL(_ reader: ConfigReader) throws(ConfigurationError) -> String {
        let url = try reader.required("BASE_URL")
        guard url.wholeMatch(of: /https?:\/\/[A-Za-z0-9.\[\]:-]+/) != nil else {
            throw ConfigurationError(
                "BASE_URL must be a scheme and a host, such as https://baby.example.com")
        }
        return url
    }

    private static func key(_ digits: String, _ name: String) throws(ConfigurationError) -> [UInt8] {
        guard let bytes = Encoding.bytes(hex: digits), bytes.count == 32 else {
            throw ConfigurationError("\(name) must be 64 hexadecimal digits")
        }
        return bytes
    }
}

/// A value of the environment that the process cannot start with.
public struct ConfigurationError: Error, CustomStringConvertible {
    public let description: String

    public init(_ description: String) {
        self.description = description
    }
}

extension ConfigReader {
    /// The text of a variable, by the name that it has in the environment; empty is absent.
    public func text(_ name: String) -> String? {
        let value = string(
            forKey: ConfigKey(name.lowercased().split(separator: "_").map(String.init)))
        return value?.isEmpty == false ? value : nil
    }

    public func required(_ name: String) throws(ConfigurationError) -> String {
        guard let value = text(name) else { throw ConfigurationError("\(name) is not set") }
        return value
    }

    /// The lines of a secret, at least one: while it is being replaced, the old and the new one.
    public func lines(
        _ name: String, formerly former: String? = nil
    ) throws(ConfigurationError) -> [String] {
        let value = text(name) ?? former.flatMap { text($0) }
        guard let lines = value?.split(whereSeparator: \.isNewline), !lines.isEmpty else {
            throw ConfigurationError("\(name) is not set")
        }
        return lines.map(String.init)
    }

    /// A whole number within a range, or the default where the variable is absent.
    public func number(
        _ name: String, formerly former: String? = nil, default fallback: Int,
        in range: ClosedRange<Int>
    ) throws(ConfigurationError) -> Int {
        guard let value = text(name) ?? former.flatMap({ text($0) }) else { return fallback }
        guard let number = Int(value), range.contains(number) else {
            throw ConfigurationError(
                "\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
