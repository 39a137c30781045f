import Dispatch
import EventLoop
import Glibc
import Synchronization

/// A thread at SCHED_IDLE that computes bcrypt and nothing else: it has a processor when nobody else wants it.
///
/// It takes no lock and allocates no memory while it works. Whoever waited for a lock that it holds would wait as long as it does for a
/// processor, and that might be the event loop.
@safe final class HashingThread: Sendable {
    private enum Phase {
        static let idle = 0
        static let working = 1
        static let done = 2
        static let stopped = 3
    }

    /// SCHED_IDLE of sched(7), which Glibc's module does not have.
    private static let idlePolicy: CInt = 5

    private let phase = Atomic(Phase.idle)
    private let begin = DispatchSemaphore(value: 0)
    // `unsafe`: it belongs to the thread while the phase is `working`, and to whoever uses the thread otherwise.
    private nonisolated(unsafe) let work = BcryptWork()

    /// - Parameters:
    ///   - isIdle: false leaves it at the usual policy.
    ///   - report: told, on the thread, why it cannot be at SCHED_IDLE; it then works at the usual policy.
    ///   - done: signalled after each computation.
    init(
        isIdle: Bool, done: DispatchSemaphore, report: @escaping @Sendable (String) -> Void
    ) throws(CryptographyError) {
        try startThread("password-hash") { [self] in
            var parameters = sched_param()
            // 0 is the calling thread, on Linux.
            if isIdle, unsafe sched_setscheduler(0, Self.idlePolicy, &parameters) != 0 {
                report(unsafe "sched_setscheduler: \(String(cString: strerror(errno)))")
            }
            run(done)
        }
    }

    /// Begins a computation. Only while none is under way.
    func start(_ secret: [UInt8], setting: String) {
        unsafe work.prepare(secret, setting: setting)
        phase.store(Phase.working, ordering: .releasing)
        begin.signal()
    }

    /// The result of the computation, once; nil while there is none.
    func takeResult() -> Result<String, any Error>? {
        guard phase.load(ordering: .acquiring) == Phase.done else { return nil }
        phase.store(Phase.idle, ordering: .relaxed)
        return Result { unsafe try work.result() }
    }

    /// Ends the thread. Only while no computation is under way.
    func stop() {
        phase.store(Phase.stopped, ordering: .releasing)
        begin.signal()
    }

    private func run(_ done: DispatchSemaphore) {
        while true {
            begin.wait()
            guard phase.load(ordering: .acquiring) == Phase.working else { return }
            unsafe work.compute()
            phase.store(Phase.done, ordering: .releasing)
            done.signal()
        }
    }
}

/// Starts a thread of this module, which lives as long as its work.
/// - Parameter name: as `ps -L` shows it, 15 bytes at most.
func startThread(_ name: String, _ body: @escaping @Sendable () -> Void) throws(CryptographyError) {
    do {
        try DedicatedThread(stackBytes: 256 << 10) {
            DedicatedThread.setName(name)
            body()
        }.detach()
    } catch {
        throw .noThread(errno: error.code)
    }
}
