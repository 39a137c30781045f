extension Connection {
    /// Runs a statement and returns the number of rows it inserted, changed, deleted or selected.
    ///
    /// - Throws: `server` when PostgreSQL refuses; `outcomeUnknown` when the connection breaks under a statement
    ///   outside a transaction that does not begin with SELECT (a SELECT that writes, through a function, belongs into
    ///   a transaction); otherwise `connectionLost`.
    @discardableResult
    public func execute(_ sql: SQL) async throws -> Int {
        try await run(sql).affectedRows
    }

    /// Runs a statement and reads all its rows.
    public func rows<Value>(
        _ sql: SQL, _ make: (inout Row) throws -> Value
    ) async throws -> [Value] {
        var row = Row(try await run(sql), sql: sql.text)
        var values: [Value] = []
        values.reserveCapacity(row.count)
        while row.advance() { values.append(try make(&row)) }
        return values
    }

    /// Runs a statement and reads its first row; nil when there is none.
    public func first<Value>(
        _ sql: SQL, _ make: (inout Row) throws -> Value
    ) async throws -> Value? {
        var row = Row(try await run(sql), sql: sql.text)
        return row.advance() ? try make(&row) : nil
    }
}
