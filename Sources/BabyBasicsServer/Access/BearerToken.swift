import Cryptography

/// What a client shows of its session: 64 hexadecimal digits, in an `Authorization` header or in a browser's cookie.
struct BearerToken {
    /// As the database has it.
    let hash: String
    /// The hash's first 64 bits, which stand for the token where chance may decide; never 0.
    let number: UInt64
    /// Whether a browser sent it by itself, whoever's page asked.
    let isCookie: Bool

    /// Takes the digits after `Bearer` (RFC 6750; the scheme's case does not matter); nil for anything else.
    init?(header: ArraySlice<UInt8>) {
        guard header.count == 71, Self.hasScheme(header) else { return nil }
        self.init(digits: header.dropFirst(7), isCookie: false)
    }

    /// Takes the digits of `__Host-session` out of a `Cookie` header; nil where it has none or anything else.
    init?(cookies: ArraySlice<UInt8>) {
        let prefix = Array("\(Self.cookieName)=".utf8)
        let cookie = cookies.split(separator: UInt8(ascii: ";"))
            .map { $0.drop { $0 == UInt8(ascii: " ") } }
            .first { $0.starts(with: prefix) }
        guard let cookie else { return nil }
        self.init(digits: cookie.dropFirst(prefix.count), isCookie: true)
    }

    /// A browser takes a cookie of such a name from its own host alone, over HTTPS, for every path (RFC 6265bis).
    static let cookieName = "__Host-session"

    private init?(digits: ArraySlice<UInt8>, isCookie: Bool) {
        guard digits.count == 64, digits.allSatisfy(Self.isHexadecimalDigit) else { return nil }
        let digest = Digest.sha256(Array(digits))
        hash = Encoding.hex(digest)
        number = max(1, digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
        self.isCookie = isCookie
    }

    /// In lower case.
    private static func isHexadecimalDigit(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10 || byte &- UInt8(ascii: "a") < 6
    }

    private static func hasScheme(_ header: ArraySlice<UInt8>) -> Bool {
        header.prefix(7).elementsEqual("bearer ".utf8) { $0 | 0x20 == $1 }
    }
}
