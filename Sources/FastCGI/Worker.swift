public import Logging
import Synchronization

/// Serves FastCGI requests from one listener with a number of threads.
///
/// One thread at a time waits at an epoll for the listener, for every idle connection and for what requests await. It is given a
/// connection when there is something to read, serves one request, and puts the connection back: threads hold requests, not
/// connections, and an idle one costs a descriptor. A request that awaits something holds no thread; one that takes time keeps its
/// thread, and another takes what comes meanwhile (`Turnstile`).
public final class Worker: Sendable {
    /// Answers a request. It may block.
    public typealias Handler = @Sendable (Request) -> Response
    /// Answers a request or says what it awaits. Before it blocks it has to release its turn.
    public typealias Starter = @Sendable (Request, Turn) -> Answer

    let configuration: WorkerConfiguration
    // What each request needs of the configuration. The timeouts are in nanoseconds.
    let maximumBodyBytes: Int
    let readTimeout: UInt64
    let writeTimeout: UInt64
    let logger: Logger
    let start: Starter
    let poller: Poller
    let acceptor: Acceptor
    let state = WorkerState()
    let counters = WorkerCounters()
    let turnstile: Turnstile
    let suspensions = Suspensions()
    let exchanges = SpareExchanges()
    /// What has to wait until there is room for another request in hand.
    let backlog = Backlog()

    private let turns: [Turn]
    private let finish: EventFlag
    private let attention: EventFlag
    private let heartbeat: EventFlag
    private let nudge: EventFlag
    private let patience: Timer
    private let runningThreads = Atomic(0)

    /// - Parameters:
    ///   - listener: for this worker alone, if it was made from a path.
    ///   - handler: called on one of the worker's threads, on as many at a time as there are.
    ///     It should end within some seconds: `run()` waits for it in any case.
    /// - Throws: `FastCGIError.invalidConfiguration`, `FastCGIError.systemCall`.
    public convenience init(
        listener: Listener, configuration: WorkerConfiguration = WorkerConfiguration(),
        logger: Logger = Logger(label: "fastcgi"), handler: @escaping Handler
    ) throws(FastCGIError) {
        try self.init(listener: listener, configuration: configuration, logger: logger) {
            request, turn in
            turn.release()
            return .ready(handler(request))
        }
    }

    /// As above.
    ///
    /// - Parameter start: called on the thread whose turn it is.
    public init(
        listener: Listener, configuration: WorkerConfiguration = WorkerConfiguration(),
        logger: Logger = Logger(label: "fastcgi"), starting start: @escaping Starter
    ) throws(FastCGIError) {
        try configuration.validate()
        try Library.initialize()
        self.configuration = configuration
        maximumBodyBytes = configuration.maximumBodyBytes
        readTimeout = configuration.readTimeout.nanoseconds
        writeTimeout = configuration.writeTimeout.nanoseconds
        self.logger = logger
        self.start = start
        let turnstile = Turnstile(
            threads: configuration.threads,
            width: configuration.concurrency ?? configuration.threads,
            lineLength: configuration.lineLength)
        self.turnstile = turnstile
        turns = (0...configuration.threads).map { _ in Turn(turnstile) }
        poller = try Poller()
        acceptor = Acceptor(socket: listener.socket)
        finish = try EventFlag()
        attention = try EventFlag()
        heartbeat = try EventFlag()
        nudge = try EventFlag()
        patience = try Timer()
        try poller.addFinish(finish.descriptor)
        try poller.addHeartbeat(heartbeat.descriptor)
        try poller.addNudge(nudge.descriptor)
        try poller.addPatience(patience.descriptor)
        try poller.addListener(listener.socket.descriptor)
    }

    deinit { poller.close() }

