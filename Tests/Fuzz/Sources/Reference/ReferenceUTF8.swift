/// UTF-8 as table 3-7 of the Unicode standard has it: neither overlong forms nor surrogates.
enum ReferenceUTF8 {
    /// Takes one scalar from the front; nil where none stands there.
    static func take(_ rest: inout ArraySlice<UInt8>) -> Unicode.Scalar? {
        guard let first = rest.first else { return nil }
        let length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
        guard first < 0x80 || (0xc2...0xf4).contains(first), rest.count >= length else {
            return nil
        }
        let bytes = Array(rest.prefix(length))
        guard bytes.dropFirst().allSatisfy({ $0 & 0xc0 == 0x80 }) else { return nil }
        let head = length == 1 ? UInt32(first) : UInt32(first & (0x7f >> UInt8(length)))
        let value = bytes.dropFirst().reduce(head) { $0 << 6 | UInt32($1 & 0x3f) }
        guard value >= [0, 0, 0x80, 0x800, 0x10000][length] else { return nil }
        rest.removeFirst(length)
        return Unicode.Scalar(value)
    }

    /// The scalars of a whole text; nil where it is none.
    static func scalars(_ bytes: some Collection<UInt8>) -> [Unicode.Scalar]? {
        var rest = Array(bytes)[...]
        var scalars: [Unicode.Scalar] = []
        while !rest.isEmpty {
            guard let scalar = take(&rest) else { return nil }
            scalars.append(scalar)
        }
        return scalars
    }
}
