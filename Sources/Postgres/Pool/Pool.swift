public import EventLoop
public import Logging

public struct PoolConfiguration: Sendable {
    public var connection: ConnectionConfiguration
    /// Connections open at once, at most; at least 1.
    public var maximumConnections = 8
    /// How long a task waits for a connection.
    public var checkoutTimeout: Duration = .seconds(2)

    public init(connection: ConnectionConfiguration) {
        self.connection = connection
    }

    public init(url: String) {
        connection = ConnectionConfiguration(url: url)
    }

    /// Of the connections, how many all readings share: too few of them are left for changes otherwise.
    var sharedConnections: Int {
        switch maximumConnections {
        case ..<2: 0
        case ..<4: 1
        default: 2
        }
    }
}

/// A bounded number of connections for the tasks of one loop, opened when needed.
///
/// Readings of all tasks share one or two of them, in pipeline mode (`read`); a change has one for itself
/// (`withConnection`), in the order in which they are asked for.
///
/// While the database is away, tasks fail at once with `unavailable`; one of them at a time tries again, after 50 ms
/// at first and never less often than every 0.8 s, so that the pool is back within a second. A connection that
/// PostgreSQL hung up on while it was idle is replaced before it is handed out.
public final class Pool: Sendable {
    public let loop: EventLoop
    let configuration: PoolConfiguration
    let logger: Logger
    let hosts = HostPreference()
    private let state: LoopBound<PoolState>
    let shared: LoopBound<SharedConnections>
    private let citus: LoopBound<Bool>

    public init(configuration: PoolConfiguration, on loop: EventLoop, logger: Logger) {
        self.configuration = configuration
        self.loop = loop
        self.logger = logger
        state = LoopBound(PoolState(maximum: max(1, configuration.maximumConnections)), on: loop)
        shared = LoopBound(SharedConnections(count: configuration.sharedConnections), on: loop)
        citus = LoopBound(false, on: loop)
    }

    /// Lends a connection to `body`, which must not keep it.
    ///
    /// - Throws: `unavailable`, `poolTimeout`; `misuse` after `close()`; what `body` throws.
    @discardableResult
    public func withConnection<Value>(
        _ body: (Connection) async throws -> Value
    ) async throws -> Value {
        let connection = try await checkout()
        defer { giveBack(connection) }
        return try await body(connection)
    }

    /// Closes idle connections now and the others when they come back; who waits gets an error.
    public func close() {
        for connection in shared.value.close() { giveBack(connection) }
        for idle in state.value.close() { idle.connection.close() }
    }

    /// Whether the last connection that was opened leads to Citus. Of the loop's thread.
    public var hasCitus: Bool { citus.value }

    /// Of the loop's thread.
    public var statistics: PoolStatistics { state.value.statistics }

    func checkout() async throws -> Connection {
        let start = Monotonic.now
        let connection = try await connection(at: start)
        connection.use = DatabaseUse(waitedNanoseconds: Monotonic.now &- start)
        return connection
    }

    private func connection(at now: UInt64) async throws -> Connection {
        var decision = state.value.checkout(at: now)
        while true {
            switch decision {
            case .use(let idle):
                // One that came back while this task waited for it counts as used just now.
                let rest = now > idle.since ? now - idle.since : 0
                if idle.connection.isOpen, rest < Self.trusted || !idle.connection.saidGoodbye {
                    return idle.connection
                }
                idle.connection.close()
                decision = state.value.replaceDead(at: Monotonic.now)
            case .open:
                return try await open()
            case .wait(let waiter, let isOutage):
                decision = await wait(waiter, isOutage)
            case .fail(let error):
                throw error
            }
        }
    }

    /// In nanoseconds: a connection that was used this recently is not looked at again.
    static let trusted: UInt64 = 5_000_000

    private func open() async throws -> Connection {
        do {
            let connection = try await Connection.open(
                configuration.connection, hosts: hosts, on: loop, logger: logger)
            citus.value = connection.hasCitus
            if state.value.opened() { logger.notice("PostgreSQL is back") }
            return connection
        } catch {
            state.value.failedToOpen(at: Monotonic.now)
            throw error
        }
    }

    private func wait(_ waiter: Waiter, _ isOutage: Bool) async -> CheckoutDecision {
        // The database is away and another task probes it: wait briefly.
        let limit = isOutage ? PoolState.outageWait : configuration.checkoutTimeout
        let start = Monotonic.now
        let timer = loop.after(limit) { [self] in
            guard state.value.giveUp(waiter) else { return }
            if !isOutage { state.value.timeouts &+= 1 }
            waiter.assign(.fail(PostgresError(isOutage ? .unavailable(retryAfter: 1) : .poolTimeout)))
        }
        let decision = await waiter.decision()
        timer.cancel()
        state.value.totalWait &+= Monotonic.now &- start
        state.value.waits &+= 1
        return decision
    }

    func giveBack(_ connection: Connection) {
        // A transaction ends with its body: one that is left has lost its task.
        if connection.isInTransaction || connection.mustNotBeReused { connection.close() }
        if connection.isSuspect {
            // The others lead to the same server, most likely: no task shall wait in vain for one of them, too.
            for idle in state.value.takeIdle() { idle.connection.close() }
        }
        let now = Monotonic.now
        let idle = connection.isOpen ? IdleConnection(connection: connection, since: now) : nil
        state.value.giveBack(idle, at: now)?.connection.close()
    }
}

/// The pool at one moment.
public struct PoolStatistics: Sendable, Equatable {
    public let maximum: Int
    /// Handed out, shared, or being opened.
    public let inUse: Int
    public let idle: Int
    /// Tasks that wait for a connection.
    public let waiting: Int
    /// Since the pool was made.
    public let checkouts: UInt64
    /// Since the pool was made: checkouts that had to wait, however briefly.
    public let waits: UInt64
    /// Since the pool was made: waits that ended as `poolTimeout`.
    public let timeouts: UInt64
    /// Since the pool was made, of all tasks together.
    public let totalWait: Duration
    /// False while the database can't be reached.
    public let isAvailable: Bool
}
