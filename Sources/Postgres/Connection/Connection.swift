import CLibPQ
import EventLoop
import Glibc
import Logging

/// One connection to the database, in libpq's pipeline mode, on an event loop.
///
/// ```swift
/// try await pool.withConnection { connection in
///     try await connection.transaction {
///         let names = try await connection.rows("select name from children where family_id = \(id)") {
///             try $0.next(String.self)
///         }
///         try connection.enqueue("insert into audit_logs (entity_id) values (\(id))")
///     }
/// }
/// ```
///
/// Every statement is prepared when it is first used and kept by its text. Any number of tasks of the loop may have
/// statements under way outside transactions: each is a transaction of its own, and they are answered in their order.
/// A transaction needs the connection for itself. A connection that broke stays broken (`connectionLost`). What is set
/// by `SET`, session-level locks and temporary tables stay with the connection: use the forms that end with the
/// transaction (`SET LOCAL`, `pg_advisory_xact_lock`).
@safe
public final class Connection {
    enum TransactionState {
        case none
        /// BEGIN travels with the first statement, which saves a round trip.
        case pending(begin: SQL)
        case open
    }

    let loop: EventLoop
    let logger: Logger
    let notices: Notices
    private(set) var handle: OpaquePointer?
    private var watch: Watch?
    private var wantsToWrite = false
    /// Sent and not answered yet, in their order.
    private(set) var underWay: [RoundTrip] = []
    private var watchdog: Timer?
    /// `Monotonic.now` when the server answered last.
    private(set) var lastAnswer = Monotonic.now
    var statements: StatementCache
    var buffers = ParameterBuffers()
    var transaction = TransactionState.none
    /// Statements of the transaction that travel with its next one.
    var queue: [SQL] = []
    /// The database is spread over several machines.
    public internal(set) var hasCitus = false
    /// The server is no place to go on with, although the connection works.
    var mustNotBeReused = false
    /// The server hung, or its standby did not get a commit: it may have been replaced.
    private(set) var isSuspect = false
    private let hosts: HostPreference
    private var host: Int?
    /// Who is told of notifications; see `listen`.
    var receiver: NotificationReceiver?
    /// Since it was handed out last.
    public internal(set) var use = DatabaseUse()
    /// How long the server may be silent after a statement; zero for ever.
    var responseTimeout: Duration

    /// Adopts what `ConnectionParameters` opened.
    init(
        _ opened: OpenedConnection, _ configuration: ConnectionConfiguration,
        hosts: HostPreference, on loop: EventLoop, logger: Logger
    ) throws {
        self.loop = loop
        self.logger = logger
        self.hosts = hosts
        notices = Notices(logger: logger)
        statements = StatementCache(capacity: configuration.maximumStatements)
        responseTimeout = configuration.responseTimeout
        host = opened.host
        unsafe handle = unsafe opened.handle
        unsafe notices.receive(from: opened.handle)
        if let host { hosts.prefer(host) }
        // Not blocking, as a server that hangs with full buffers would have us hang in a send.
        guard unsafe PQsetnonblocking(opened.handle, 1) == 0,
            unsafe PQenterPipelineMode(opened.handle) == 1
        else {
            close()
            throw PostgresError(.unavailable(retryAfter: 1))
        }
        watch = try loop.watch(unsafe PQsocket(opened.handle), for: .reading) { [unowned self] readiness in
            self.isReady(readiness)
        }
    }

    deinit { close() }

    /// Ends the connection; what is under way and later statements throw `connectionLost`, or `outcomeUnknown`.
    public func close() {
        guard let open = unsafe handle else { return }
        unsafe handle = nil
        watch?.cancel()
        watch = nil
        watchdog?.cancel()
        watchdog = nil
        unsafe PQfinish(open)
        transaction = .none
        queue.removeAll()
        let lost = underWay
        underWay.removeAll()
        for trip in lost { trip.fail(RoundTripFailure(error: PostgresError(trip.losing, sql: trip.text))) }
        receiver.take()?.end()
    }

    /// Has the next connection try another host first; this one is not used again.
    func suspectServer() {
        isSuspect = true
        mustNotBeReused = true
        if let host { hosts.avoid(host) }
    }

