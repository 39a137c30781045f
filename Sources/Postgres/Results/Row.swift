import CLibPQ

/// The row that is being read, column by column from the left.
///
/// ```swift
/// let user = try await connection.first("select id, email, name from users where id = \(id)") { row in
///     User(id: try row.next(), email: try row.next(), name: try row.next())
/// }
/// ```
@safe
public struct Row: ~Copyable {
    /// A column's bytes, valid as long as the row's result.
    @usableFromInline
    @safe
    struct Cell {
        /// Nil for NULL.
        @usableFromInline let start: UnsafeRawPointer?
        @usableFromInline let count: Int
        @usableFromInline let type: TypeOID
    }

    private let result: QueryResult
    private let sql: String
    private let columnCount: Int32
    private let rowCount: Int32
    private var row: Int32
    private var column: Int32 = 0

    init(_ result: QueryResult, sql: String) {
        columnCount = result.columnCount
        rowCount = result.rowCount
        row = -1
        self.result = result
        self.sql = sql
    }

    @usableFromInline
    var count: Int { Int(rowCount) }

    /// Goes to the next row, false when there is none.
    mutating func advance() -> Bool {
        column = 0
        guard row + 1 < rowCount else { return false }
        row += 1
        return true
    }

    /// The next column. NULL, another type and a value that can't be read are errors (`decoding`).
    @inlinable
    public mutating func next<Value: PostgresValue>(
        _ type: Value.Type = Value.self
    ) throws -> Value {
        let cell = try nextCell()
        guard let start = unsafe cell.start else { throw failure("is NULL") }
        guard Value.accepts(cell.type) else { throw mismatch(cell.type, Value.oid) }
        do {
            return try Value.decode(
                unsafe RawSpan(_unsafeStart: start, byteCount: cell.count), type: cell.type)
        } catch {
            throw failure(error.reason)
        }
    }

    /// The next column, nil for NULL.
    @inlinable
    public mutating func next<Value: PostgresValue>(
        _ type: Value?.Type = Value?.self
    ) throws -> Value? {
        let cell = try nextCell()
        guard Value.accepts(cell.type) else { throw mismatch(cell.type, Value.oid) }
        guard let start = unsafe cell.start else { return nil }
        do {
            return try Value.decode(
                unsafe RawSpan(_unsafeStart: start, byteCount: cell.count), type: cell.type)
        } catch {
            throw failure(error.reason)
        }
    }

    /// Passes over the next `count` columns.
    public mutating func skip(_ count: Int = 1) {
        column += Int32(clamping: count)
    }

    @usableFromInline
    mutating func nextCell() throws -> Cell {
        guard column < columnCount, (0..<rowCount).contains(row) else {
            throw failure("there is no such column")
        }
        let index = column
        column += 1
        let type = TypeOID(rawValue: unsafe PQftype(result.handle, index))
        let count = unsafe PQgetlength(result.handle, row, index)
        if count == 0, unsafe PQgetisnull(result.handle, row, index) == 1 {
            return unsafe Cell(start: nil, count: 0, type: type)
        }
        return unsafe Cell(
            start: UnsafeRawPointer(PQgetvalue(result.handle, row, index)), count: Int(count),
            type: type)
    }

    /// An error about the column last read.
    @usableFromInline
    func failure(_ reason: String) -> PostgresError {
        let index = max(0, column - 1)
        let name = index < columnCount ? result.columnName(index) : "\(index + 1)"
        return PostgresError(.decoding(column: name, reason: reason), sql: sql)
    }

    @usableFromInline
    func mismatch(_ type: TypeOID, _ wanted: TypeOID) -> PostgresError {
        failure("is \(type), not \(wanted)")
    }
}
