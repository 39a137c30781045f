/// JSON as RFC 8259 has it, read byte by byte and slowly, with nothing of Foundation: what the server's reading is compared with.
enum ReferenceJSON: Equatable {
    case null
    case bool(Bool)
    case number(ReferenceDecimal)
    /// Unicode scalars, so that no two spellings of one character are equal.
    case string([Unicode.Scalar])
    case array([ReferenceJSON])
    /// In the order written, names that come twice included.
    case object([Member])

    struct Member: Equatable {
        let name: [Unicode.Scalar]
        let value: ReferenceJSON
    }

    /// The value of an object's member: of several with one name the first.
    subscript(_ name: String) -> ReferenceJSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == Array(name.unicodeScalars) }?.value
    }

    var string: String? {
        guard case .string(let scalars) = self else { return nil }
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }

    /// Reads a whole text; nil for anything that is none.
    /// - Parameter maximumDepth: of arrays and objects within each other.
    init?(_ bytes: [UInt8], maximumDepth: Int = .max) {
        var reader = Reader(rest: bytes[...], maximumDepth: maximumDepth)
        reader.skipSpace()
        guard let value = reader.value(depth: 0) else { return nil }
        reader.skipSpace()
        guard reader.rest.isEmpty else { return nil }
        self = value
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>
        let maximumDepth: Int

        mutating func skipSpace() {
            while let byte = rest.first, [0x20, 0x09, 0x0a, 0x0d].contains(byte) {
                rest.removeFirst()
            }
        }

        mutating func take(_ text: StaticString) -> Bool {
            let wanted = "\(text)".utf8
            guard rest.starts(with: wanted) else { return false }
            rest.removeFirst(wanted.count)
            return true
        }

        mutating func value(depth: Int) -> ReferenceJSON? {
            switch rest.first {
            case UInt8(ascii: "{"): depth < maximumDepth ? object(depth: depth + 1) : nil
            case UInt8(ascii: "["): depth < maximumDepth ? array(depth: depth + 1) : nil
            case UInt8(ascii: "\""): string().map(ReferenceJSON.string)
            default:
                if take("null") {
                    .null
                } else if take("true") {
                    .bool(true)
                } else if take("false") {
                    .bool(false)
                } else {
                    ReferenceDecimal(taking: &rest).map(ReferenceJSON.number)
                }
            }
        }

        private mutating func array(depth: Int) -> ReferenceJSON? {
            rest.removeFirst()
            var elements: [ReferenceJSON] = []
            skipSpace()
            if take("]") { return .array([]) }
            while true {
                skipSpace()
                guard let element = value(depth: depth) else { return nil }
                elements.append(element)
                skipSpace()
                if take("]") { return .array(elements) }
                guard take(",") else { return nil }
            }
        }

        private mutating func object(depth: Int) -> ReferenceJSON? {
            rest.removeFirst()
            var members: [Member] = []
            skipSpace()
            if take("}") { return .object([]) }
            while true {
                skipSpace()
                guard let name = string() else { return nil }
                skipSpace()
                guard take(":") else { return nil }
                skipSpace()
                guard let value = value(depth: depth) else { return nil }
                members.append(Member(name: name, value: value))
                skipSpace()
                if take("}") { return .object(members) }
                guard take(",") else { return nil }
            }
        }

        private mutating func string() -> [Unicode.Scalar]? {
            guard take("\"") else { return nil }
            var scalars: [Unicode.Scalar] = []
            while let byte = rest.first {
                switch byte {
                case UInt8(ascii: "\""):
                    rest.removeFirst()
                    return scalars
                case UInt8(ascii: "\\"):
                    guard let scalar = escape() else { return nil }
                    scalars.append(scalar)
                case 0..<0x20: return nil
                default:
                    guard let scalar = ReferenceUTF8.take(&rest) else { return nil }
                    scalars.append(scalar)
                }
            }
            return nil
        }

        private mutating func escape() -> Unicode.Scalar? {
            let simple: [(StaticString, Unicode.Scalar)] = [
                (#"\""#, "\""), (#"\\"#, "\\"), (#"\/"#, "/"), (#"\b"#, "\u{8}"),
                (#"\f"#, "\u{c}"), (#"\n"#, "\n"), (#"\r"#, "\r"), (#"\t"#, "\t"),
            ]
            for (text, scalar) in simple where take(text) { return scalar }
            guard let first = unit() else { return nil }
            if let scalar = Unicode.Scalar(first) { return scalar }
            // Half a pair: the other half follows, or it is no text.
            guard first < 0xdc00, let second = unit(), (0xdc00...0xdfff).contains(second) else {
                return nil
            }
            return Unicode.Scalar(
                0x10000 + (UInt32(first) - 0xd800) << 10 + (UInt32(second) - 0xdc00))
        }

        private mutating func unit() -> UInt16? {
            guard take(#"\u"#), rest.count >= 4 else { return nil }
            var value: UInt16 = 0
            for _ in 0..<4 {
                let digit = Character(Unicode.Scalar(rest.removeFirst()))
                guard digit.isASCII, let number = digit.hexDigitValue else { return nil }
                value = value << 4 | UInt16(number)
            }
            return value
        }
    }
}
