public import Logging

/// One connection to the database, for one thread at a time.
///
/// ```swift
/// try pool.withSession { session in
///     try session.transaction {
///         let names = try session.rows("select name from children where family_id = \(id)") {
///             try $0.next(String.self)
///         }
///         try session.enqueue("insert into audit_logs (entity_id) values (\(id))")
///     }
/// }
/// ```
///
/// Every statement is prepared when it is first used and kept by its text. A session whose
/// connection broke stays broken (`connectionLost`); take another one from the pool. Settings made
/// by `SET`, session-level locks and temporary tables stay with the connection: use the forms that
/// end with the transaction (`SET LOCAL`, `pg_advisory_xact_lock`).
public final class Session {
    private var connection: Connection?

    init(_ connection: Connection) {
        self.connection = connection
    }

    /// A connection of one's own, outside any pool, closed when the session goes.
    ///
    /// - Throws: `unavailable` when the database can't be reached, `misuse` for a malformed URL.
    public convenience init(_ configuration: SessionConfiguration, logger: Logger) throws {
        self.init(try Connection(configuration, logger: logger))
    }

    /// Ends the connection; later statements throw `connectionLost`.
    public func close() {
        connection?.close()
    }

    /// Takes the connection away: who kept the session beyond its lease holds nothing.
    func detach() -> Connection? {
        defer { connection = nil }
        return connection
    }

    func live() throws -> Connection {
        guard let connection else { throw PostgresError(.misuse("the session was given back")) }
        return connection
    }

    /// Runs a statement and returns the number of rows it inserted, changed, deleted or selected.
    ///
    /// - Throws: `server` when PostgreSQL refuses; `outcomeUnknown` when the connection breaks
    ///   under a statement outside a transaction that does not begin with SELECT (a SELECT that
    ///   writes, through a function, belongs into a transaction); otherwise `connectionLost`.
    @discardableResult
    public func execute(_ sql: SQL) throws -> Int {
        try live().run(sql).affectedRows
    }

    /// Runs a statement and reads its rows until `read` returns false.
    @usableFromInline
    func read(_ sql: SQL, _ read: (inout Row) throws -> Bool) throws {
        var row = Row(try live().run(sql), sql: sql.text)
        while row.advance(), try read(&row) {}
    }

    /// Runs a statement and reads all its rows.
    @inlinable
    public func rows<Value>(
        _ sql: SQL, _ make: (inout Row) throws -> Value
    ) throws -> [Value] {
        var values: [Value] = []
        try read(sql) { row in
            if values.isEmpty { values.reserveCapacity(row.count) }
            values.append(try make(&row))
            return true
        }
        return values
    }

    /// Sends a statement outside a transaction without waiting for its answer. The next call must be one that runs the same statement,
    /// after the same prelude: it reads the answer.
    ///
    /// - Returns: a descriptor that becomes readable with the answer, if all has been sent.
    /// - Throws: `misuse` in a transaction; otherwise what running it throws.
    public func send(_ sql: SQL, after prelude: SQL? = nil) throws -> CInt? {
        let connection = try live()
        try connection.send(sql, after: prelude)
        return connection.awaited
    }

    /// Runs a statement outside a transaction, or the first of one, and reads all its rows. `prelude` travels ahead of it, in the same
    /// round trip, but is a statement of its own: what it did stays done when the rest fails.
    ///
    /// - Parameter reading: gets the prelude's first row, also when the rest has failed.
    /// - Throws: `misuse` where the transaction has sent a statement already.
    public func rows<Value>(
        _ sql: SQL, after prelude: SQL, reading: (inout Row) throws -> Void,
        making: (inout Row) throws -> Value
    ) throws -> [Value] {
        let connection = try live()
        let result = Result { try connection.run(sql, after: prelude) }
        if let first = connection.preludeResult.take() {
            var row = Row(first, sql: prelude.text)
            if row.advance() { try reading(&row) }
        }
        var row = Row(try result.get(), sql: sql.text)
        var values: [Value] = []
        while row.advance() {
            values.append(try making(&row))
        }
        return values
    }

    /// Runs a statement and reads its first row; nil when there is none.
    @inlinable
    public func first<Value>(
        _ sql: SQL, _ make: (inout Row) throws -> Value
    ) throws -> Value? {
        var value: Value?
        try read(sql) { row in
            value = try make(&row)
            return false
        }
        return value
    }

    /// Runs a text of any number of statements, without parameters or results: for migrations.
    ///
    /// Outside a transaction all of them are one. Transaction control in the text is `misuse`.
    public func script(_ text: String) throws {
        try live().script(text)
    }
}

/// A connection belongs to one thread at a time.
@available(*, unavailable)
extension Session: Sendable {}

extension Session {
    public enum Isolation: String, Sendable {
        case readCommitted = "READ COMMITTED"
        case repeatableRead = "REPEATABLE READ"
        case serializable = "SERIALIZABLE"
    }

    /// Whether the caller is inside `transaction`.
    public var isInTransaction: Bool { connection?.isInTransaction ?? false }

    /// What the session has cost so far; nothing once it was given back.
    public var use: SessionUse { connection?.use ?? SessionUse() }

    /// The server process behind the session, for `pg_terminate_backend` and logs.
    public var processIdentifier: Int32 { connection?.processIdentifier ?? 0 }

    /// The number of statements prepared on the connection at present.
    public var preparedStatements: Int { connection?.statements.count ?? 0 }

    /// Runs `body` in a transaction: COMMIT when it returns, ROLLBACK when it throws.
    ///
    /// BEGIN travels with the first statement, so a transaction costs one round trip more than its
    /// statements, and a body without any costs none.
    ///
    /// - Throws: what `body` throws; `transactionAborted` when `body` swallowed an error;
    ///   `outcomeUnknown` when the connection breaks during COMMIT, or COMMIT did not wait for its
    ///   standby: never to be repeated blindly; `misuse` inside another transaction.
    @discardableResult
    public func transaction<Value>(
        isolation: Isolation = .readCommitted, readOnly: Bool = false,
        _ body: () throws -> Value
    ) throws -> Value {
        let connection = try live()
        guard !connection.isInTransaction else {
            throw PostgresError(.misuse("a transaction inside a transaction"))
        }
        connection.transaction = .pending(begin: Self.begin(isolation, readOnly))
        let value: Value
        do {
            value = try body()
        } catch {
            connection.abandonTransaction()
            throw error
        }
        try connection.commit()
        return value
    }

    /// Has a statement of the transaction travel with the next one, or with COMMIT, at no round
    /// trip of its own: for writes whose result nobody reads, such as audit rows.
    ///
    /// An error it meets is thrown by the statement it travels with, and names its own text.
    public func enqueue(_ sql: SQL) throws {
        let connection = try live()
        guard connection.isInTransaction else {
            throw PostgresError(.misuse("enqueue outside a transaction"), sql: sql.text)
        }
        connection.queue.append(sql)
    }

    private static func begin(_ isolation: Isolation, _ readOnly: Bool) -> SQL {
        if isolation == .readCommitted, !readOnly { return begin }
        return SQL(
            stringLiteral:
                "BEGIN ISOLATION LEVEL \(isolation.rawValue)\(readOnly ? " READ ONLY" : "")")
    }

    private static let begin: SQL = "BEGIN ISOLATION LEVEL READ COMMITTED"
}
