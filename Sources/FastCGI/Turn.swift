import Dispatch
import Synchronization

/// What one thread of a worker is at, and whether it is the one that takes what comes next.
public final class Turn: Sendable {
    private let began = Atomic<UInt64>(0)
    private let taking = Atomic(false)
    private let semaphore = DispatchSemaphore(value: 0)
    private unowned let turnstile: Turnstile?

    /// - Parameter turnstile: which outlives it; nil outside of a worker.
    init(_ turnstile: Turnstile?) { self.turnstile = turnstile }

    /// For a handler that is called outside of a worker.
    public convenience init() { self.init(nil) }

    /// Has another thread take what comes next: to be called before anything that takes time. Does nothing when called again.
    public func release() {
        if isTaking { turnstile?.release(self) }
    }

    /// When it took what it is at (`monotonicNanoseconds`); 0 while it is at nothing.
    var since: UInt64 { began.load(ordering: .sequentiallyConsistent) }

    func begin() { began.store(monotonicNanoseconds(), ordering: .sequentiallyConsistent) }

    func end() { began.store(0, ordering: .releasing) }

    /// Changes under the turnstile's lock alone.
    var isTaking: Bool {
        get { taking.load(ordering: .relaxed) }
        set { taking.store(newValue, ordering: .relaxed) }
    }

    func sleep() { semaphore.wait() }

    func wake() { semaphore.signal() }
}
