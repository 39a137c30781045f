/// `[Value?]` is an array in which nil is NULL.
extension Optional: PostgresArrayElement where Wrapped: PostgresArrayElement & PostgresValue {
    public static var arrayOID: TypeOID { Wrapped.arrayOID }

    public static func acceptsArray(_ type: TypeOID) -> Bool { Wrapped.acceptsArray(type) }

    public static func encodeArray(_ elements: [Wrapped?], into encoder: inout ValueEncoder) {
        encoder.beginArray(
            of: Wrapped.oid, count: elements.count, hasNulls: elements.contains { $0 == nil })
        for element in elements {
            if let element {
                encoder.appendWithLength(element)
            } else {
                encoder.append(bigEndian: Int32(-1))
            }
        }
    }

    public static func decodeArray(_ bytes: RawSpan) throws(ValueError) -> [Wrapped?] {
        let dimensions = try bytes.bigEndian(Int32.self, at: 0)
        let type = TypeOID(rawValue: try bytes.bigEndian(UInt32.self, at: 8))
        guard Wrapped.accepts(type) else { throw ValueError("array of another type") }
        if dimensions == 0 { return [] }
        guard dimensions == 1 else { throw ValueError("array of several dimensions") }
        let count = Int(try bytes.bigEndian(Int32.self, at: 12))
        // A count that the bytes can't hold must not reserve memory.
        guard count >= 0, count <= bytes.byteCount / 4 else { throw ValueError("wrong length") }
        var elements: [Wrapped?] = []
        elements.reserveCapacity(count)
        var offset = 20
        for _ in 0..<count {
            let length = Int(try bytes.bigEndian(Int32.self, at: offset))
            offset += 4
            guard length >= 0 else {
                elements.append(nil)
                continue
            }
            guard length <= bytes.byteCount - offset else { throw ValueError("wrong length") }
            let value = bytes.extracting(offset..<(offset + length))
            elements.append(try Wrapped.decode(value, type: type))
            offset += length
        }
        guard offset == bytes.byteCount else { throw ValueError("wrong length") }
        return elements
    }
}
