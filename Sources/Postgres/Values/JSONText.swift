/// A JSON document as the bytes of its text: sent as `jsonb`, read from `jsonb` and `json`.
///
/// PostgreSQL checks that the bytes are JSON; what comes back from `jsonb` is its normal form.
public struct JSONText: PostgresValue, Hashable {
    /// UTF-8.
    public let bytes: [UInt8]

    @inlinable
    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    @inlinable
    public init(_ text: String) { bytes = Array(text.utf8) }

    @inlinable public static var oid: TypeOID { .jsonb }

    @inlinable
    public static func accepts(_ type: TypeOID) -> Bool { type == .jsonb || type == .json }

    @inlinable
    public func encode(into encoder: inout ValueEncoder) {
        encoder.append(1)  // the version of jsonb's binary format
        encoder.append(contentsOf: bytes)
    }

    @inlinable
    public static func decode(_ bytes: RawSpan, type: TypeOID) throws(ValueError) -> JSONText {
        let text = bytes.extracting(droppingFirst: try prefixLength(of: bytes, type: type))
        return JSONText(unsafe text.withUnsafeBytes { raw in unsafe Array(raw) })
    }

    /// What stands before the text: in `jsonb` the version of its binary format, one byte.
    @inlinable
    static func prefixLength(of bytes: RawSpan, type: TypeOID) throws(ValueError) -> Int {
        guard type == .jsonb else { return 0 }
        guard try bytes.bigEndian(UInt8.self, at: 0) == 1 else {
            throw ValueError("unknown version of jsonb")
        }
        return 1
    }
}
