#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A type whose Swift arrays are PostgreSQL values: `\(ids)` for `where id = any(…)`.
///
/// `[UInt8]` is `bytea`; arrays of the others are one-dimensional arrays without NULLs.
/// A `PostgresValue` joins with one line: `static var arrayOID: TypeOID { .dateArray }`.
public protocol PostgresArrayElement: Sendable {
    /// The type that an array of this type is sent as.
    static var arrayOID: TypeOID { get }
    static func acceptsArray(_ type: TypeOID) -> Bool
    static func encodeArray(_ elements: [Self], into encoder: inout ValueEncoder)
    static func decodeArray(_ bytes: RawSpan) throws(ValueError) -> [Self]
}

extension Array: PostgresValue where Element: PostgresArrayElement {
    @inlinable public static var oid: TypeOID { Element.arrayOID }

    @inlinable
    public static func accepts(_ type: TypeOID) -> Bool { Element.acceptsArray(type) }

    @inlinable
    public func encode(into encoder: inout ValueEncoder) {
        Element.encodeArray(self, into: &encoder)
    }

    @inlinable
    public static func decode(_ bytes: RawSpan, type: TypeOID) throws(ValueError) -> [Element] {
        try Element.decodeArray(bytes)
    }
}

extension PostgresArrayElement {
    @inlinable
    public static func acceptsArray(_ type: TypeOID) -> Bool { type == arrayOID }
}

extension PostgresArrayElement where Self: PostgresValue {
    @inlinable
    public static func encodeArray(_ elements: [Self], into encoder: inout ValueEncoder) {
        encoder.beginArray(of: oid, count: elements.count, hasNulls: false)
        for element in elements { encoder.appendWithLength(element) }
    }

    @inlinable
    public static func decodeArray(_ bytes: RawSpan) throws(ValueError) -> [Self] {
        let dimensions = try bytes.bigEndian(Int32.self, at: 0)
        let type = TypeOID(rawValue: try bytes.bigEndian(UInt32.self, at: 8))
        guard accepts(type) else { throw ValueError("array of another type") }
        if dimensions == 0 { return [] }
        guard dimensions == 1 else { throw ValueError("array of several dimensions") }
        let count = Int(try bytes.bigEndian(Int32.self, at: 12))
        // A count that the bytes can't hold must not reserve memory.
        guard count >= 0, count <= bytes.byteCount / 4 else { throw ValueError("wrong length") }
        var elements: [Self] = []
        elements.reserveCapacity(count)
        var offset = 20
        for _ in 0..<count {
            let length = Int(try bytes.bigEndian(Int32.self, at: offset))
            offset += 4
            guard length >= 0 else { throw ValueError("NULL in an array") }
            guard length <= bytes.byteCount - offset else { throw ValueError("wrong length") }
            elements.append(
                try decode(bytes.extracting(offset..<(offset + length)), type: type))
            offset += length
        }
        guard offset == bytes.byteCount else { throw ValueError("wrong length") }
        return elements
    }
}

/// `[UInt8]` is `bytea`.
extension UInt8: PostgresArrayElement {
    @inlinable public static var arrayOID: TypeOID { .bytea }

    @inlinable
    public static func encodeArray(_ elements: [UInt8], into encoder: inout ValueEncoder) {
        encoder.append(contentsOf: elements)
    }

    @inlinable
    public static func decodeArray(_ bytes: RawSpan) throws(ValueError) -> [UInt8] {
        unsafe bytes.withUnsafeBytes { raw in unsafe Array(raw) }
    }
}

extension Bool: PostgresArrayElement {
    @inlinable public static var arrayOID: TypeOID { .boolArray }
}

extension Int16: PostgresArrayElement {
    @inlinable public static var arrayOID: TypeOID { .int2Array }
}

extension Int32: PostgresArrayElement {
    @inlinable public static var arrayOID: TypeOID { .int4Array }
}

extension Int64: PostgresArrayElement {
    @inlinable public static var arrayOID: TypeOID { .int8Array }
}

extension Int: PostgresArrayElement {
    @inlinable public static var arrayOID: TypeOID { .int8Array }
}

extension String: PostgresArrayElement {
    @inlinable public static var arrayOID: TypeOID { .textArray }

    @inlinable
    public static func acceptsArray(_ type: TypeOID) -> Bool {
        type == .textArray || type.rawValue == 1015 || type.rawValue == 1003  // varchar, name
    }
}

extension UUID: PostgresArrayElement {
    @inlinable public static var arrayOID: TypeOID { .uuidArray }
}
