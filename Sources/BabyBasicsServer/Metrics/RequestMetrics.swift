import BabyBasicsAPI
import Cryptography
import Postgres

/// What has been counted of requests since the process started. All labels are known beforehand, so nothing that a client sends can
/// make more of them, and none is personal.
final class RequestMetrics: Sendable {
    /// Every status that the server answers with; the last stands for any other.
    static let statuses =
        [200, 201, 202, 204] + Set(ErrorCode.allCases.map(\.status)).sorted() + [0]

    /// One endpoint's numbers.
    final class Endpoint: Sendable {
        /// Nil stands for requests that met no endpoint.
        let description: EndpointDescription?
        /// In the order of `statuses`.
        let latencies: [LatencyHistogram] = statuses.map { _ in LatencyHistogram() }
        let databaseNanoseconds = Counter()
        let databaseRoundTrips = Counter()

        init(_ description: EndpointDescription?) { self.description = description }
    }

    /// In the order of the route table, and last the requests that met none.
    let endpoints: [Endpoint]
    private let refusals = RateLimitName.allCases.map { _ in Counter() }
    private let failures = FailureCause.allCases.map { _ in Counter() }

    init(_ endpoints: [EndpointDescription]) {
        self.endpoints = endpoints.map(Endpoint.init) + [Endpoint(nil)]
    }

    /// - Parameter route: its number in the route table; nil for a request that met none.
    func record(route: Int?, status: Int, nanoseconds: UInt64, database: DatabaseUse) {
        let endpoint = endpoints[route ?? endpoints.count - 1]
        let index = Self.statuses.firstIndex(of: status) ?? Self.statuses.count - 1
        endpoint.latencies[index].record(nanoseconds: nanoseconds)
        guard database.roundTrips > 0 else { return }
        endpoint.databaseNanoseconds.add(database.nanoseconds)
        endpoint.databaseRoundTrips.add(UInt64(database.roundTrips))
    }

    func count(refusalBy limit: RateLimitName) { refusals[limit.rawValue].add() }

    func count(_ cause: FailureCause) { failures[cause.rawValue].add() }

    func refusals(by limit: RateLimitName) -> UInt64 { refusals[limit.rawValue].value }

    func failures(_ cause: FailureCause) -> UInt64 { failures[cause.rawValue].value }
}

/// Which limit a request was over.
enum RateLimitName: Int, CaseIterable, Sendable {
    case user, register, login, resetPassword, forgotPassword, verifyEmail, acceptInvite, previewInvite
    /// Checks of one's own password.
    case ownPassword
    /// One account's failed sign-ins.
    case account
    /// Mails that one account asks for.
    case mail

    init(_ bucket: RateLimit.Bucket) {
        self =
            switch bucket {
            case .register: .register
            case .login: .login
            case .resetPassword: .resetPassword
            case .forgotPassword: .forgotPassword
            case .verifyEmail: .verifyEmail
            case .acceptInvite: .acceptInvite
            case .previewInvite: .previewInvite
            }
    }

    var label: String {
        switch self {
        case .user: "user"
        case .register: RateLimit.Bucket.register.rawValue
        case .login: RateLimit.Bucket.login.rawValue
        case .resetPassword: RateLimit.Bucket.resetPassword.rawValue
        case .forgotPassword: RateLimit.Bucket.forgotPassword.rawValue
        case .verifyEmail: RateLimit.Bucket.verifyEmail.rawValue
        case .acceptInvite: RateLimit.Bucket.acceptInvite.rawValue
        case .previewInvite: RateLimit.Bucket.previewInvite.rawValue
        case .ownPassword: "own-password"
        case .account: "account"
        case .mail: "mail"
        }
    }
}

/// Why a request was answered with 500 or 503.
enum FailureCause: Int, CaseIterable, Sendable {
    case databaseUnavailable, connectionLost, outcomeUnknown, poolTimeout, statementRefused
    case hashingQueueFull
    /// A mistake in the server itself.
    case other

    init(_ error: any Error) {
        self =
            switch error {
            case let error as PostgresError:
                switch error.kind {
                case .unavailable: .databaseUnavailable
                case .connectionLost: .connectionLost
                case .outcomeUnknown: .outcomeUnknown
                case .poolTimeout: .poolTimeout
                case .server: .statementRefused
                case .decoding, .transactionAborted, .misuse: .other
                }
            case CryptographyError.hashingQueueFull: .hashingQueueFull
            default: .other
            }
    }

    var label: String {
        switch self {
        case .databaseUnavailable: "database_unavailable"
        case .connectionLost: "connection_lost"
        case .outcomeUnknown: "outcome_unknown"
        case .poolTimeout: "pool_timeout"
        case .statementRefused: "statement_refused"
        case .hashingQueueFull: "hashing_queue_full"
        case .other: "other"
        }
    }
}
