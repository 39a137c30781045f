/// A query read slowly (RFC 3986 3.4 and the form of pairs): by name what was given, nil for what is badly encoded.
struct ReferenceQuery {
    private(set) var values: [[Unicode.Scalar]: [[Unicode.Scalar]?]] = [:]

    /// - Parameter target: the whole request target; what follows its first question mark is the query.
    init(_ target: [UInt8]) {
        guard let mark = target.firstIndex(of: UInt8(ascii: "?")) else { return }
        for pair in target[(mark + 1)...].split(separator: UInt8(ascii: "&")) {
            let name = pair.prefix { $0 != UInt8(ascii: "=") }
            guard let key = Self.decoded(name) else { continue }
            values[key, default: []].append(Self.decoded(pair.dropFirst(name.count + 1)))
        }
    }

    private static func decoded(_ text: ArraySlice<UInt8>) -> [Unicode.Scalar]? {
        var rest = text
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            let isHexadecimal = digits.count == 2 && digits.allSatisfy { isDigit($0) }
            guard isHexadecimal,
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        guard let scalars = ReferenceUTF8.scalars(bytes),
            scalars.allSatisfy({ $0.value > 0x1f && $0.value != 0x7f })
        else { return nil }
        return scalars
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        Character(Unicode.Scalar(byte)).isHexDigit
    }
}
