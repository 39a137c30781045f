import CLibPQ

/// A result, cleared when nobody has it any more.
@safe
final class QueryResult {
    let handle: OpaquePointer

    init(owning handle: OpaquePointer) {
        unsafe self.handle = unsafe handle
    }

    deinit { unsafe PQclear(handle) }

    var status: ExecStatusType { unsafe PQresultStatus(handle) }
    var rowCount: Int32 { unsafe PQntuples(handle) }
    var columnCount: Int32 { unsafe PQnfields(handle) }

    /// Rows inserted, updated, deleted or returned; 0 for statements that have no such number.
    var affectedRows: Int {
        guard let text = unsafe PQcmdTuples(handle) else { return 0 }
        return Int(unsafe String(cString: text)) ?? 0
    }

    /// What was done, `INSERT 0 1` or `ROLLBACK`.
    var command: String {
        guard let text = unsafe PQcmdStatus(handle) else { return "" }
        return unsafe String(cString: text)
    }

    func columnName(_ column: Int32) -> String {
        guard let name = unsafe PQfname(handle, column) else { return "\(column + 1)" }
        return unsafe String(cString: name)
    }

    /// The server ends the connection with this error.
    var isFatal: Bool {
        let severity = unsafe field(BB_DIAG_SEVERITY, of: handle)
        return severity == "FATAL" || severity == "PANIC"
    }

    /// Nil when libpq made the error itself: then there is no connection any more.
    var sqlState: SQLState? {
        unsafe field(BB_DIAG_SQLSTATE, of: handle).map(SQLState.init(rawValue:))
    }

    func error(_ state: SQLState, sql: String) -> PostgresError {
        PostgresError(
            .server(
                state, constraint: unsafe field(BB_DIAG_CONSTRAINT, of: handle).map(Self.withoutShard),
                message: unsafe field(BB_DIAG_MESSAGE, of: handle) ?? ""),
            sql: sql,
            position: unsafe field(BB_DIAG_POSITION, of: handle).flatMap { Int($0) })
    }

    /// Citus has its shard's number behind a constraint's name: `events_pkey_102014`.
    static func withoutShard(_ constraint: String) -> String {
        let digits = constraint.reversed().prefix { ("0"..."9").contains($0) }.count
        let name = constraint.dropLast(digits)
        return digits >= 6 && name.last == "_" ? String(name.dropLast()) : constraint
    }
}
