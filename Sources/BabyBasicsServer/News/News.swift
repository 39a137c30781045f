import BabyBasicsAPI
import EventLoop
import Logging
import Postgres
import Synchronization

/// Brings changes to the requests that wait for them: at once to those of this worker, and through PostgreSQL to those of all others.
///
/// Only the feed tells what has changed. News that get lost cost time, and never more of it than a request waits anyway.
public final class News: Sendable {
    struct State {
        var waiters = FeedWaiters()
        var outgoing = GatheredNews()
        /// Which run of numbers the database was in at the last look.
        var generation: Int64?
        /// Told that there may be mail to send.
        var mailIsDue: (() -> Void)?
        var isDraining = false
        var isClosed = false
        /// What sends and listens, while it has nothing to do.
        var idle: SuspendedTask?
    }

    /// What a worker that drains lets wait still: long enough that a client that comes back at once is no storm.
    private static let drainingWait = Duration.seconds(1)

    let pool: Pool
    let logger: Logger
    let state: LoopBound<State>
    let metrics = NewsMetrics()

    init(_ pool: Pool, _ logger: Logger) {
        self.pool = pool
        self.logger = logger
        state = LoopBound(State(), on: pool.loop)
    }

    var loop: EventLoop { pool.loop }

    /// Tells this worker's waiters now, and the others' soon.
    func publish(_ items: some Sequence<NewsItem>) {
        for item in items {
            tell(item)
            state.value.outgoing.add(item)
        }
        if !state.value.outgoing.isEmpty { wakeLine() }
    }

    func tell(_ item: NewsItem) {
        if item == .mail { state.value.mailIsDue?() } else { state.value.waiters.tell(item) }
    }

    /// A waiter that hears of all news from now on; to be forgotten by whoever made it.
    func waiter(of family: FamilyID, after revision: Int64) -> FeedWaiter {
        let waiter = FeedWaiter(family: family, revision: revision)
        state.value.waiters.add(waiter)
        metrics.waiting.add(1, ordering: .relaxed)
        return waiter
    }

    func forget(_ waiter: FeedWaiter) {
        waiter.end()
        state.value.waiters.remove(waiter)
        metrics.waiting.subtract(1, ordering: .relaxed)
        if let toldAt = waiter.toldAt { metrics.wakeUps.record(nanoseconds: Monotonic.now &- toldAt) }
    }

    /// Has a user's request wait until there is news for it, or its time is over. The time begins with the first wait.
    func begin(_ waiter: FeedWaiter, of user: UserID, for duration: Duration) {
        let limit = state.value.isDraining ? min(duration, Self.drainingWait) : duration
        waiter.setDeadline(Monotonic.now + UInt64(limit / .nanoseconds(1)), on: loop)
        state.value.waiters.begin(waiter, of: user)
    }

    /// Has all who wait answer now. May be called from any thread.
    public func drain() {
        loop.task { [self] in
            state.value.isDraining = true
            for waiter in state.value.waiters.all { waiter.tell(.over) }
        }
    }

    /// Ends what `run` began. On the loop.
    func close() {
        state.value.isClosed = true
        wakeLine()
    }

    func wakeLine() { state.value.idle.take()?.resume() }
}
