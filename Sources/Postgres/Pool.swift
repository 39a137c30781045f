import Glibc
public import Logging
import Synchronization

public struct PoolConfiguration: Sendable {
    public var session: SessionConfiguration
    /// Connections open at once, at most; at least 1.
    public var maximumSessions = 8
    /// How long `checkout` waits for a session.
    public var checkoutTimeout: Duration = .seconds(2)

    public init(session: SessionConfiguration) {
        self.session = session
    }

    public init(url: String) {
        session = SessionConfiguration(url: url)
    }
}

/// A bounded number of sessions, opened when needed, handed to threads in the order they ask.
///
/// While the database is away, requests fail at once with `unavailable`; one of them at a time
/// tries again, after 50 ms at first and never less often than every 0.8 s, so that the pool is
/// back within a second. A session that PostgreSQL hung up on while it was idle is replaced
/// before it is handed out.
public final class Pool: Sendable {
    private let configuration: PoolConfiguration
    private let logger: Logger
    private let state: Mutex<PoolState>
    private let hosts = HostPreference()

    public init(configuration: PoolConfiguration, logger: Logger) {
        self.configuration = configuration
        self.logger = logger
        state = Mutex(PoolState(maximum: max(1, configuration.maximumSessions)))
    }

    deinit { close() }

    /// A session for this thread, until the lease goes.
    ///
    /// - Throws: `unavailable`, `poolTimeout`; `misuse` after `close()`.
    public func checkout() throws -> Lease {
        var use = SessionUse()
        let connection = try connection(&use)
        connection.use = use
        return Lease(session: Session(connection), pool: self)
    }

    /// A session that is idle, without waiting or connecting; nil where there is none.
    public func checkoutIdle() -> Lease? {
        let now = Monotonic.now
        guard let parked = state.withLock({ $0.checkoutIdle() }) else { return nil }
        parked.connection.use = SessionUse()
        let lease = Lease(session: Session(parked.connection), pool: self)
        // Dead ones go, and are replaced when somebody waits for one.
        if now > parked.since, now - parked.since > Self.trusted, parked.connection.saidGoodbye {
            parked.connection.close()
            return nil
        }
        return lease
    }

    /// Lends a session to `body`. It must not be kept: afterwards it throws `misuse`.
    @discardableResult
    public func withSession<Value>(_ body: (Session) throws -> Value) throws -> Value {
        let lease = try checkout()
        return try body(lease.session)
    }

    /// Closes idle sessions now and the others when they come back; who waits gets an error.
    public func close() {
        let (idle, waiters) = state.withLock { $0.close() }
        for parked in idle { parked.connection.close() }
        wake(waiters)
    }

    public var statistics: PoolStatistics { state.withLock { $0.statistics } }

    private func connection(_ use: inout SessionUse) throws -> Connection {
        let now = Monotonic.now
        var turn = state.withLock { $0.checkout(at: now) }
        while true {
            switch turn {
            case .use(let parked):
                // One that came back while this thread waited for it counts as used just now.
                guard now > parked.since, now - parked.since > Self.trusted,
                    parked.connection.saidGoodbye
                else {
                    return parked.connection
                }
                parked.connection.close()
                turn = replaceDead()
            case .open:
                return try open()
            case .wait(let waiter, let isOutage):
                turn = try wait(waiter, isOutage, &use)
            case .fail(let error):
                throw error
            }
        }
    }

    /// In nanoseconds: a session that was used this recently is not looked at again.
    private static let trusted: UInt64 = 5_000_000

    private func replaceDead() -> Turn {
        let (turn, waiters) = state.withLock { $0.replaceDead(at: Monotonic.now) }
        wake(waiters)
        return turn
    }

    private func open() throws -> Connection {
        do {
            let connection = try Connection(configuration.session, hosts: hosts, logger: logger)
            let (wasAway, waiters) = state.withLock { $0.opened() }
            if wasAway { logger.notice("PostgreSQL is back") }
            wake(waiters)
            return connection
        } catch {
            let failures = state.withLock { $0.failedToOpen(at: Monotonic.now) }
            wake(failures)
            throw error
        }
    }

    private func wait(
        _ waiter: Waiter, _ isOutage: Bool, _ use: inout SessionUse
    ) throws -> Turn {
        let start = Monotonic.now
        // Who waits for another's attempt to reach a database that was away does not wait long.
        let limit =
            isOutage
            ? Duration.nanoseconds(Int64(PoolState.patience)) : configuration.checkoutTimeout
        waiter.wait(limit)
        let waited = Monotonic.now &- start
        use.waitedNanoseconds &+= waited
        return try state.withLock { state throws(PostgresError) in
            state.totalWait &+= waited
            state.waits &+= 1
            if let turn = waiter.turn { return turn }
            if !isOutage { state.timeouts &+= 1 }
            state.waiters.removeAll { $0 === waiter }
            throw PostgresError(isOutage ? .unavailable(retryAfter: 1) : .poolTimeout)
        }
    }

    func giveBack(_ session: Session) {
        guard let connection = session.detach() else { return }
        if connection.isInTransaction { connection.abandonTransaction() }
        if connection.sentAhead != nil { connection.close() }
        if connection.isSuspect {
            // The others lead to the same server, most likely: none of them shall wait in vain, too.
            let others = state.withLock { $0.takeIdle() }
            for parked in others { parked.connection.close() }
        }
        if connection.mustNotBeReused { connection.close() }
        let now = Monotonic.now
        let parked = connection.isOpen ? Parked(connection: connection, since: now) : nil
        let (closing, waiters) = state.withLock { $0.giveBack(parked, at: now) }
        closing?.connection.close()
        wake(waiters)
    }

    private func wake(_ waiters: [Waiter]) {
        for waiter in waiters { waiter.wake() }
    }
}

/// A session on loan; it goes back to the pool when the lease goes.
public struct Lease: ~Copyable {
    public let session: Session
    private let pool: Pool

    init(session: Session, pool: Pool) {
        self.session = session
        self.pool = pool
    }

    deinit { pool.giveBack(session) }
}

/// The pool at one moment.
public struct PoolStatistics: Sendable, Equatable {
    public let maximum: Int
    /// Handed out, or being opened.
    public let inUse: Int
    public let idle: Int
    /// Threads that wait for a session.
    public let waiting: Int
    /// Since the pool was made.
    public let checkouts: UInt64
    /// Since the pool was made: checkouts that had to wait, however briefly.
    public let waits: UInt64
    /// Since the pool was made: waits that ended as `poolTimeout`.
    public let timeouts: UInt64
    /// Since the pool was made, of all threads together.
    public let totalWait: Duration
    /// False while the database can't be reached.
    public let isAvailable: Bool
}

enum Monotonic {
    /// Nanoseconds of a clock that never jumps.
    static var now: UInt64 {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }
}
