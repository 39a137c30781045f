/// What went wrong, and in which statement.
///
/// Nothing here shows an argument: the description has the kind, the SQLSTATE, the constraint and
/// the statement's text with `$n`. DETAIL, HINT and CONTEXT, which quote rows, are not even kept.
public struct PostgresError: Error, Sendable {
    public enum Kind: Sendable {
        /// The server refused the statement. `message` is its primary message: it may quote a
        /// value (`invalid input syntax for type uuid: "…"`), so it is left out of every
        /// description and of reflection. For an operator's own scripts only, never for an answer.
        case server(SQLState, constraint: String?, message: String)
        /// The connection is gone and nothing of the statement or its transaction was committed.
        case connectionLost
        /// The connection was lost, or the wait for a standby was cancelled, at a point where the
        /// work may or may not be committed. Never to be repeated blindly.
        case outcomeUnknown
        /// The database can't be reached at present; worth another try after so many seconds (≥ 1).
        case unavailable(retryAfter: Int)
        /// All connections stayed in use for the whole of the configured wait.
        case poolTimeout
        /// A column is not what the code reads it as.
        case decoding(column: String, reason: String)
        /// The body of a transaction swallowed an error; PostgreSQL had to roll back at COMMIT.
        case transactionAborted
        /// A mistake in the calling code, such as a transaction inside a transaction.
        case misuse(String)
    }

    public let kind: Kind

    /// The statement's text, its arguments as `$n`; empty when there was none.
    public let sql: String

    /// Where in `sql` the server saw the error, in characters from 1; nil when it did not say.
    public let position: Int?

    public init(_ kind: Kind, sql: String = "", position: Int? = nil) {
        self.kind = kind
        self.sql = sql
        self.position = position
    }
}

extension PostgresError {
    public var sqlState: SQLState? {
        if case .server(let state, _, _) = kind { state } else { nil }
    }

    /// The name of the constraint that refused the statement.
    public var constraint: String? {
        if case .server(_, let constraint, _) = kind { constraint } else { nil }
    }

    /// The server's primary message, which may quote values. See `Kind.server`.
    public var message: String? {
        if case .server(_, _, let message) = kind { message } else { nil }
    }
}

extension PostgresError: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String {
        sql.isEmpty ? "PostgreSQL: \(kind)" : "PostgreSQL: \(kind) in «\(sql.prefix(1000))»"
    }

    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension PostgresError.Kind: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    public var description: String {
        switch self {
        case .server(let state, let constraint, _):
            constraint.map { "error \(state), constraint \($0)" } ?? "error \(state)"
        case .connectionLost: "connection lost"
        case .outcomeUnknown: "outcome unknown"
        case .unavailable(let seconds): "unavailable, retry after \(seconds) s"
        case .poolTimeout: "no connection became free in time"
        case .decoding(let column, let reason): "column \(column): \(reason)"
        case .transactionAborted: "the transaction had failed before its COMMIT"
        case .misuse(let mistake): "misuse: \(mistake)"
        }
    }

    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
