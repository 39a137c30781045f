/// What a JSON string means that has backslashes in it.
enum Escapes {
    /// - Parameter written: between the quotation marks, of a text that is grammatical. Nil for half a surrogate pair.
    static func text(of written: ArraySlice<UInt8>) -> String? {
        var text: [UInt8] = []
        text.reserveCapacity(written.count)
        var rest = written
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                text.append(byte)
                continue
            }
            guard let scalar = escape(&rest) else { return nil }
            text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// What follows a backslash.
    private static func escape(_ rest: inout ArraySlice<UInt8>) -> Unicode.Scalar? {
        guard let byte = rest.popFirst() else { return nil }
        switch byte {
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): break
        default: return Unicode.Scalar(byte)
        }
        let first = unit(&rest)
        guard UTF16.isSurrogate(first) else { return Unicode.Scalar(first) }
        guard UTF16.isLeadSurrogate(first), rest.starts(with: #"\u"#.utf8) else { return nil }
        rest.removeFirst(2)
        let second = unit(&rest)
        guard UTF16.isTrailSurrogate(second) else { return nil }
        return UTF16.decode(UTF16.EncodedScalar([first, second]))
    }

    /// Four hexadecimal digits.
    private static func unit(_ rest: inout ArraySlice<UInt8>) -> UInt16 {
        let digits = rest.prefix(4)
        rest.removeFirst(digits.count)
        return digits.reduce(0) { unit, digit in
            // Letters of both cases end in their number, from 1.
            unit << 4 | UInt16(digit < 0x40 ? digit & 0xf : digit & 0xf + 9)
        }
    }
}
