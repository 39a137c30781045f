import CFastCGI
public import EventLoop
import Glibc

/// Takes signals in one thread of its own, where anything may be called, instead of in a handler
/// that would interrupt whichever thread is reading a request.
///
/// Make it first thing in the program, before any other thread: the signals are blocked in the
/// calling thread, and in all that it starts from then on. Executed programs inherit that too.
public struct SignalWaiter: Sendable {
    private let signals: [Int32]

    /// Blocks SIGTERM, SIGINT and SIGHUP in the calling thread.
    public init() { self.init([SIGTERM, SIGINT, SIGHUP]) }

    /// Blocks these signals in the calling thread.
    public init(_ signals: [Int32]) {
        self.signals = signals
        var set = SignalWaiter.set(signals)
        _ = unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Waits for the next of them, whichever thread or process it was sent by.
    public func wait() -> Int32 {
        var set = SignalWaiter.set(signals)
        var signal: CInt = 0
        while unsafe sigwait(&set, &signal) != 0 {}
        return signal
    }

    /// Calls `action` for each of them, on a thread that lasts as long as the process.
    ///
    /// - Throws: `SystemCallError` if the thread cannot be made.
    public func onEach(_ action: @escaping @Sendable (Int32) -> Void) throws(SystemCallError) {
        try DedicatedThread(stackBytes: 256 << 10) {
            while true { action(wait()) }
        }.detach()
    }

    private static func set(_ signals: [Int32]) -> sigset_t {
        var set = sigset_t()
        _ = unsafe sigemptyset(&set)
        for signal in signals { _ = unsafe sigaddset(&set, signal) }
        return set
    }
}
