import CFastCGI
public import EventLoop
import Glibc
public import Logging

/// Serves FastCGI requests from one listener on an event loop.
///
/// Each request is a task of the loop while something is done for it. Idle connections wait in the loop and cost a descriptor. A request that has not
/// arrived whole waits there too; only one that does not fit into its socket is read by a thread of its own.
///
/// Unchecked because the loop's thread alone uses its variables: every way in is an action or a task of the loop, but
/// for `stop()` and `statistics`, which touch none of them.
public final class Worker: @unchecked Sendable {
    /// Answers a request on the loop: it must not block. Its task is cancelled when the peer hangs up; the answer is thrown away then.
    public typealias Handler = @Sendable (Request) async -> Response

    let configuration: WorkerConfiguration
    let logger: Logger
    let loop: EventLoop
    let handler: Handler
    let counters = WorkerCounters()
    let reader = RequestReader()
    let largeRequests: LargeRequests
    let peeked = PeekBuffer()
    var writer = ResponseWriter()
    private let socket: ListeningSocket
    private var listening: Watch?
    private var connections: [ObjectIdentifier: Connection] = [:]
    private var isDraining = false
    /// Whether nothing more is accepted.
    private var isQueueEmpty = false
    private var drainTimer: Timer?
    private var serving: SuspendedTask?

    /// - Parameters:
    ///   - listener: for this worker alone, if it was made from a path.
    ///   - loop: runs the worker, and must be run by the program.
    ///   - handler: `serve()` waits for it in any case, so it should end within some seconds.
    /// - Throws: `FastCGIError.invalidConfiguration`, `FastCGIError.systemCall`.
    public init(
        listener: Listener, on loop: EventLoop,
        configuration: WorkerConfiguration = WorkerConfiguration(),
        logger: Logger = Logger(label: "fastcgi"), handler: @escaping Handler
    ) throws(FastCGIError) {
        try configuration.validate()
        try Library.initialize()
        self.configuration = configuration
        self.logger = logger
        self.loop = loop
        self.handler = handler
        socket = listener.socket
        largeRequests = LargeRequests(maximumBodyBytes: configuration.maximumBodyBytes)
    }

    /// Serves until `stop()` was called and everything under way has been answered. On the loop; once only.
    public func serve() async throws(SystemCallError) {
        checkDeadlines()
        if let heartbeat = configuration.heartbeat { beat(heartbeat) }
        if !isDraining {
            listening = try loop.watch(socket.descriptor, for: .reading) { [unowned self] _ in accept() }
        }
        if !isDraining || !connections.isEmpty { await suspend { serving = $0 } }
    }

    /// Ends `serve()`, gracefully: accepts nothing more, finishes what is being read or served, and serves kept
    /// connections until nginx closes them, all of it for `drainTimeout` at most.
    ///
    /// After that time idle connections are closed and requests not read whole are dropped; a handler at work still
    /// ends and its answer is sent. May be called from any thread (but no signal handler), at any time, repeatedly.
    public func stop() {
        loop.task { self.drain() }
    }

    /// May be asked from any thread.
    public var statistics: WorkerStatistics { counters.snapshot }

    private func drain() {
        guard !isDraining else { return }
        isDraining = true
        listening?.cancel()
        listening = nil
        drainTimer = loop.after(configuration.drainTimeout) { [self] in
            for connection in connections.values { connection.endUnlessServed() }
            stopWhenDrained()
        }
        if !socket.isShared {
            // Nobody else would ever serve what is in the queue of a listener that is ours alone.
            while case .connection = acceptOne() {}
            socket.close()
        }
        isQueueEmpty = true
        stopWhenDrained()
    }

    /// Whether the drain's time is over: no connection is kept.
    var drainIsOver: Bool { drainTimer?.isDue ?? false }

    private func stopWhenDrained() {
        guard isQueueEmpty, connections.isEmpty else { return }
        drainTimer?.cancel()
        serving.take()?.resume()
    }

    private enum Accepted {
        case connection
        /// Another process was quicker, or the peer is gone already.
        case nothing
        case shortage
    }

    private func accept() {
        guard case .shortage = acceptOne() else { return }
        // What others close will help: meanwhile the listener is not looked at.
        listening?.wait(for: [])
        loop.after(.milliseconds(50)) { [weak self] in self?.listening?.wait(for: .reading) }
    }

    private func acceptOne() -> Accepted {
        let flags = CInt(SOCK_CLOEXEC.rawValue)
        let descriptor = accept4(socket.descriptor, nil, nil, flags)
        if descriptor >= 0 {
            let connection = Connection(descriptor, of: self)
            guard connection.begin() else {
                logger.error("a connection can't be watched")
                _ = close(descriptor)
                return .nothing
            }
            connections[ObjectIdentifier(connection)] = connection
            counters.connections.increment()
            // What came with it is read at once.
            connection.look()
            return .connection
        }
        switch errno {
        case EAGAIN, EINTR, ECONNABORTED, EPROTO, EBUSY: return .nothing
        case EMFILE, ENFILE, ENOBUFS, ENOMEM:
            counters.descriptorShortages.increment()
            logger.warning("no descriptors or memory left for a connection")
        case let code:
            logger.error("accept failed", metadata: ["errno": "\(code)"])
        }
        return .shortage
    }

    /// For a connection that is closed.
    func forget(_ connection: Connection) {
        guard connections.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
        counters.connections.decrement()
        stopWhenDrained()
    }

    /// Looks for connections whose time is over, some times in the shortest time that one may have.
    private func checkDeadlines() {
        let shortest = min(configuration.readTimeout, configuration.writeTimeout)
        loop.after(min(shortest / 8, .seconds(1))) { [weak self] in
            guard let self else { return }
            let now = Monotonic.now
            for connection in connections.values { connection.checkDeadline(at: now) }
            checkDeadlines()
        }
    }

    private func beat(_ heartbeat: Heartbeat) {
        heartbeat.action()
        loop.after(heartbeat.interval) { [weak self] in self?.beat(heartbeat) }
    }
}
