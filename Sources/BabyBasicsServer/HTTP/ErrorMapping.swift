import BabyBasicsAPI
import Cryptography
import Postgres

/// What a client is told of an error that no handler meant: the one table from causes to codes.
func apiError(for error: any Error) -> APIError {
    switch error {
    case let error as APIError: error
    case let error as PostgresError: apiError(for: error)
    case CryptographyError.hashingQueueFull: .unavailable(retryAfter: 2)
    case is NotLocked: .unavailable(retryAfter: 1)
    default: .unexplained
    }
}

private func apiError(for error: PostgresError) -> APIError {
    switch error.kind {
    case .unavailable(let retryAfter): .unavailable(retryAfter: retryAfter)
    // Whether the change was made is not known, so neither success nor failure may be claimed.
    case .connectionLost, .outcomeUnknown, .poolTimeout: .unavailable(retryAfter: 1)
    case .server(.uniqueViolation, let constraint, _):
        APIError.violation(of: constraint) ?? .unexplained
    case .server(let sqlstate, _, _):
        isTransient(sqlstate) ? .unavailable(retryAfter: 1) : .unexplained
    default: .unexplained
    }
}

/// SQLSTATEs after which the same request can succeed: lost connections, resources, timeouts, shutdown, deadlock, read-only standby.
private func isTransient(_ state: SQLState) -> Bool {
    ["08", "53", "57"].contains(String(state.rawValue.prefix(2)))
        || ["40001", "40P01", "55P03", "25006", "25P03"].contains(state.rawValue)
}
