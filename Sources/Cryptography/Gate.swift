import Glibc

/// Lets a fixed number of threads through at once, keeps a bounded number waiting, first come, first served, and turns the rest away.
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
        /// The numbers of those that wait, in the order they came. Who is preferred goes first.
        var preferred: [Int] = []
        var others: [Int] = []
        var lastNumber = 0
        /// How long those inside take, the last four counting most; zero until one has left.
        var usualStay = Duration.zero

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
        statistics.waiting = state.preferred.count + state.others.count
        return statistics
    }

    /// Whether who is not preferred would be turned away.
    var isFull: Bool {
        unsafe pthread_mutex_lock(state.lock)
        defer { unsafe pthread_mutex_unlock(state.lock) }
        return !hasRoom(isPreferred: false)
    }

    func countTurnedAway() {
        unsafe pthread_mutex_lock(state.lock)
        state.statistics.turnedAway += 1
        unsafe pthread_mutex_unlock(state.lock)
    }

    /// - Parameter isPreferred: goes before those that are not, and finds a queue of the same length of its own.
    func enter<Value>(isPreferred: Bool = false, _ body: () throws -> Value) throws -> Value {
        try acquire(isPreferred)
        let began = ContinuousClock.now
        defer { release(after: ContinuousClock.now - began) }
        return try body()
    }

    private func acquire(_ isPreferred: Bool) throws(CryptographyError) {
        unsafe pthread_mutex_lock(state.lock)
        defer { unsafe pthread_mutex_unlock(state.lock) }
        if mustWait(nil, isPreferred: isPreferred) {
            guard hasRoom(isPreferred: isPreferred) else {
                state.statistics.turnedAway += 1
                throw .hashingQueueFull
            }
            try wait(isPreferred)
        }
        state.statistics.start()
    }

    private func wait(_ isPreferred: Bool) throws(CryptographyError) {
        state.lastNumber += 1
        let number = state.lastNumber
        let line = isPreferred ? \State.preferred : \State.others
        state[keyPath: line].append(number)
        defer {
            state[keyPath: line].removeAll { $0 == number }
            // The next may be first now, and there may be room for it as well.
            unsafe pthread_cond_broadcast(state.freed)
        }
        var deadline = self.deadline()
        while mustWait(number, isPreferred: isPreferred) {
            if unsafe pthread_cond_timedwait(state.freed, state.lock, &deadline) == ETIMEDOUT,
                mustWait(number, isPreferred: isPreferred)
            {
                state.statistics.turnedAway += 1
                throw .hashingQueueFull
            }
        }
    }

    /// - Parameter number: of one that waits; nil stands for one that comes now.
    private func mustWait(_ number: Int?, isPreferred: Bool) -> Bool {
        if state.statistics.running >= width { return true }
        if isPreferred { return state.preferred.first != number }
        return !state.preferred.isEmpty || state.others.first != number
    }

    /// Whether one more may wait: there is a place, and its turn is likely to come well before its patience ends. Who would wait in vain
    /// is told at once.
    private func hasRoom(isPreferred: Bool) -> Bool {
        let waiting = isPreferred ? state.preferred.count : state.others.count
        let ahead = isPreferred ? waiting : waiting + state.preferred.count
        // The first in line waits at least for one of those inside, whatever that has taken: nobody else can tell how long it takes now.
        return waiting < queue
            && (ahead == 0 || state.usualStay * (ahead + 1) / width < patience * 4 / 5)
    }

    private func release(after stay: Duration) {
        unsafe pthread_mutex_lock(state.lock)
        state.usualStay =
            state.usualStay == .zero ? stay : state.usualStay + (stay - state.usualStay) / 4
        state.statistics.running -= 1
        // All: only the first in line goes, and it cannot be woken alone.
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
