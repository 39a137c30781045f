import BabyBasicsAPI
import Synchronization

/// A user's requests that this process has taken from the shared counter and may let through without asking it again.
///
/// The counter, in `user_rates`, counts them when they are taken, so that all processes together never let more than the limit through.
/// What is not spent goes back when the user comes near the limit, which every request sees with its session, and ends with the minute.
/// A lease says nothing of the session: that is looked up in the database at each request.
struct RequestLease: Sendable {
    /// When the user's minute began.
    let since: Timestamp
    /// The counter when this was taken, all that was taken included.
    let requests: Int
    /// What is left of it.
    var unspent: Int

    /// How many may be taken at once. More than one is cheaper, but what one session's worker has not spent is refused to the user's next
    /// session at another: of 100 requests 93 were let through. The limit is 100, not about 100.
    static let size = 1
    /// From here on they are taken one by one. Far enough from the limit for every process to give back before it is reached.
    static let fewUntil = 60
    static let limit = 100
    static let window = Duration.seconds(60)

    func isOver(at now: Timestamp) -> Bool { since.adding(Self.window) <= now }
}

/// The leases of a process, by the hash of the session's token.
final class RequestLeases: Sendable {
    private let leases = Mutex<[String: RequestLease]>([:])
    /// More are not kept: the oldest would be of use to nobody.
    private static let capacity = 50_000

    /// Spends one of the session's requests.
    /// - Returns: the lease with one less; nil where there is none to spend.
    func spend(_ tokenHash: String, at now: Timestamp) -> RequestLease? {
        leases.withLock { leases in
            guard let index = leases.index(forKey: tokenHash) else { return nil }
            guard leases.values[index].unspent > 0, !leases.values[index].isOver(at: now) else {
                leases.remove(at: index)
                return nil
            }
            leases.values[index].unspent -= 1
            return leases.values[index]
        }
    }

    /// Keeps what was taken beyond the request at hand. Of two leases of one session the later stays with what is left of both.
    func keep(_ lease: RequestLease, for tokenHash: String, at now: Timestamp) {
        leases.withLock { leases in
            if leases.count >= Self.capacity {
                leases = leases.filter { !$0.value.isOver(at: now) }
            }
            guard leases.count < Self.capacity else { return }
            var kept = lease
            if let other = leases[tokenHash], other.since == lease.since {
                kept.unspent += other.unspent
            }
            leases[tokenHash] = kept
        }
    }

    /// Takes away what is left, to be given back to the counter.
    func end(_ tokenHash: String) -> RequestLease? {
        leases.withLock { $0.removeValue(forKey: tokenHash) }
    }
}
