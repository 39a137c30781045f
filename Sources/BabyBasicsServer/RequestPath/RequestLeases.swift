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
    private struct Entry {
        var lease: RequestLease?
        /// When a request went to take several. Those that come meanwhile take one each, or a burst would take more than it spends.
        var takingSince: Timestamp?
    }

    enum Payment {
        /// From what was taken before, which is now one less.
        case lease(RequestLease)
        /// At the counter, where that many are to be taken.
        case counter(taking: Int)
    }

    private let entries = Mutex<[String: Entry]>([:])
    /// More are not kept: they are of use for a minute at most.
    private static let capacity = 50_000
    /// A taking that has not come back by then has failed.
    private static let patience = Duration.seconds(1)

    /// Spends one of the session's requests.
    func pay(_ tokenHash: String, at now: Timestamp) -> Payment {
        entries.withLock { entries in
            if let index = entries.index(forKey: tokenHash) {
                if var lease = entries.values[index].lease, lease.unspent > 0,
                    !lease.isOver(at: now)
                {
                    lease.unspent -= 1
                    entries.values[index].lease = lease
                    return .lease(lease)
                }
                if let since = entries.values[index].takingSince,
                    now.since(since) < Self.patience
                {
                    return .counter(taking: 1)
                }
            } else if entries.count >= Self.capacity {
                entries = entries.filter { $0.value.lease?.isOver(at: now) == false }
                if entries.count >= Self.capacity { return .counter(taking: 1) }
            }
            entries[tokenHash] = Entry(lease: nil, takingSince: now)
            return .counter(taking: RequestLease.size)
        }
    }

    /// Keeps what was taken beyond the request at hand.
    func keep(_ lease: RequestLease, for tokenHash: String) {
        entries.withLock { $0[tokenHash] = Entry(lease: lease, takingSince: nil) }
    }

    /// Takes away what is left, to be given back to the counter.
    func end(_ tokenHash: String) -> RequestLease? {
        entries.withLock { entries in
            guard let lease = entries.removeValue(forKey: tokenHash)?.lease, lease.unspent > 0
            else { return nil }
            return lease
        }
    }
}