    /// Serves until `stop()` was called and everything under way has been answered. Once only.
    ///
    /// - Throws: `FastCGIError.systemCall` if a thread cannot be made; then none is left.
    public func run() throws(FastCGIError) {
        let deadlines = turns.map { _ in Deadline() }
        var threads: [DedicatedThread] = []
        var failure: FastCGIError?
        runningThreads.store(deadlines.count, ordering: .relaxed)
        for (deadline, turn) in zip(deadlines, turns) {
            do throws(FastCGIError) {
                threads.append(
                    try DedicatedThread(stackBytes: configuration.threadStackBytes) {
                        WorkerThread(worker: self, deadline: deadline, turn: turn).run()
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
        configuration.precedence?.leave()
        if !acceptor.socket.isShared { takeQueuedConnections() }
        endAccepting()
        attention.raise()
    }

    public var statistics: WorkerStatistics {
        var statistics = counters.snapshot(connections: state.connectionCount)
        statistics.threads = configuration.threads
        statistics.admittedRequests = turnstile.admitted
        statistics.requestsInHand = turnstile.requestsInHand
        statistics.lineLength = configuration.lineLength
        statistics.requestsInLine = turnstile.requestsInLine
        return statistics
    }

    /// Nobody else would ever serve what is in the queue of a listener that is ours alone.
    private func takeQueuedConnections() {
        while case .connection(let connection) = acceptor.accept() {
            state.admit(connection)
            if !poller.park(connection, isNew: true) { close(connection) }
        }
    }

    /// Whether connections are left to other workers for a moment, for the thread that took the listener's event. There is another then.
    func leavesConnections() -> Bool {
        guard acceptor.socket.isShared, let precedence = configuration.precedence,
            !precedence.goesFirst()
        else { return false }
        patience.begin(nanoseconds: Precedence.patience)
        poller.rearmPatience(patience.descriptor)
        return true
    }

    /// Has a request await a descriptor together with others.
    func queue(_ suspension: Suspension) {
        turnstile.joinLine()
        if suspensions.insertIntoLine(suspension) { awaitTogether(suspension.descriptor) }
    }

    /// Hands out what has come for one of those that await a descriptor together; there may be more.
    func nextAnswered(_ descriptor: CInt) -> Suspension? {
        while let suspension = suspensions.first(inLine: descriptor) {
            guard suspension.isHere?() ?? true else {
                awaitTogether(descriptor)
                return nil
            }
            if suspensions.leaveLine(suspension) { return suspension }
        }
        return nil
    }

    private func awaitTogether(_ descriptor: CInt) {
        if !poller.awaitTogether(descriptor) {
            logger.warning("what is awaited is looked for when it is overdue")
        }
    }

    func endAccepting() {
        let (isLast, hasFinished) = state.endAccepting()
        if isLast && !acceptor.socket.isShared { acceptor.socket.close() }
        if hasFinished { finish.raise() }
    }

    func close(_ connection: Connection) {
        let hasFinished = state.remove(connection)
        connection.close()
        if hasFinished { finish.raise() }
    }

    /// For a thread that takes a request, or what may become one.
    func beginRequest() {
        if turnstile.beginRequest() { attention.raise() }
    }

    /// For the thread that took the heartbeat from the queue.
    func beat() {
        heartbeat.lower()
        configuration.heartbeat?.action()
        poller.rearmHeartbeat(heartbeat.descriptor)
    }

    /// For the thread that took the nudge.
    func beginLooking() {
        nudge.lower()
        poller.rearmNudge(nudge.descriptor)
    }

    /// Has one thread look at what is overdue, and at the backlog.
    func look() { nudge.raise() }

    /// Watches over the deadlines and for stuck threads until all have ended, and asks for heartbeats.
    private func enforce(_ deadlines: [Deadline]) {
        // No deadline that begins while this sleeps is over before it wakes.
        let shortest = min(readTimeout, writeTimeout)
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
            var next = min(nextDeadline, drain.ends, nextBeat, turnstile.review(turns, now: now))
            if suspensions.hasAny(before: now - Turnstile.patience)
                || (backlog.hasFresh && turnstile.hasRoom)
            {
                look()
            }
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
