import Cryptography

/// What a client shows of its session: 64 hexadecimal digits, in an `Authorization` header or in a browser's cookie.
struct BearerToken {
    /// As the database has it.
    let hash: String
    /// Key of the request counters: the first 64 bits of the hash, never 0.
    let number: UInt64

    /// Takes the digits after `Bearer` and a space or a tab (RFC 6750; the scheme's case does not matter); nil for anything else.
    init?(header: ArraySlice<UInt8>) {
        guard header.count == 71, Self.hasScheme(header) else { return nil }
        self.init(digits: header.dropFirst(7))
    }

    /// Takes the digits alone, as a cookie has them.
    init?(digits: ArraySlice<UInt8>) {
        guard digits.count == 64, digits.allSatisfy(Self.isHexadecimalDigit) else { return nil }
        let digest = Digest.sha256(Array(digits))
        hash = Encoding.hex(digest)
        number = max(1, digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// In lower case.
    private static func isHexadecimalDigit(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10 || byte &- UInt8(ascii: "a") < 6
    }

    private static func hasScheme(_ header: ArraySlice<UInt8>) -> Bool {
        header.prefix(6).elementsEqual("bearer".utf8) { $0 | 0x20 == $1 }
            && [UInt8(ascii: " "), UInt8(ascii: "\t")].contains(header[header.startIndex + 6])
    }
}
