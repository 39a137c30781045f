import Glibc

/// Lets a fixed number of threads through at once, keeps a bounded number waiting, and turns the rest away.
///
/// POSIX threads' own lock and condition: those who wait sleep, and a wait can end by time.
final class Gate: Sendable {
    private let width: Int
    private let queue: Int
    private let patience: Duration
    private let state: State

    /// `@unchecked`: `Gate` reads and writes the counters only while it holds the lock.
    @safe private final class State: @unchecked Sendable {
        let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        let freed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
        var statistics = GateStatistics()
        /// Of those that wait, who goes first.
        var preferredWaiting = 0

        init() {
            unsafe pthread_mutex_init(lock, nil)
            var attributes = pthread_condattr_t()
            unsafe pthread_condattr_init(&attributes)
            // The wall clock can be set; a wait must not depend on it.
            unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
            unsafe pthread_cond_init(freed, &attributes)
            unsafe pthread_condattr_destroy(&attributes)
        }

        deinit {
            unsafe pthread_cond_destroy(freed)
            unsafe pthread_mutex_destroy(lock)
            unsafe freed.deallocate()
            unsafe lock.deallocate()
        }
    }

    init(width: Int, queue: Int, patience: Duration) {
        self.width = width
        self.queue = queue
        self.patience = patience
        self.state = State()
    }

    var statistics: GateStatistics {
        unsafe pthread_mutex_lock(state.lock)
        defer { unsafe pthread_mutex_unlock(state.lock) }
        var statistics = state.statistics
        statistics.width = width
        statistics.queue = queue
        return statistics
    }

    /// Whether who is not preferred would be turned away.
    var isFull: Bool {
        unsafe pthread_mutex_lock(state.lock)
        defer { unsafe pthread_mutex_unlock(state.lock) }
        return state.statistics.waiting - state.preferredWaiting >= queue
    }

    func countTurnedAway() {
        unsafe pthread_mutex_lock(state.lock)
        state.statistics.turnedAway += 1
        unsafe pthread_mutex_unlock(state.lock)
    }

    /// - Parameter isPreferred: goes before those that are not, and finds a queue of the same length of its own.
    func enter<Value>(isPreferred: Bool = false, _ body: () throws -> Value) throws -> Value {
        try acquire(isPreferred)
        defer { release() }
        return try body()
    }

    private func acquire(_ isPreferred: Bool) throws(CryptographyError) {
        unsafe pthread_mutex_lock(state.lock)
        defer { unsafe pthread_mutex_unlock(state.lock) }
        let waiting = state.statistics.waiting
        if state.statistics.running < width,
            isPreferred ? state.preferredWaiting == 0 : waiting == 0
        {
            state.statistics.start()
            return
        }
        guard (isPreferred ? state.preferredWaiting : waiting - state.preferredWaiting) < queue
        else {
            state.statistics.turnedAway += 1
            throw .hashingQueueFull
        }
        state.statistics.waiting += 1
        if isPreferred { state.preferredWaiting += 1 }
        defer {
            state.statistics.waiting -= 1
            if isPreferred { state.preferredWaiting -= 1 }
        }
        var deadline = self.deadline()
        while mustWait(isPreferred) {
            if unsafe pthread_cond_timedwait(state.freed, state.lock, &deadline) == ETIMEDOUT,
                mustWait(isPreferred)
            {
                state.statistics.turnedAway += 1
                throw .hashingQueueFull
            }
        }
        state.statistics.start()
    }

    private func mustWait(_ isPreferred: Bool) -> Bool {
        state.statistics.running >= width || (!isPreferred && state.preferredWaiting > 0)
    }

    private func release() {
        unsafe pthread_mutex_lock(state.lock)
        state.statistics.running -= 1
        // All: whoever is woken alone may have to let another go first.
        unsafe pthread_cond_broadcast(state.freed)
        unsafe pthread_mutex_unlock(state.lock)
    }

    private func deadline() -> timespec {
        var now = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &now)
        let (seconds, attoseconds) = patience.components
        let nanoseconds = now.tv_nsec + Int(attoseconds / 1_000_000_000)
        return timespec(
            tv_sec: now.tv_sec + Int(seconds) + nanoseconds / 1_000_000_000,
            tv_nsec: nanoseconds % 1_000_000_000)
    }
}

/// A gate at one moment.
public struct GateStatistics: Sendable, Equatable {
    /// Let through at once, at most.
    public internal(set) var width = 0
    /// Waiting at once, at most.
    public internal(set) var queue = 0
    /// Inside now.
    public internal(set) var running = 0
    /// Waiting now.
    public internal(set) var waiting = 0
    /// Since the gate was made: let through, the ones inside included.
    public internal(set) var admitted = 0
    /// Since the gate was made: refused because the queue was full or the wait too long.
    public internal(set) var turnedAway = 0

    fileprivate mutating func start() {
        running += 1
        admitted += 1
    }
}
