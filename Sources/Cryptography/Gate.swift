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
        var running = 0
        var waiting = 0
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

    var load: (running: Int, waiting: Int) {
        unsafe pthread_mutex_lock(state.lock)
        defer { unsafe pthread_mutex_unlock(state.lock) }
        return (state.running, state.waiting + state.preferredWaiting)
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
        if state.running < width, state.preferredWaiting == 0, isPreferred || state.waiting == 0 {
            state.running += 1
            return
        }
        guard (isPreferred ? state.preferredWaiting : state.waiting) < queue else {
            throw .hashingQueueFull
        }
        if isPreferred { state.preferredWaiting += 1 } else { state.waiting += 1 }
        defer { if isPreferred { state.preferredWaiting -= 1 } else { state.waiting -= 1 } }
        var deadline = self.deadline()
        while mustWait(isPreferred) {
            if unsafe pthread_cond_timedwait(state.freed, state.lock, &deadline) == ETIMEDOUT,
                mustWait(isPreferred)
            {
                throw .hashingQueueFull
            }
        }
        state.running += 1
    }

    private func mustWait(_ isPreferred: Bool) -> Bool {
        state.running >= width || (!isPreferred && state.preferredWaiting > 0)
    }

    private func release() {
        unsafe pthread_mutex_lock(state.lock)
        state.running -= 1
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
