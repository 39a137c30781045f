public import Foundation

/// How often, how long and after which pauses a request is sent again. What may be sent again at all is `Repetition`'s to know.
///
/// The pause before try n + 1 is random between nothing and `base · 2ⁿ⁻¹`, at most `longestPause`: clients that failed together
/// do not come back together. What the server asks for with `Retry-After` is waited in full before that.
public struct RetryPolicy: Sendable {
    /// The first try included; at least 1.
    public var tries: Int
    public var base: Duration
    public var longestPause: Duration
    /// From the first try to the last one's beginning, pauses included. A longer `Retry-After` ends the matter at once.
    public var totalTime: Duration
    /// Of one try, without a sign of the server.
    public var timeout: Duration
    /// Told of every pause before it begins, and of what made it necessary.
    public var onPause: (@Sendable (Duration, any Error) -> Void)?
    public var environment: Environment

    public init(
        tries: Int = 4, base: Duration = .milliseconds(250), longestPause: Duration = .seconds(8),
        totalTime: Duration = .seconds(30), timeout: Duration = .seconds(30),
        onPause: (@Sendable (Duration, any Error) -> Void)? = nil,
        environment: Environment = Environment()
    ) {
        self.tries = tries
        self.base = base
        self.longestPause = longestPause
        self.totalTime = totalTime
        self.timeout = timeout
        self.onPause = onPause
        self.environment = environment
    }

    /// Sends everything once.
    public static let never = RetryPolicy(tries: 1)

    /// Time and chance, for tests to set.
    public struct Environment: Sendable {
        /// Since a moment that does not matter; never goes back.
        public var uptime: @Sendable () -> Duration
        public var date: @Sendable () -> Date
        /// Throws `CancellationError` once the task is cancelled.
        public var sleep: @Sendable (Duration) async throws -> Void
        /// 0 to 1.
        public var random: @Sendable () -> Double

        public init(
            uptime: @escaping @Sendable () -> Duration = { [start = ContinuousClock.now] in
                start.duration(to: .now)
            },
            date: @escaping @Sendable () -> Date = { Date() },
            sleep: @escaping @Sendable (Duration) async throws -> Void = {
                try await Task.sleep(for: $0)
            },
            random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
        ) {
            self.uptime = uptime
            self.date = date
            self.sleep = sleep
            self.random = random
        }
    }

    /// The pause after a try that failed.
    /// - Parameters:
    ///   - failed: how many have; from 1.
    ///   - asked: what the server asked for.
    func pause(after failed: Int, asked: Duration?) -> Duration {
        // Twenty doublings of anything are beyond every longest pause.
        let ceiling = min(longestPause, base * (1 << min(failed - 1, 20)))
        return (asked ?? .zero) + ceiling * environment.random()
    }
}
