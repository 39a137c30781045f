/// The five-character code by which PostgreSQL names an error. Decisions are made on this and the
/// constraint's name, never on a message.
public struct SQLState: RawRepresentable, Hashable, Sendable, CustomStringConvertible,
    ExpressibleByStringLiteral
{
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { rawValue = value }

    public var description: String { rawValue }

    public static let featureNotSupported: SQLState = "0A000"
    public static let notNullViolation: SQLState = "23502"
    public static let foreignKeyViolation: SQLState = "23503"
    public static let uniqueViolation: SQLState = "23505"
    public static let checkViolation: SQLState = "23514"
    public static let readOnlyTransaction: SQLState = "25006"
    public static let inFailedTransaction: SQLState = "25P02"
    public static let idleInTransactionTimeout: SQLState = "25P03"
    public static let invalidStatementName: SQLState = "26000"
    public static let deadlockDetected: SQLState = "40P01"
    public static let insufficientPrivilege: SQLState = "42501"
    public static let undefinedTable: SQLState = "42P01"
    public static let lockNotAvailable: SQLState = "55P03"
    public static let queryCanceled: SQLState = "57014"
}
