import EventLoop

extension Pool {
    /// Runs one statement and reads all its rows: on a shared connection where it only reads, else on one for itself.
    ///
    /// - Parameter use: gets what it cost.
    /// - Throws: as `Connection.rows` and `withConnection`.
    public func rows<Value>(
        _ sql: SQL, adding use: inout DatabaseUse, _ make: (inout Row) throws -> Value
    ) async throws -> [Value] {
        if sql.onlyReads { return try await read(sql, adding: &use, make) }
        return try await change(sql, adding: &use, make)
    }

    /// Runs one statement, and returns the number of rows it inserted, changed, deleted or selected.
    public func execute(_ sql: SQL, adding use: inout DatabaseUse) async throws -> Int {
        let connection = try await checkout()
        defer { giveBack(connection) }
        defer { use += connection.use }
        return try await connection.execute(sql)
    }

    /// Runs one statement that changes something, and reads all its rows.
    public func change<Value>(
        _ sql: SQL, adding use: inout DatabaseUse, _ make: (inout Row) throws -> Value
    ) async throws -> [Value] {
        let connection = try await checkout()
        defer { giveBack(connection) }
        defer { use += connection.use }
        return try await connection.rows(sql, make)
    }

    /// Runs a statement that changes nothing, and reads all its rows. It shares a connection with other tasks' readings, each a
    /// transaction of its own.
    public func read<Value>(
        _ sql: SQL, adding use: inout DatabaseUse, _ make: (inout Row) throws -> Value
    ) async throws -> [Value] {
        guard let connection = try await sharedConnection() else {
            return try await change(sql, adding: &use, make)
        }
        let start = Monotonic.now
        defer { use.countRoundTrip(since: start) }
        return try await connection.rows(sql, make)
    }
}
