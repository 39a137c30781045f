/// How a worker serves. Every timeout is longer than zero.
public struct WorkerConfiguration: Sendable {
    /// The whole time a peer has to send one request, from its first byte to its last.
    public var readTimeout: Duration = .seconds(10)
    /// The whole time a peer has to take one answer.
    public var writeTimeout: Duration = .seconds(10)
    /// How long, after `stop()`, kept connections are still served and requests still read.
    /// nginx lets go of a connection after `keepalive_time` and then `keepalive_timeout` at the latest (5 s each): longer
    /// than both together, no connection is closed under a request.
    public var drainTimeout: Duration = .seconds(11)
    /// The longest body accepted, in bytes; a longer one is answered with 413.
    public var maximumBodyBytes = 1 << 20
    /// The sign of life, if one is wanted.
    public var heartbeat: Heartbeat?
    /// The answer to a request that no handler gets to see.
    public var refusal: @Sendable (Refusal) -> Response = { Response(status: $0.status) }

    public init() {}

    /// Throws `FastCGIError.invalidConfiguration`.
    func validate() throws(FastCGIError) {
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
    }
}

/// A sign that a worker gets on with its work, for a watchdog: it stays out when the loop is stuck.
public struct Heartbeat: Sendable {
    /// From one to the next, in a worker that is not overloaded.
    public var interval: Duration
    /// Called on the worker's loop.
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
