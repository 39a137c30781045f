/// The text of a statement that is made once, for values that come with each use.
///
/// For the busiest statements: to put a long text together costs more than to send it.
///
/// ```swift
/// static let find = SQLTemplate(unescaped: "select name from children where id = $1")
/// try session.rows(find.binding(id)) { try $0.next(String.self) }
/// ```
public struct SQLTemplate: Sendable {
    private let text: String

    /// - Parameter text: with `$1`, `$2` … where values will be bound, each as often as it likes. Never from outside.
    public init(unescaped text: String) {
        self.text = text
    }

    /// The statement with these values, nil standing for NULL. It is no fragment of another statement.
    public func binding<each Value: PostgresValue>(_ value: repeat (each Value)?) -> SQL {
        var sql = SQL(stringLiteral: text)
        sql.encoder.bytes.reserveCapacity(128)
        repeat sql.bind(each value)
        return sql
    }
}

extension SQL {
    /// A parameter that the text names already.
    fileprivate mutating func bind<Value: PostgresValue>(_ value: Value?) {
        let start = encoder.bytes.count
        value?.encode(into: &encoder)
        let length = value == nil ? -1 : Int32(truncatingIfNeeded: encoder.bytes.count - start)
        parameters.append(
            Parameter(type: Value.oid, offset: start, length: length, position: SQL.unknownPosition)
        )
    }

    static let unknownPosition: Int32 = -1
}
