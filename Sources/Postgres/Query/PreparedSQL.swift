/// The text of a statement that is made once, for values that come with each use.
///
/// For the busiest statements: to put a long text together costs more than to send it.
///
/// ```swift
/// static let find = PreparedSQL(unescaped: "select name from children where id = $1")
/// try await connection.rows(find.binding(id)) { try $0.next(String.self) }
/// ```
public struct PreparedSQL: Sendable {
    /// With `$1`, `$2` … where values are bound.
    public let text: String

    /// - Parameter text: with `$1`, `$2` … where values will be bound, each as often as it likes. Never from outside.
    public init(unescaped text: String) { self.text = text }

    /// The statement with these values, nil standing for NULL. It is no fragment of another statement.
    @inlinable
    public func binding<each Value: PostgresValue>(_ value: repeat (each Value)?) -> SQL {
        var values = values()
        repeat values.append(each value)
        return values.statement
    }

    /// The same for values that the caller has one by one.
    @inlinable
    public func binding(by append: (inout Values) -> Void) -> SQL {
        var values = values()
        append(&values)
        return values.statement
    }

    @usableFromInline
    func values() -> Values {
        var statement = SQL(stringLiteral: text)
        statement.encoder.bytes.reserveCapacity(128)
        statement.parameters.reserveCapacity(8)
        return Values(statement: statement)
    }

    /// A statement with the values that it has so far.
    public struct Values {
        @usableFromInline var statement: SQL

        /// The value of the next `$n`, nil standing for NULL.
        @inlinable
        public mutating func append<Value: PostgresValue>(_ value: Value?) {
            let start = statement.encoder.bytes.count
            value?.encode(into: &statement.encoder)
            let length = statement.encoder.bytes.count - start
            statement.parameters.append(
                SQL.Parameter(
                    type: Value.oid, offset: start,
                    length: value == nil ? -1 : Int32(truncatingIfNeeded: length),
                    position: SQL.unknownPosition))
        }
    }
}

extension SQL {
    /// Of a parameter that the text named already.
    @usableFromInline static var unknownPosition: Int32 { -1 }
}
