public import Logging
import Synchronization

/// Serves FastCGI requests from one listener with a number of threads.
///
/// All threads wait at one epoll for the listener and for every idle connection. A thread is given
/// a connection when there is something to read, serves one request, and puts the connection back:
/// threads hold requests, not connections, and an idle one costs two descriptors.
public final class Worker: Sendable {
    public typealias Handler = @Sendable (Request) -> Response

    let configuration: WorkerConfiguration
    let logger: Logger
    let handler: Handler
    let poller: Poller
    let acceptor: Acceptor
    let state = WorkerState()
    let counters = WorkerCounters()
    let turnstile: Turnstile

    private let finish: EventFlag
    private let attention: EventFlag
    private let heartbeat: EventFlag
    private let runningThreads = Atomic(0)

    /// - Parameters:
    ///   - listener: for this worker alone, if it was made from a path.
    ///   - handler: called on one of the worker's threads, on as many at a time as there are.
    ///     It may block. It should end within some seconds: `run()` waits for it in any case.
    /// - Throws: `FastCGIError.invalidConfiguration`, `FastCGIError.systemCall`.
    public init(
        listener: Listener, configuration: WorkerConfiguration = WorkerConfiguration(),
        logger: Logger = Logger(label: "fastcgi"), handler: @escaping Handler
    ) throws(FastCGIError) {
        try configuration.validate()
        try Library.initialize()
        self.configuration = configuration
        self.logger = logger
        self.handler = handler
        turnstile = try Turnstile(
            threads: configuration.threads,
            width: configuration.concurrency ?? configuration.threads)
        poller = try Poller()
        acceptor = Acceptor(socket: listener.socket)
        finish = try EventFlag()
        attention = try EventFlag()
        heartbeat = try EventFlag()
        try poller.addFinish(finish.descriptor)
        try poller.addHeartbeat(heartbeat.descriptor)
        try poller.addListener(listener.socket.descriptor)
    }

    deinit { poller.close() }

    /// Serves until `stop()` was called and everything under way has been answered. Once only.
    ///
    /// - Throws: `FastCGIError.systemCall` if a thread cannot be made; then none is left.
    public func run() throws(FastCGIError) {
        let deadlines = turnstile.seats.map { _ in Deadline() }
        var threads: [DedicatedThread] = []
        var failure: FastCGIError?
        runningThreads.store(deadlines.count, ordering: .relaxed)
        for (deadline, seat) in zip(deadlines, turnstile.seats) {
            do throws(FastCGIError) {
                threads.append(
                    try DedicatedThread(stackBytes: configuration.threadStackBytes) {
                        WorkerThread(worker: self, deadline: deadline, seat: seat).run()
                        self.threadHasEnded()
                    })
            } catch {
                failure = error
                threadHasEnded()
            }
        }
        if failure != nil { stop() }
        enforce(deadlines)
        for thread in threads { thread.join() }
        for connection in state.removeAll() { connection.close() }
        if let failure { throw failure }
    }

    /// Ends `run()`, gracefully: accepts nothing more, finishes what is being read or served, and
    /// serves kept connections until nginx closes them, all of it for `drainTimeout` at most.
    ///
    /// After that time idle connections are closed and requests not read whole are dropped; a
    /// handler at work still ends and its answer is sent. May be called from any thread (but no
    /// signal handler), at any time, repeatedly.
    public func stop() {
        let drainEnds = monotonicNanoseconds() + configuration.drainTimeout.nanoseconds
        guard state.beginStopping(drainEnds: drainEnds) else { return }
        poller.removeListener(acceptor.socket.descriptor)
        if !acceptor.socket.isShared { takeQueuedConnections() }
        endAccepting()
        attention.raise()
    }

    public var statistics: WorkerStatistics {
        var statistics = counters.snapshot(connections: state.connectionCount)
        statistics.threads = configuration.threads
        statistics.admittedThreads = turnstile.admitted
        return statistics
    }

    /// Nobody else would ever serve what is in the queue of a listener that is ours alone.
    private func takeQueuedConnections() {
        while case .connection(let connection) = acceptor.accept() {
            state.admit(connection)
            if !poller.park(connection, isNew: true) { close(connection) }
        }
    }

    func endAccepting() {
        let (isLast, hasFinished) = state.endAccepting()
        if isLast && !acceptor.socket.isShared { acceptor.socket.close() }
        if hasFinished { finish.raise() }
    }

    /// `isStreamOpen`: whether libfcgi has not closed its descriptor.
    func close(_ connection: Connection, isStreamOpen: Bool = true) {
        let hasFinished = state.remove(connection)
        if isStreamOpen { connection.closeStream() }
        connection.closeControl()
        if hasFinished { finish.raise() }
    }

    /// For a thread that takes a request, or what may become one.
    func beginRequest(_ seat: Turnstile.Seat) {
        seat.since.store(monotonicNanoseconds(), ordering: .sequentiallyConsistent)
        if turnstile.mustCallForReview(busy: counters.busyThreads.increment()) {
            attention.raise()
        }
    }

    func endRequest(_ seat: Turnstile.Seat) {
        seat.since.store(0, ordering: .releasing)
        counters.busyThreads.decrement()
    }

    /// For the thread that took the heartbeat from the queue.
    func beat() {
        heartbeat.lower()
        configuration.heartbeat?.action()
        poller.rearmHeartbeat(heartbeat.descriptor)
    }

    /// Watches over the deadlines and for stuck threads until all have ended, and asks for heartbeats.
    private func enforce(_ deadlines: [Deadline]) {
        // No deadline that begins while this sleeps is over before it wakes.
        let shortest = min(configuration.readTimeout, configuration.writeTimeout).nanoseconds
        let interval = configuration.heartbeat?.interval.nanoseconds
        var nextBeat = interval == nil ? UInt64.max : 0
        var nextDeadline: UInt64 = 0
        while runningThreads.load(ordering: .acquiring) > 0 {
            let now = monotonicNanoseconds()
            let drain = state.drain(now: now)
            if drain.hasFinished { finish.raise() }
            if let interval, now >= nextBeat {
                heartbeat.raise()
                nextBeat = now + interval
            }
            if now >= nextDeadline || drain.hasEnded {
                nextDeadline = now + shortest
                for deadline in deadlines {
                    let expires = deadline.enforce(now: now, endsReading: drain.hasEnded)
                    nextDeadline = min(nextDeadline, expires)
                }
            }
            var next = min(nextDeadline, drain.ends, nextBeat, turnstile.review(now: now))
            if drain.hasEnded { next = min(next, now + 20_000_000) }
            attention.wait(nanoseconds: next - min(now, next))
        }
    }

    private func threadHasEnded() {
        if runningThreads.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 {
            attention.raise()
        }
    }
}
