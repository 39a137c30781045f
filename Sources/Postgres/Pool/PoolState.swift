import EventLoop

/// A connection that nobody uses.
struct IdleConnection {
    let connection: Connection
    /// `Monotonic.now` when it came back.
    let since: UInt64
}

/// What a task that wants a connection does next.
enum CheckoutDecision {
    case use(IdleConnection)
    /// Opens a connection; its place is reserved.
    case open
    case wait(Waiter, isOutage: Bool)
    case fail(PostgresError)
}

/// A task in the queue for a connection.
final class Waiter {
    private var assigned: CheckoutDecision?
    private var waiting: SuspendedTask?

    func assign(_ decision: CheckoutDecision) {
        assigned = decision
        waiting.take()?.resume()
    }

    /// Suspends until there is one.
    func decision() async -> CheckoutDecision {
        if assigned == nil { await suspend { waiting = $0 } }
        return assigned ?? .fail(PoolState.closed)
    }
}

/// The pool's books. Its methods decide, and tell waiting tasks; connecting and closing is done outside.
struct PoolState {
    private struct Outage {
        var attempts: Int
        /// No attempt before this moment.
        var until: UInt64
        /// Whether somebody is trying, and since when.
        var probeStart: UInt64? = nil
    }

    static let closed = PostgresError(.misuse("the pool is closed"))

    let maximum: Int
    private var idle: [IdleConnection] = []
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

    mutating func checkout(at now: UInt64) -> CheckoutDecision {
        checkouts &+= 1
        return next(at: now)
    }

    private mutating func next(at now: UInt64) -> CheckoutDecision {
        if isClosed { return .fail(Self.closed) }
        // The one used last is the likeliest to be well, and its caches are warm.
        if waiters.isEmpty, let idleConnection = idle.popLast() { return .use(idleConnection) }
        if places == maximum { return enqueue(isOutage: false) }
        guard let current = outage else {
            if !waiters.isEmpty { return enqueue(isOutage: false) }
            places += 1
            return .open
        }
        if let start = current.probeStart {
            if inUse > 1 { return enqueue(isOutage: false) }
            return now &- start < Self.outageWait.nanoseconds ? enqueue(isOutage: true) : .fail(Self.away)
        }
        if now >= current.until {
            outage?.probeStart = now
            places += 1
            return .open
        }
        // Connections in use may be well ("too many connections" is an outage, too): they come back.
        return inUse > 0 ? enqueue(isOutage: false) : .fail(Self.away)
    }

    private mutating func enqueue(isOutage: Bool) -> CheckoutDecision {
        let waiter = Waiter()
        waiters.append(waiter)
        return .wait(waiter, isOutage: isOutage)
    }

    private var inUse: Int { places - idle.count }

    /// A connection was made in the caller's place.
    /// - Returns: whether the database had been away.
    mutating func opened() -> Bool {
        let wasAway = outage != nil
        outage = nil
        while places < maximum, tellFirst(.open) { places += 1 }
        return wasAway
    }

    /// No connection could be made; the caller's place is free again.
    mutating func failedToOpen(at now: UInt64) {
        places -= 1
        if outage == nil || outage?.probeStart != nil {
            let attempts = (outage?.attempts ?? 0) + 1
            outage = Outage(attempts: attempts, until: now &+ Self.delay(after: attempts))
        }
        failWaitersIfHopeless()
    }

    /// The caller found its idle connection dead.
    mutating func replaceDead(at now: UInt64) -> CheckoutDecision {
        guard isClosed || outage != nil else { return .open }
        places -= 1
        defer { failWaitersIfHopeless() }
        return next(at: now)
    }

    /// - Parameter connection: nil when it is gone.
    /// - Returns: a connection to close.
    mutating func giveBack(_ connection: IdleConnection?, at now: UInt64) -> IdleConnection? {
        if let connection, !isClosed {
            if !tellFirst(.use(connection)) { idle.append(connection) }
            return nil
        }
        places -= 1
        if isClosed || outage != nil {
            failWaitersIfHopeless()
            return connection
        }
        if tellFirst(.open) { places += 1 }
        return nil
    }

    /// Takes all idle connections out of the pool.
    mutating func takeIdle() -> [IdleConnection] {
        places -= idle.count
        defer { idle.removeAll() }
        return idle
    }

    /// Returns the idle connections.
    mutating func close() -> [IdleConnection] {
        isClosed = true
        failWaiters(Self.closed)
        return takeIdle()
    }

    /// Takes a waiter out of the queue; false where it has been told already.
    mutating func giveUp(_ waiter: Waiter) -> Bool {
        guard let index = waiters.firstIndex(where: { $0 === waiter }) else { return false }
        waiters.remove(at: index)
        return true
    }

    /// Tells the task that waited longest; false where none waits.
    private mutating func tellFirst(_ decision: CheckoutDecision) -> Bool {
        guard !waiters.isEmpty else { return false }
        waiters.removeFirst().assign(decision)
        return true
    }

    /// No connection is left, nor an attempt at one, that the waiting could wait for.
    private mutating func failWaitersIfHopeless() {
        if outage != nil, inUse == 0 { failWaiters(Self.away) }
    }

    private mutating func failWaiters(_ error: PostgresError) { while tellFirst(.fail(error)) {} }

    private static let away = PostgresError(.unavailable(retryAfter: 1))

    /// How long a task waits for another's attempt.
    static let outageWait = Duration.milliseconds(250)

    /// 50 ms, 100 ms … 0.8 s, less up to half of it so that processes do not come all at once.
    private static func delay(after attempts: Int) -> UInt64 {
        let most = UInt64(50_000_000) << UInt64(min(4, max(0, attempts - 1)))
        return UInt64.random(in: most / 2...most)
    }
}
