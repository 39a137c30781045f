import Cryptography

/// What a client shows of itself: of a session 64 hexadecimal digits, in an `Authorization` header or in a browser's cookie; another
/// program's token, `bb_` and 43 characters of base64url, in a header alone.
struct BearerToken {
    enum Kind {
        case session
        case program
    }

    let kind: Kind
    /// As the database has it.
    let hash: String
    /// Key of the request counters: the first 64 bits of the hash, never 0.
    let number: UInt64

    /// Takes what comes after `Bearer` and a space or a tab (RFC 6750; the scheme's case does not matter); nil for anything else.
    init?(header: ArraySlice<UInt8>) {
        guard header.count > 7, Self.hasScheme(header) else { return nil }
        let text = header.dropFirst(7)
        if text.starts(with: Self.programPrefix.utf8) { self.init(program: text) } else { self.init(digits: text) }
    }

    /// Takes the digits alone, as a cookie has them.
    init?(digits: ArraySlice<UInt8>) {
        guard digits.count == 64, digits.allSatisfy(Self.isHexadecimalDigit) else { return nil }
        self.init(.session, digits)
    }

    private init?(program text: ArraySlice<UInt8>) {
        guard text.count == Self.programPrefix.utf8.count + 43,
            text.dropFirst(3).allSatisfy({ isLetterDigitOrHyphen($0) || $0 == UInt8(ascii: "_") })
        else { return nil }
        self.init(.program, text)
    }

    private init(_ kind: Kind, _ text: ArraySlice<UInt8>) {
        let digest = Digest.sha256(Array(text))
        self.kind = kind
        hash = Encoding.hex(digest)
        number = max(1, digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    }

    private static let programPrefix = "bb_"

    /// A new token for another program, as it is shown once.
    static func program(_ bytes: [UInt8]) -> String { programPrefix + Encoding.base64URL(bytes) }

    /// In lower case.
    private static func isHexadecimalDigit(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10 || byte &- UInt8(ascii: "a") < 6
    }

    private static func hasScheme(_ header: ArraySlice<UInt8>) -> Bool {
        header.prefix(6).elementsEqual("bearer".utf8) { $0 | 0x20 == $1 }
            && [UInt8(ascii: " "), UInt8(ascii: "\t")].contains(header[header.startIndex + 6])
    }
}
