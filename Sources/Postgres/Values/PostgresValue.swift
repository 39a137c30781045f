/// A Swift type that stands for a PostgreSQL type, in PostgreSQL's binary format.
///
/// ```swift
/// extension Timestamp: PostgresValue {
///     static var oid: TypeOID { .timestamptz }
///     func encode(into encoder: inout ValueEncoder) {
///         encoder.append(bigEndian: microsecondsSince2000)
///     }
///     static func decode(_ bytes: RawSpan, type: TypeOID) throws(ValueError) -> Timestamp {
///         Timestamp(microsecondsSince2000: try bytes.bigEndian(Int64.self))
///     }
/// }
/// ```
///
/// Mark the three members `@inlinable` when the type is read on a busy path.
public protocol PostgresValue: Sendable {
    /// The type that parameters of this Swift type are sent as.
    static var oid: TypeOID { get }

    /// Whether a column of `type` may be read as this Swift type; `oid` alone unless said otherwise.
    static func accepts(_ type: TypeOID) -> Bool

    /// Appends the value's binary form, nothing for an empty one. NULL never comes here.
    func encode(into encoder: inout ValueEncoder)

    /// Reads the binary form of a value that is not NULL; `type` is one that `accepts` let through.
    static func decode(_ bytes: RawSpan, type: TypeOID) throws(ValueError) -> Self
}

extension PostgresValue {
    @inlinable
    public static func accepts(_ type: TypeOID) -> Bool { type == oid }
}

/// Enumerations with a raw value are stored as that value: `enum Role: String, PostgresValue {…}`.
extension PostgresValue where Self: RawRepresentable, RawValue: PostgresValue {
    @inlinable
    public static var oid: TypeOID { RawValue.oid }

    @inlinable
    public static func accepts(_ type: TypeOID) -> Bool { RawValue.accepts(type) }

    @inlinable
    public func encode(into encoder: inout ValueEncoder) { rawValue.encode(into: &encoder) }

    @inlinable
    public static func decode(_ bytes: RawSpan, type: TypeOID) throws(ValueError) -> Self {
        guard let value = Self(rawValue: try RawValue.decode(bytes, type: type)) else {
            throw ValueError("no case has this raw value")
        }
        return value
    }
}

/// Why a column could not be read. The reason never quotes the value.
public struct ValueError: Error, Sendable {
    public let reason: String

    public init(_ reason: StaticString) { self.reason = "\(reason)" }
}

/// The buffer that values are encoded into.
public struct ValueEncoder: Sendable {
    @usableFromInline var bytes: [UInt8] = []

    @inlinable
    init() {}

    /// Appends an integer, most significant byte first, as PostgreSQL's binary formats have it.
    @inlinable
    public mutating func append<Integer: FixedWidthInteger>(bigEndian value: Integer) {
        unsafe withUnsafeBytes(of: value.bigEndian) { raw in
            unsafe bytes.append(contentsOf: raw)
        }
    }

    @inlinable
    public mutating func append(utf8 text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    @inlinable
    public mutating func append(_ byte: UInt8) {
        bytes.append(byte)
    }

    @inlinable
    public mutating func append(contentsOf other: some Sequence<UInt8>) {
        bytes.append(contentsOf: other)
    }

    /// Appends what an array of one dimension begins with.
    @inlinable
    mutating func beginArray(of type: TypeOID, count: Int, hasNulls: Bool) {
        append(bigEndian: Int32(count == 0 ? 0 : 1))  // dimensions
        append(bigEndian: Int32(hasNulls ? 1 : 0))
        append(bigEndian: type.rawValue)
        if count == 0 { return }
        append(bigEndian: Int32(truncatingIfNeeded: count))
        append(bigEndian: Int32(1))  // index of the first element
    }

    /// Appends a value behind its length, as elements of arrays have it.
    @inlinable
    mutating func appendWithLength(_ value: some PostgresValue) {
        let start = bytes.count
        append(bigEndian: Int32(0))
        value.encode(into: &self)
        let length = Int32(truncatingIfNeeded: bytes.count - start - 4)
        for index in 0..<4 {
            bytes[start + index] = UInt8(truncatingIfNeeded: length >> (8 * (3 - index)))
        }
    }
}

extension RawSpan {
    /// Reads the big-endian integer that these bytes are; any other length is an error.
    @inlinable
    public func bigEndian<Integer: FixedWidthInteger & BitwiseCopyable>(
        _ type: Integer.Type
    ) throws(ValueError) -> Integer {
        guard byteCount == MemoryLayout<Integer>.size else { throw ValueError("wrong length") }
        return Integer(bigEndian: unsafe unsafeLoadUnaligned(as: Integer.self))
    }

    /// Reads a big-endian integer at `offset`.
    @inlinable
    public func bigEndian<Integer: FixedWidthInteger & BitwiseCopyable>(
        _ type: Integer.Type, at offset: Int
    ) throws(ValueError) -> Integer {
        guard offset >= 0, offset <= byteCount - MemoryLayout<Integer>.size else {
            throw ValueError("wrong length")
        }
        return Integer(
            bigEndian: unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: Integer.self))
    }
}
