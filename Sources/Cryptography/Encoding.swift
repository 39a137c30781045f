/// Text forms of bytes.
public enum Encoding {
    /// Lower-case hexadecimal digits, two a byte.
    public static func hex(_ bytes: [UInt8]) -> String {
        unsafe bytes.withUnsafeBufferPointer { unsafe hex($0) }
    }

    public static func hex(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        unsafe String(unsafeUninitializedCapacity: bytes.count * 2) { digits in
            for index in bytes.indices {
                unsafe digits[2 * index] = hexDigit(bytes[index] >> 4)
                unsafe digits[2 * index + 1] = hexDigit(bytes[index] & 15)
            }
            return bytes.count * 2
        }
    }

    /// The bytes that an even number of hexadecimal digits of either case stands for, or nil.
    public static func bytes(hex text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = hexValue(digits[index]), let low = hexValue(digits[index + 1]) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    /// RFC 4648 section 5, without padding.
    public static func base64URL(_ bytes: [UInt8]) -> String {
        encode(bytes, alphabet: base64URLAlphabet)
    }

    /// The bytes that RFC 4648 section 5 writes so, with or without padding, or nil.
    public static func bytes(base64URL text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count * 3 / 4)
        var pending = 0
        var bits = 0
        var padding = 0
        for character in text.utf8 {
            if character == UInt8(ascii: "=") {
                padding += 1
                continue
            }
            guard padding == 0, let value = base64URLValue(character) else { return nil }
            pending = (pending << 6 | value) & 0xfff
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: pending >> bits))
            }
        }
        // What is left over says nothing, and is less than a character.
        guard bits < 6, pending & (1 << bits - 1) == 0, padding <= 2 else { return nil }
        return bytes
    }

    /// RFC 4648 section 4 without padding; the input lengths used here need none.
    public static func base64(_ bytes: [UInt8]) -> String {
        encode(bytes, alphabet: base64Alphabet)
    }

    private static let base64Alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let base64URLAlphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    private static func encode(_ bytes: [UInt8], alphabet: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count * 4 + 2) / 3)
        var pending = 0
        var bits = 0
        for byte in bytes {
            pending = pending << 8 | Int(byte)
            bits += 8
            while bits >= 6 {
                bits -= 6
                text.append(alphabet[pending >> bits & 63])
            }
        }
        if bits > 0 { text.append(alphabet[pending << (6 - bits) & 63]) }
        return String(decoding: text, as: UTF8.self)
    }

    private static func base64URLValue(_ character: UInt8) -> Int? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(character) - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(character) - 97 + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(character) - 48 + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    private static func hexValue(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
