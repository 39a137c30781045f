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

    /// No statement answers an array with NULLs.
    public static func decodeArray(_ bytes: RawSpan) throws(ValueError) -> [Wrapped?] {
        try Wrapped.decodeArray(bytes)
    }
}
