import Dispatch
import Synchronization

/// A connection that nobody uses.
///
/// Unchecked because `Connection` is for one thread at a time: whoever makes a `Parked` gives the
/// connection up, and only the one thread that the pool's lock hands it to takes it.
struct Parked: @unchecked Sendable {
    let connection: Connection
    /// `Monotonic.now` when it came back.
    let since: UInt64
}

/// What a thread that wants a session does next.
enum Turn: Sendable {
    case use(Parked)
    /// Opens a connection; its place is reserved.
    case open
    case wait(Waiter, isOutage: Bool)
    case fail(PostgresError)
}

/// A thread in the queue.
final class Waiter: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    private let result = Mutex<Turn?>(nil)

    var turn: Turn? { result.withLock { $0 } }

    /// Sets the turn under the pool's lock, so that a thread whose time is up can't miss it.
    func assign(_ turn: Turn) { result.withLock { $0 = turn } }

    func wake() { semaphore.signal() }

    func wait(_ limit: Duration) {
        _ = semaphore.wait(timeout: .now() + .milliseconds(limit.milliseconds))
    }
}

/// The pool's books. Every method is called under its lock and only decides; the connecting,
/// closing and waking is done outside.
struct PoolState: Sendable {
    private struct Outage {
        var attempts: Int
        /// No attempt before this moment.
        var until: UInt64
        /// Whether somebody is trying, and since when.
        var probeStart: UInt64? = nil
    }

    static let closed = PostgresError(.misuse("the pool is closed"))

    let maximum: Int
    private var idle: [Parked] = []
    /// Connections that exist, or have their place reserved.
    private var places = 0
    var waiters: [Waiter] = []
    private var outage: Outage?
    private var isClosed = false
    private var checkouts: UInt64 = 0
    var waits: UInt64 = 0
    var timeouts: UInt64 = 0
    /// Nanoseconds.
    var totalWait: UInt64 = 0

    init(maximum: Int) {
        self.maximum = maximum
    }

    var statistics: PoolStatistics {
        PoolStatistics(
            maximum: maximum, inUse: places - idle.count, idle: idle.count,
            waiting: waiters.count, checkouts: checkouts,
            waits: waits, timeouts: timeouts, totalWait: .nanoseconds(Int64(clamping: totalWait)),
            isAvailable: outage == nil)
    }

    mutating func checkout(at now: UInt64) -> Turn {
        checkouts &+= 1
        return nextTurn(at: now)
    }

    mutating func checkoutIdle() -> Parked? {
        guard !isClosed, waiters.isEmpty, let parked = idle.popLast() else { return nil }
        checkouts &+= 1
        return parked
    }

    private mutating func nextTurn(at now: UInt64) -> Turn {
        if isClosed { return .fail(Self.closed) }
        // The one used last is the likeliest to be well, and its caches are warm.
        if waiters.isEmpty, let parked = idle.popLast() { return .use(parked) }
        if places == maximum { return enqueue(isOutage: false) }
        guard let current = outage else {
            if !waiters.isEmpty { return enqueue(isOutage: false) }
            places += 1
            return .open
        }
        if let start = current.probeStart {
            if inUse > 1 { return enqueue(isOutage: false) }
            return now &- start < Self.patience ? enqueue(isOutage: true) : .fail(Self.away)
        }
        if now >= current.until {
            outage?.probeStart = now
            places += 1
            return .open
        }
        // Sessions in use may be well ("too many connections" is an outage, too): they come back.
        return inUse > 0 ? enqueue(isOutage: false) : .fail(Self.away)
    }

    private mutating func enqueue(isOutage: Bool) -> Turn {
        let waiter = Waiter()
        waiters.append(waiter)
        return .wait(waiter, isOutage: isOutage)
    }

    private var inUse: Int { places - idle.count }

    /// A connection was made in the caller's place.
    mutating func opened() -> (wasAway: Bool, woken: [Waiter]) {
        let wasAway = outage != nil
        outage = nil
        var woken: [Waiter] = []
        while places < maximum, let waiter = next(.open) {
            places += 1
            woken.append(waiter)
        }
        return (wasAway, woken)
    }

    /// No connection could be made; the caller's place is free again.
    mutating func failedToOpen(at now: UInt64) -> [Waiter] {
        places -= 1
        if outage == nil || outage?.probeStart != nil {
            let attempts = (outage?.attempts ?? 0) + 1
            outage = Outage(attempts: attempts, until: now &+ Self.delay(after: attempts))
        }
        return failWaitersIfHopeless()
    }

    /// The caller found its idle connection dead.
    mutating func replaceDead(at now: UInt64) -> (Turn, woken: [Waiter]) {
        if isClosed || outage != nil {
            places -= 1
            let turn = nextTurn(at: now)
            return (turn, failWaitersIfHopeless())
        }
        return (.open, [])
    }

    /// - Parameter parked: nil when the connection is gone.
    /// - Returns: a connection to close, and who goes on.
    mutating func giveBack(_ parked: Parked?, at now: UInt64) -> (closing: Parked?, woken: [Waiter])
    {
        if let parked, !isClosed {
            if let waiter = next(.use(parked)) { return (nil, [waiter]) }
            idle.append(parked)
            return (nil, [])
        }
        places -= 1
        if isClosed || outage != nil { return (parked, failWaitersIfHopeless()) }
        guard let waiter = next(.open) else { return (nil, []) }
        places += 1
        return (nil, [waiter])
    }

    /// Takes all idle connections out of the pool.
    mutating func takeIdle() -> [Parked] {
        places -= idle.count
        defer { idle.removeAll() }
        return idle
    }

    mutating func close() -> (idle: [Parked], woken: [Waiter]) {
        isClosed = true
        return (takeIdle(), failWaiters(Self.closed))
    }

    /// The thread that waited longest, with its turn assigned, to be woken.
    private mutating func next(_ turn: Turn) -> Waiter? {
        guard !waiters.isEmpty else { return nil }
        let waiter = waiters.removeFirst()
        waiter.assign(turn)
        return waiter
    }

    /// Nobody is left whose session, or whose attempt at one, the waiting could wait for.
    private mutating func failWaitersIfHopeless() -> [Waiter] {
        outage != nil && inUse == 0 ? failWaiters(Self.away) : []
    }

    private mutating func failWaiters(_ error: PostgresError) -> [Waiter] {
        var woken: [Waiter] = []
        while let waiter = next(.fail(error)) { woken.append(waiter) }
        return woken
    }

    private static let away = PostgresError(.unavailable(retryAfter: 1))

    /// How long a thread waits for another's attempt, in nanoseconds.
    static let patience: UInt64 = 250_000_000

    /// 50 ms, 100 ms … 0.8 s, less up to half of it so that processes do not come all at once.
    private static func delay(after attempts: Int) -> UInt64 {
        let most = UInt64(50_000_000) << UInt64(min(4, max(0, attempts - 1)))
        return UInt64.random(in: most / 2...most)
    }
}