    public var isOpen: Bool { unsafe handle != nil }

    /// Whether the caller is inside `transaction`.
    public var isInTransaction: Bool {
        if case .none = transaction { false } else { true }
    }

    /// The server process behind the connection, for `pg_terminate_backend` and logs.
    public var processIdentifier: Int32 {
        if let open = unsafe handle { unsafe PQbackendPID(open) } else { 0 }
    }

    /// The number of statements prepared on the connection at present.
    public var preparedStatements: Int { statements.count }

    /// What the server said last about the connection's transaction.
    var serverStatus: PGTransactionStatusType {
        if let open = unsafe handle { unsafe PQtransactionStatus(open) } else { PQTRANS_UNKNOWN }
    }

    /// Whether the server has something to say to an idle connection: only ever that it is leaving.
    var saidGoodbye: Bool {
        guard let open = unsafe handle else { return true }
        var descriptor = pollfd(fd: unsafe PQsocket(open), events: Int16(POLLIN), revents: 0)
        return unsafe poll(&descriptor, 1, 0) != 0
    }
}

/// A connection belongs to the tasks of its loop.
@available(*, unavailable)
extension Connection: Sendable {}

extension Connection {
    /// Has a round trip, which was sent just now, get its answers.
    func expect(_ trip: RoundTrip) {
        underWay.append(trip)
        flush()
        watchForSilence()
        // libpq closes a socket whose peer is gone when it sends, and nothing would tell of it: the descriptor's number may be another's by then.
        guard let open = unsafe handle, unsafe PQstatus(open) == CONNECTION_BAD else { return }
        // What the server said before it hung up may tell that nothing was committed.
        takeAnswers()
        close()
    }

    /// What the socket did not take at once goes when it can.
    private func flush() {
        guard let open = unsafe handle else { return }
        let isUnfinished = unsafe PQflush(open) == 1
        guard isUnfinished != wantsToWrite else { return }
        wantsToWrite = isUnfinished
        watch?.wait(for: isUnfinished ? [.reading, .writing] : .reading)
    }

    private func isReady(_ readiness: Readiness) {
        guard let open = unsafe handle else { return }
        // libpq marks a broken connection itself and then has all its answers.
        var isBroken = false
        if readiness.canRead { isBroken = unsafe PQconsumeInput(open) == 0 }
        flush()
        takeAnswers()
        takeNotifications()
        if isOpen { isBroken = unsafe PQstatus(open) == CONNECTION_BAD || isBroken || notices.serverHasLeft }
        if isBroken { close() }
    }

    /// Gives the answers that are here to those who wait.
    private func takeAnswers() {
        while let trip = underWay.first, let open = unsafe handle, unsafe PQisBusy(open) == 0 {
            guard let result = unsafe PQgetResult(open) else {
                if trip.endsWithoutSync {
                    complete(trip)
                } else if unsafe PQstatus(open) == CONNECTION_BAD {
                    return close()
                } else if trip.skips() {
                    return
                }
                continue
            }
            trip.take(unsafe QueryResult(owning: result), on: self)
            if trip.isComplete { complete(trip) }
        }
    }

    private func complete(_ trip: RoundTrip) {
        guard underWay.first === trip else { return }
        underWay.removeFirst()
        lastAnswer = Monotonic.now
        use.countRoundTrip(since: trip.since)
        trip.finish()
    }

    /// How long the server may go on without an answer: one that has others to answer first is not silent.
    private var silenceEnds: UInt64? {
        guard responseTimeout > .zero, let first = underWay.first else { return nil }
        return max(first.since, lastAnswer) + responseTimeout.nanoseconds
    }

    /// Gives up a server that hangs without hanging up.
    private func watchForSilence() {
        guard watchdog == nil, let end = silenceEnds else { return }
        watchdog = loop.at(end) { [unowned self] in
            watchdog = nil
            if let end = silenceEnds, Monotonic.now >= end {
                logger.error("PostgreSQL does not answer; connection given up")
                suspectServer()
                close()
            } else {
                watchForSilence()
            }
        }
    }
}
