/// How a worker serves. Every timeout is longer than zero.
public struct WorkerConfiguration: Sendable {
    /// Requests served at the same time at most, besides those in line; 1 to 1024. There is a thread for each that takes time, and one that
    /// takes what comes.
    public var threads = 8
    /// Of the requests that are not stuck, how many are served at the same time; nil for as many as
    /// there are threads. About as many as can get on: more would only wait in their midst.
    /// One is stuck after 20 ms, and then another one takes its place.
    public var concurrency: Int?
    /// How many requests more may await a descriptor together with others (`Answer.later`); at least 1.
    public var lineLength = 32
    /// The whole time a peer has to send one request, from its first byte to its last.
    public var readTimeout: Duration = .seconds(10)
    /// The whole time a peer has to take one answer.
    public var writeTimeout: Duration = .seconds(10)
    /// How long, after `stop()`, kept connections are still served and requests still read.
    /// nginx lets go of a connection after `keepalive_time` and then `keepalive_timeout` at the
    /// latest (5 s each): longer than both together, no connection is closed under a request.
    public var drainTimeout: Duration = .seconds(11)
    /// The longest body accepted, in bytes; a longer one is answered with 413.
    public var maximumBodyBytes = 1 << 20
    /// The stack of each thread, in bytes; at least 64 KiB.
    public var threadStackBytes = 1 << 20
    /// Whether this worker takes connections at once, of several that share a listener; nil for yes.
    public var precedence: Precedence?
    /// The sign of life, if one is wanted.
    public var heartbeat: Heartbeat?
    /// The answer to a request that no handler gets to see.
    public var refusal: @Sendable (Refusal) -> Response = { Response(status: $0.status) }

    public init() {}

    /// Throws `FastCGIError.invalidConfiguration`.
    func validate() throws(FastCGIError) {
        guard (1...1024).contains(threads) else {
            throw .invalidConfiguration("threads must be 1 to 1024")
        }
        guard concurrency ?? 1 >= 1 else {
            throw .invalidConfiguration("concurrency must be at least 1")
        }
        guard lineLength >= 1 else {
            throw .invalidConfiguration("lineLength must be at least 1")
        }
        // A day: sums of nanoseconds stay far from overflowing.
        let range = Duration.milliseconds(1)...Duration.seconds(86_400)
        guard [readTimeout, writeTimeout, drainTimeout].allSatisfy(range.contains) else {
            throw .invalidConfiguration("timeouts must be 1 ms to 1 day")
        }
        guard (0...(1 << 30)).contains(maximumBodyBytes) else {
            throw .invalidConfiguration("maximumBodyBytes must be 0 to 1 GiB")
        }
        if let heartbeat, !range.contains(heartbeat.interval) {
            throw .invalidConfiguration("the heartbeat's interval must be 1 ms to 1 day")
        }
        guard threadStackBytes >= 64 << 10 else {
            throw .invalidConfiguration("threadStackBytes must be at least 64 KiB")
        }
    }
}

/// A sign that a worker gets on with its work, for a watchdog.
///
/// It passes through the same queue as the requests: `run()` asks for it, and whichever thread is
/// free next gives it. It stays out when every thread is stuck with a request, when none is
/// woken any more, or when nobody looks after the deadlines.
public struct Heartbeat: Sendable {
    /// From one to the next, in a worker that is not overloaded.
    public var interval: Duration
    /// Called on one of the worker's threads.
    public var action: @Sendable () -> Void

    public init(interval: Duration, action: @escaping @Sendable () -> Void) {
        self.interval = interval
        self.action = action
    }
}

/// Why the worker itself answered a request.
public enum Refusal: Sendable, Equatable {
    /// `CONTENT_LENGTH` is no number, or the body is shorter or longer than it says.
    case malformedBody
    /// `CONTENT_LENGTH` is over `WorkerConfiguration.maximumBodyBytes`.
    case bodyTooLarge

    /// The HTTP status it is answered with.
    public var status: Int {
        switch self {
        case .malformedBody: 400
        case .bodyTooLarge: 413
        }
    }
}

/// What a worker has done and does, at one moment.
public struct WorkerStatistics: Sendable, Equatable {
    /// Requests given to the handler.
    public var requests = 0
    /// Requests answered with 400 or 413 by the worker itself.
    public var refused = 0
    /// Connections closed because their peer spoke no FastCGI, went away or aborted.
    public var broken = 0
    /// Connections closed because their peer took longer than a timeout.
    public var timedOut = 0
    /// Times no descriptor was left for a connection.
    public var descriptorShortages = 0
    /// See `WorkerConfiguration.threads`.
    public var threads = 0
    /// Requests that may be in hand at present; see `WorkerConfiguration.concurrency`. When there are that many, others wait.
    public var admittedRequests = 0
    /// Requests taken and not answered yet, those included that await something without a thread, but not those in line.
    public var requestsInHand = 0
    /// See `WorkerConfiguration.lineLength`.
    public var lineLength = 0
    /// Requests that await a descriptor together with others. When there are `lineLength`, others wait.
    public var requestsInLine = 0
    /// Connections open, the idle ones included.
    public var connections = 0

    public init() {}
}

extension Duration {
    var nanoseconds: UInt64 {
        UInt64(components.seconds) * 1_000_000_000 + UInt64(components.attoseconds / 1_000_000_000)
    }
}
