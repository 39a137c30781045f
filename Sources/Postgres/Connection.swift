import CLibPQ
import Glibc
import Logging

/// One connection to the server: libpq's handle, its prepared statements, its transaction.
///
/// It is in pipeline mode all the time, so that any number of statements travel together; see
/// `Exchange.swift`. Once broken it stays broken: the pool replaces it.
@safe
final class Connection {
    enum TransactionState {
        case none
        /// BEGIN travels with the first statement, which saves a round trip.
        case pending(begin: SQL)
        case open
    }

    struct SentAhead {
        let text: String
        /// Of the prelude.
        let ownCommands: Int
        /// `Monotonic.now`.
        let since: UInt64
    }

    private(set) var handle: OpaquePointer?
    let notices: Notices
    let logger: Logger
    var statements: StatementCache
    var buffers = ParameterBuffers()
    var transaction = TransactionState.none
    /// Statements of the transaction that travel with its next one.
    var queue: [SQL] = []
    /// What is to travel ahead of the transaction's first statement, until it is done, and its result.
    var prelude: SQL?
    var preludeResult: QueryResult?
    /// A statement that was sent before somebody waits for its answer.
    var sentAhead: SentAhead?
    /// What was sent and not answered yet; a field so that its memory is reused.
    var sent: [SentCommand] = []
    /// The server's plans are out of date: all statements are prepared anew when that is possible.
    var statementsAreStale = false
    /// The server is no place to go on with, although the connection works.
    var mustNotBeReused = false
    /// The server hung, or its standby did not get a commit: it may have been replaced.
    private(set) var isSuspect = false
    private let hosts: HostPreference
    private var host: Int?
    /// Since it was handed out last.
    var use = SessionUse()
    /// In milliseconds; −1 for no limit.
    var responseTimeout: Int32

    /// - Throws: `unavailable`; libpq's reason goes to the log.
    init(
        _ configuration: SessionConfiguration, hosts: HostPreference = HostPreference(),
        logger: Logger
    ) throws {
        self.logger = logger
        self.hosts = hosts
        notices = Notices(logger: logger)
        statements = StatementCache(capacity: configuration.maximumStatements)
        responseTimeout =
            configuration.responseTimeout > .zero
            ? Int32(clamping: configuration.responseTimeout.milliseconds) : -1
        unsafe handle = nil
        let parameters = try ConnectionParameters(configuration, first: hosts.index)
        guard let opened = unsafe parameters.connect() else {
            throw PostgresError(.unavailable(retryAfter: 1))
        }
        unsafe handle = opened
        guard unsafe PQstatus(opened) == CONNECTION_OK else {
            let reason = unsafe String(cString: PQerrorMessage(opened))
            logger.warning("no connection to PostgreSQL", metadata: ["reason": "\(reason)"])
            close()
            throw PostgresError(.unavailable(retryAfter: 1))
        }
        unsafe notices.receive(from: opened)
        host = unsafe parameters.hosts.index(of: opened)
        if let host { hosts.prefer(host) }
        // Not blocking, as a server that hangs with full buffers would have us hang in a send.
        guard unsafe PQsetnonblocking(opened, 1) == 0, unsafe PQenterPipelineMode(opened) == 1
        else {
            close()
            throw PostgresError(.unavailable(retryAfter: 1))
        }
    }

    deinit { close() }

    func close() {
        if let open = unsafe handle {
            unsafe PQfinish(open)
        }
        unsafe handle = nil
        transaction = .none
        queue.removeAll()
    }

    /// Has the next connection try another host first; this one is not used again.
    func suspectServer() {
        isSuspect = true
        mustNotBeReused = true
        if let host { hosts.avoid(host) }
    }

    var isOpen: Bool { unsafe handle != nil }

    var processIdentifier: Int32 {
        if let open = unsafe handle { unsafe PQbackendPID(open) } else { 0 }
    }

    /// What the server said last about the session's transaction.
    var serverStatus: PGTransactionStatusType {
        if let open = unsafe handle { unsafe PQtransactionStatus(open) } else { PQTRANS_UNKNOWN }
    }

    var isInTransaction: Bool {
        if case .none = transaction { false } else { true }
    }

    /// What becomes readable with the answer to what was sent; nil where some of that has yet to go.
    var awaited: CInt? {
        guard let open = unsafe handle, unsafe PQflush(open) == 0 else { return nil }
        return unsafe PQsocket(open)
    }

    /// Takes in what has come, without waiting.
    func takeIn() {
        if isBusy, let open = unsafe handle { _ = unsafe PQconsumeInput(open) }
    }

    /// Whether the next answer would have to be waited for; it need not be where the connection is broken.
    var isBusy: Bool {
        if let open = unsafe handle { unsafe PQisBusy(open) == 1 } else { false }
    }

    /// Whether the server has something to say to an idle session: only ever that it is leaving.
    var saidGoodbye: Bool {
        guard let open = unsafe handle else { return true }
        var descriptor = pollfd(fd: unsafe PQsocket(open), events: Int16(POLLIN), revents: 0)
        return unsafe poll(&descriptor, 1, 0) != 0
    }
}
