public import Configuration
import Cryptography

/// What the server is told by its environment, read once at the start.
public struct ServerConfiguration: Sendable {
    /// Where join links point: scheme and host, no slash at the end.
    public var baseURL: String
    /// 32 bytes that invite tokens are derived with.
    public var inviteKey: [UInt8]
    /// What an administrator shows to reset a password.
    public var adminToken: [UInt8]
    /// The app's own URL scheme.
    public var deepLinkScheme: String

    public init(baseURL: String, inviteKey: [UInt8], adminToken: [UInt8], deepLinkScheme: String) {
        self.baseURL = baseURL
        self.inviteKey = inviteKey
        self.adminToken = adminToken
        self.deepLinkScheme = deepLinkScheme
    }

    /// - Throws: `ConfigurationError`, which names the first value that is missing or malformed and never shows it.
    public init(_ reader: ConfigReader) throws(ConfigurationError) {
        let url = try reader.required("BASE_URL")
        guard url.wholeMatch(of: /https?:\/\/[A-Za-z0-9.\[\]:-]+/) != nil else {
            throw ConfigurationError(
                "BASE_URL must be a scheme and a host, such as https://baby.example.com")
        }
        baseURL = url
        let key = try reader.required("INVITE_KEY")
        guard let bytes = Encoding.bytes(hex: key), bytes.count == 32 else {
            throw ConfigurationError("INVITE_KEY must be 64 hexadecimal digits")
        }
        inviteKey = bytes
        adminToken = Array(try reader.required("JWT_SECRET").utf8)
        guard adminToken.count >= 32 else {
            throw ConfigurationError("JWT_SECRET must have at least 32 characters")
        }
        deepLinkScheme = reader.text("DEEP_LINK_SCHEME") ?? "babybasics"
        guard deepLinkScheme.wholeMatch(of: /[a-z][a-z0-9+.-]*/) != nil else {
            throw ConfigurationError("DEEP_LINK_SCHEME must be a URL scheme in lower case")
        }
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

    /// A whole number within a range, or the default where the variable is absent.
    public func number(
        _ name: String, default fallback: Int, in range: ClosedRange<Int>
    ) throws(ConfigurationError) -> Int {
        guard let value = text(name) else { return fallback }
        guard let number = Int(value), range.contains(number) else {
            throw ConfigurationError(
                "\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
