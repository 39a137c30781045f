import BabyBasicsAPI
import BabyBasicsClient
import GRDB

/// How long to wait after failures in a row: doubled each time, with chance in it. What the server asks for is waited
/// besides; see `SyncEngine.waitAsAsked`.
struct Backoff {
    var first = Duration.seconds(1)
    var longest = Duration.seconds(120)
    private(set) var failures = 0

    mutating func succeeded() { failures = 0 }

    /// - Parameter fraction: 0 up to 1, random.
    mutating func pause(fraction: Double) -> Duration {
        let ceiling = min(longest, first * (1 << min(failures, 20)))
        failures += 1
        return ceiling * (0.5 + fraction / 2)
    }
}

/// An error as it may stand in a log: without addresses, ids and what a person wrote.
func logged(_ error: any Error) -> String {
    switch error {
    case let failure as APIFailure: "status \(failure.status), request \(failure.requestID ?? "-")"
    case let failure as TransportFailure: "\(failure.reason)"
    case let answer as UnreadableAnswer: "unreadable answer, status \(answer.status)"
    case let error as DatabaseError: "SQLite \(error.extendedResultCode)"
    default: "\(type(of: error))"
    }
}

/// What an error means for syncing.
enum Verdict {
    /// Another time may end better.
    case later(SyncObstacle, after: Duration?)
    case signedOut
    /// The request itself is refused.
    case refused(APIFailure)
    /// A mistake of ours or of this device.
    case broken(any Error)

    init(_ error: any Error) {
        switch error {
        case let failure as APIFailure:
            switch failure.status {
            case 401: self = .signedOut
            case 408, 425, 429, 500...: self = .later(.busy, after: failure.retryAfter)
            default: self = .refused(failure)
            }
        case is TransportFailure: self = .later(.noConnection, after: nil)
        case is UnreadableAnswer: self = .later(.notTheServer, after: nil)
        default: self = .broken(error)
        }
    }
}
