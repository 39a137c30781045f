import CFastCGI
import Glibc
import Synchronization

/// Lets only so many threads of a worker take requests at a time; the others sleep.
///
/// Threads that are more than what they all need has room for (database sessions, processors) get
/// in each other's way: each waits for its turn in the middle of a request, and every wait is two
/// switches. Here a request waits in epoll's queue instead, and the thread that comes back first
/// goes on with it without having slept. A thread that is stuck, with a slow peer or statement or
/// a password to be hashed, does not count, so that all of them are there for requests like that.
final class Turnstile: Sendable {
    /// What one thread is at.
    final class Seat: Sendable {
        /// When it took what it is at (`monotonicNanoseconds`); 0 while it is at nothing.
        let since = Atomic<UInt64>(0)
    }

    /// A thread this long at one request is stuck, in nanoseconds.
    static let patience: UInt64 = 20_000_000
    /// How often to look for such threads while no other is left.
    static let interval: UInt64 = 20_000_000

    let seats: [Seat]
    private let width: Int
    private let sleepers = Mutex(0)
    /// Both change under the lock of `sleepers` alone.
    private let awake = Atomic(0)
    private let permitted: Atomic<Int>
    private let isOpen = Atomic(false)
    /// `review` is or will be called.
    private let isWatched = Atomic(false)
    private let nextReview = Atomic(UInt64.max)
    /// A descriptor that one reading thread comes back from for each time it was raised.
    private let bell: CInt

    /// - Parameter width: of the threads that are not stuck, how many may be awake.
    init(threads: Int, width: Int) throws(FastCGIError) {
        seats = (0..<threads).map { _ in Seat() }
        self.width = width
        permitted = Atomic(width)
        bell = try systemCall("eventfd") { eventfd(0, CInt(EFD_CLOEXEC | EFD_SEMAPHORE)) }
    }

    deinit { close(bell) }

    /// How many may be awake at present.
    var admitted: Int { min(permitted.load(ordering: .relaxed), seats.count) }

    /// For a thread that begins.
    func enter() {
        sleepers.withLock { _ in _ = awake.increment() }
    }

    /// For a thread that is about to wait for an event: sleeps first for as long as there are enough others.
    func pass() {
        guard awake.load(ordering: .relaxed) > permitted.load(ordering: .relaxed) else { return }
        let sleeps = sleepers.withLock { sleepers in
            guard awake.load(ordering: .relaxed) > permitted.load(ordering: .relaxed) else {
                return false
            }
            awake.decrement()
            sleepers += 1
            return true
        }
        guard sleeps else { return }
        var count: eventfd_t = 0
        while unsafe eventfd_read(bell, &count) != 0, errno == EINTR {}
    }

    /// Whether the thread with which so many are busy has to see to it that `review` is called.
    func mustCallForReview(busy: Int) -> Bool {
        busy >= width && width < seats.count
            && !isWatched.exchange(true, ordering: .sequentiallyConsistent)
    }

    /// Lets others in for threads that are stuck. Returns when to look again. For one thread alone.
    func review(now: UInt64) -> UInt64 {
        guard isWatched.load(ordering: .relaxed) else { return .max }
        var next = nextReview.load(ordering: .relaxed)
        // Not at once: nobody is stuck yet, and on a busy server there is a call every moment.
        if next == .max { next = now + Self.interval }
        if now >= next { next = reviewSeats(now: now) ? now + Self.interval : .max }
        nextReview.store(next, ordering: .relaxed)
        return next
    }

    /// Returns whether to go on watching.
    private func reviewSeats(now: UInt64) -> Bool {
        // Before they are counted: who fills the place from here on calls again.
        isWatched.store(false, ordering: .sequentiallyConsistent)
        var busy = 0
        var stuck = 0
        for seat in seats {
            let since = seat.since.load(ordering: .sequentiallyConsistent)
            if since > 0 { busy += 1 }
            if since > 0, since + Self.patience < now { stuck += 1 }
        }
        permit(width + stuck)
        guard busy >= width || stuck > 0 else { return false }
        isWatched.store(true, ordering: .sequentiallyConsistent)
        return true
    }

    /// Lets all threads in, for good: they are to end.
    func open() {
        isOpen.store(true, ordering: .relaxed)
        permit(seats.count)
    }

    private func permit(_ count: Int) {
        let woken = sleepers.withLock { sleepers in
            let count = isOpen.load(ordering: .relaxed) ? seats.count : count
            permitted.store(count, ordering: .relaxed)
            let woken = max(0, min(sleepers, count - awake.load(ordering: .relaxed)))
            awake.wrappingAdd(woken, ordering: .relaxed)
            sleepers -= woken
            return woken
        }
        if woken > 0 { _ = eventfd_write(bell, eventfd_t(woken)) }
    }
}
