#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Bool: PostgresValue {
    @inlinable public static var oid: TypeOID { .bool }

    @inlinable
    public func encode(into encoder: inout ValueEncoder) { encoder.append(self ? 1 : 0) }

    @inlinable
    public static func decode(_ bytes: RawSpan, type: TypeOID) throws(ValueError) -> Bool {
        try bytes.bigEndian(UInt8.self) != 0
    }
}

/// Integers read every column that is not wider than they are.
extension Int16: PostgresValue {
    @inlinable public static var oid: TypeOID { .int2 }

    @inlinable
    public func encode(into encoder: inout ValueEncoder) { encoder.append(bigEndian: self) }

    @inlinable
    public static func decode(_ bytes: RawSpan, type: TypeOID) throws(ValueError) -> Int16 {
        try bytes.bigEndian(Int16.self)
    }
}

extension Int32: PostgresValue {
    @inlinable public static var oid: TypeOID { .int4 }

    @inlinable
    public static func accepts(_ type: TypeOID) -> Bool { type == .int4 || type == .int2 }

    @inlinable
    public func encode(into encoder: inout ValueEncoder) { encoder.append(bigEndian: self) }

    @inlinable
    public static func decode(_ bytes: RawSpan, type: TypeOID) throws(ValueError) -> Int32 {
        type == .int4 ? try bytes.bigEndian(Int32.self) : Int32(try bytes.bigEndian(Int16.self))
    }
}

extension Int64: PostgresValue {
    @inlinable public static var oid: TypeOID { .int8 }

    @inlinable
    public static func accepts(_ type: TypeOID) -> Bool {
        type == .int8 || type == .int4 || type == .int2
    }

    @inlinable
    public func encode(into encoder: inout ValueEncoder) { encoder.append(bigEndian: self) }

    @inlinable
    public static func decode(_ bytes: RawSpan, type: TypeOID) throws(ValueError) -> Int64 {
        if type == .int8 { return try bytes.bigEndian(Int64.self) }
        return Int64(try Int32.decode(bytes, type: type))
    }
}

extension Int: PostgresValue {
    @inlinable public static var oid: TypeOID { .int8 }

    @inlinable
    public static func accepts(_ type: TypeOID) -> Bool { Int64.accepts(type) }

    @inlinable
    public func encode(into encoder: inout ValueEncoder) { Int64(self).encode(into: &encoder) }

    @inlinable
    public static func decode(_ bytes: RawSpan, type: TypeOID) throws(ValueError) -> Int {
        Int(truncatingIfNeeded: try Int64.decode(bytes, type: type))
    }
}

extension Double: PostgresValue {
    @inlinable public static var oid: TypeOID { .float8 }

    @inlinable
    public static func accepts(_ type: TypeOID) -> Bool { type == .float8 || type == .float4 }

    @inlinable
    public func encode(into encoder: inout ValueEncoder) {
        encoder.append(bigEndian: bitPattern)
    }

    @inlinable
    public static func decode(_ bytes: RawSpan, type: TypeOID) throws(ValueError) -> Double {
        if type == .float8 { return Double(bitPattern: try bytes.bigEndian(UInt64.self)) }
        return Double(Float(bitPattern: try bytes.bigEndian(UInt32.self)))
    }
}

/// Sent as `text`; reads text, varchar, char(n), name, json and jsonb.
///
/// Columns of an enumeration, citext or a numeric need a cast (`::text`) in the statement.
extension String: PostgresValue {
    @inlinable public static var oid: TypeOID { .text }

    @inlinable
    public static func accepts(_ type: TypeOID) -> Bool {
        switch type {
        case .text, .varchar, .bpchar, .name, .json, .jsonb: true
        default: false
        }
    }

    @inlinable
    public func encode(into encoder: inout ValueEncoder) { encoder.append(utf8: self) }

    @inlinable
    public static func decode(_ bytes: RawSpan, type: TypeOID) throws(ValueError) -> String {
        let prefix = try JSONText.prefixLength(of: bytes, type: type)
        let text = bytes.extracting(droppingFirst: prefix)
        // `String(validating:)` of raw bytes takes a generic way that costs several times as much.
        return try unsafe text.withUnsafeBytes { raw throws(ValueError) in
            let bytes = unsafe raw.assumingMemoryBound(to: UInt8.self)
            do {
                return String(copying: unsafe try UTF8Span(validating: bytes.span))
            } catch {
                throw ValueError("not UTF-8")
            }
        }
    }
}

extension UUID: PostgresValue {
    @inlinable public static var oid: TypeOID { .uuid }

    @inlinable
    public func encode(into encoder: inout ValueEncoder) {
        unsafe withUnsafeBytes(of: uuid) { raw in
            unsafe encoder.append(contentsOf: raw)
        }
    }

    @inlinable
    public static func decode(_ bytes: RawSpan, type: TypeOID) throws(ValueError) -> UUID {
        guard bytes.byteCount == 16 else { throw ValueError("wrong length") }
        return UUID(uuid: unsafe bytes.unsafeLoadUnaligned(as: uuid_t.self))
    }
}
