import Postgres

/// What gives values one after the other: a row of a result, or a record within a row.
protocol ColumnReader: ~Copyable {
    mutating func next<Value: PostgresValue>(_ type: Value.Type) throws -> Value
    /// Nil for NULL.
    mutating func next<Value: PostgresValue>(_ type: Value?.Type) throws -> Value?
    mutating func skip(_ count: Int)
}

extension ColumnReader where Self: ~Copyable {
    mutating func next<Value: PostgresValue>() throws -> Value { try next(Value.self) }
    mutating func next<Value: PostgresValue>() throws -> Value? { try next(Value?.self) }
    mutating func skip() { skip(1) }
}

extension Row: ColumnReader {}

/// PostgreSQL's `record`, made by `row(…)`: a row within a row, read field by field from the left.
///
/// In binary form: the number of fields; for each its type, its length (−1 for NULL) and its bytes.
struct Record: Sendable {
    private let bytes: [UInt8]
    private var offset = 4

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The next field, as its type and where its bytes are; nil for those of NULL.
    private mutating func nextField() throws(ValueError) -> (type: TypeOID, bytes: Range<Int>?) {
        let bytes = bytes
        let all = bytes.span.bytes
        let type = TypeOID(rawValue: try all.bigEndian(UInt32.self, at: offset))
        let length = Int(try all.bigEndian(Int32.self, at: offset + 4))
        let start = offset + 8
        guard length >= 0 else {
            offset = start
            return (type, nil)
        }
        guard length <= bytes.count - start else { throw ValueError("wrong length") }
        offset = start + length
        return (type, start..<offset)
    }
}

extension Record: ColumnReader {
    mutating func next<Value: PostgresValue>(_ type: Value.Type) throws -> Value {
        guard let value = try next(Value?.self) else { throw ValueError("NULL in a record") }
        return value
    }

    mutating func next<Value: PostgresValue>(_ type: Value?.Type) throws -> Value? {
        let field = try nextField()
        guard Value.accepts(field.type) else { throw ValueError("a field of another type") }
        guard let range = field.bytes else { return nil }
        return try Value.decode(bytes.span.bytes.extracting(range), type: field.type)
    }

    /// Passes over fields; what is missing shows when the next one is read.
    mutating func skip(_ count: Int) {
        for _ in 0..<count { _ = try? nextField() }
    }
}

extension Record: PostgresValue {
    static var oid: TypeOID { TypeOID(rawValue: 2249) }

    func encode(into encoder: inout ValueEncoder) { encoder.append(contentsOf: bytes) }

    static func decode(_ bytes: RawSpan, type: TypeOID) throws(ValueError) -> Record {
        Record(try [UInt8].decode(bytes, type: type))
    }
}
