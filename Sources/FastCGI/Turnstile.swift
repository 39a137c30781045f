import Synchronization

/// Lets one thread of a worker take requests at a time, and only so many requests be in hand.
///
/// One thread that takes what comes and goes on without having slept does more than several that wake up for each other's events. It
/// hands its turn over before it does what takes time. Requests that are more than what they all need has room for (database sessions,
/// processors) would get in each other's way, so they wait unread. One that is stuck, with a slow peer or statement or a password to be
/// hashed, does not count, so that all threads are there for requests like that.
final class Turnstile: Sendable {
    /// A thread this long at one request is stuck, in nanoseconds.
    static let patience: UInt64 = 20_000_000
    /// How often to look for such threads while there is anything in hand.
    static let interval: UInt64 = 20_000_000

    private struct State {
        /// Threads whose turn it is.
        var taking = 0
        /// How many there should be.
        var wanted = 1
        /// The one that slept last is woken first: it has the warmest caches.
        var sleeping: [Turn] = []
        var isOpen = false
    }

    private let threads: Int
    private let width: Int
    private let state = Mutex(State())
    private let lineLength: Int
    private let inHand = Atomic(0)
    /// Those that await something together with others: they need no room.
    private let inLine = Atomic(0)
    private let limit: Atomic<Int>
    /// `state.taking > state.wanted`, to be looked at without the lock.
    private let isCrowded = Atomic(false)
    /// `review` is or will be called.
    private let isWatched = Atomic(false)
    private let nextReview = Atomic(UInt64.max)

    /// - Parameters:
    ///   - threads: the most requests in hand; one thread more is needed to take what comes.
    ///   - width: of those that are not stuck, how many.
    ///   - lineLength: how many more may await something together with others.
    init(threads: Int, width: Int, lineLength: Int = 1) {
        self.threads = threads
        self.width = min(width, threads)
        self.lineLength = lineLength
        limit = Atomic(self.width)
    }

    /// Without those in line.
    var requestsInHand: Int { inHand.load(ordering: .relaxed) }

    var requestsInLine: Int { inLine.load(ordering: .relaxed) }

    /// How many requests may be in hand at present.
    var admitted: Int { limit.load(ordering: .relaxed) }

    var hasRoom: Bool {
        inHand.load(ordering: .sequentiallyConsistent) < limit.load(ordering: .relaxed)
            && inLine.load(ordering: .relaxed) < lineLength
    }

    /// Whether the caller has to see to it that `review` is called.
    func beginRequest() -> Bool {
        inHand.wrappingAdd(1, ordering: .sequentiallyConsistent)
        return !isWatched.load(ordering: .relaxed)
            && !isWatched.exchange(true, ordering: .sequentiallyConsistent)
    }

    func endRequest() { inHand.wrappingSubtract(1, ordering: .sequentiallyConsistent) }

    /// For a request in hand that begins to await something together with others.
    func joinLine() {
        inLine.wrappingAdd(1, ordering: .sequentiallyConsistent)
        inHand.wrappingSubtract(1, ordering: .sequentiallyConsistent)
    }

    func leaveLine() {
        inHand.wrappingAdd(1, ordering: .sequentiallyConsistent)
        inLine.wrappingSubtract(1, ordering: .sequentiallyConsistent)
    }

    /// For a thread that has nothing to do: returns when it is its turn, and whether it has slept until then.
    func pass(_ turn: Turn) -> Bool {
        if turn.isTaking, !isCrowded.load(ordering: .relaxed) { return false }
        let sleeps = state.withLock { state in
            if state.isOpen { return false }
            if turn.isTaking {
                if state.taking <= state.wanted { return false }
                state.taking -= 1
                turn.isTaking = false
            } else if state.taking < state.wanted {
                state.taking += 1
                turn.isTaking = true
                return false
            }
            state.sleeping.append(turn)
            noteCrowd(state)
            return true
        }
        if sleeps { turn.sleep() }
        return sleeps
    }

    /// For a thread whose turn it is.
    func release(_ turn: Turn) {
        let woken = state.withLock { state in
            state.taking -= 1
            turn.isTaking = false
            return wake(&state)
        }
        for turn in woken { turn.wake() }
    }

    /// Lets others in for threads and requests that are stuck. Returns when to look again. For one thread alone.
    func review(_ turns: [Turn], now: UInt64) -> UInt64 {
        guard isWatched.load(ordering: .relaxed) else { return .max }
        var next = nextReview.load(ordering: .relaxed)
        // Not at once: nobody is stuck yet, and on a busy server there is a call every moment.
        if next == .max { next = now + Self.interval }
        if now >= next { next = review(turns, at: now) ? now + Self.interval : .max }
        nextReview.store(next, ordering: .relaxed)
        return next
    }

    /// Returns whether to go on watching.
    private func review(_ turns: [Turn], at now: UInt64) -> Bool {
        // Before they are counted: who comes from here on calls again.
        isWatched.store(false, ordering: .sequentiallyConsistent)
        let stuck = turns.filter {
            let since = $0.since
            return since > 0 && since + Self.patience < now
        }
        limit.store(min(width + stuck.count, threads), ordering: .relaxed)
        let woken = state.withLock { state in
            state.wanted = 1 + stuck.count { $0.isTaking }
            return wake(&state)
        }
        for turn in woken { turn.wake() }
        guard requestsInHand + requestsInLine > 0 || !stuck.isEmpty else { return false }
        isWatched.store(true, ordering: .sequentiallyConsistent)
        return true
    }

    /// Lets all threads in, for good: they are to end.
    func open() {
        let woken = state.withLock { state in
            state.isOpen = true
            defer { state.sleeping = [] }
            return state.sleeping
        }
        for turn in woken { turn.wake() }
    }

    /// Those that are to be woken, whose turn it is from now on.
    private func wake(_ state: inout State) -> [Turn] {
        var woken: [Turn] = []
        while state.taking < state.wanted, let turn = state.sleeping.popLast() {
            state.taking += 1
            turn.isTaking = true
            woken.append(turn)
        }
        noteCrowd(state)
        return woken
    }

    private func noteCrowd(_ state: borrowing State) {
        isCrowded.store(state.taking > state.wanted || state.isOpen, ordering: .relaxed)
    }
}
