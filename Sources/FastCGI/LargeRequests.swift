import EventLoop
import Glibc

/// Reads requests that do not fit into their sockets, such as large batches: a thread for each, a few at a time.
final class LargeRequests: @unchecked Sendable {
    // Unchecked because the loop's thread alone uses its variables; each thread has a reader of its own.
    private static let most = 4
    private let maximumBodyBytes: Int
    private var running = 0
    private var waiting: [SuspendedTask] = []

    init(maximumBodyBytes: Int) { self.maximumBodyBytes = maximumBodyBytes }

    /// Suspends until all of it is here, or its connection is shut down.
    ///
    /// - Parameter begins: called when a thread is free for it: who waits for others has its time yet to come.
    func read(
        from descriptor: CInt, on loop: EventLoop, begins: () -> Void
    ) async -> RequestReader.Outcome {
        if running == Self.most { await suspend { waiting.append($0) } } else { running += 1 }
        defer { if waiting.isEmpty { running -= 1 } else { waiting.removeFirst().resume() } }
        begins()
        // A descriptor of its own, as libfcgi may close it while the loop still knows the other.
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { return .broken(isClosed: false) }
        let maximumBodyBytes = maximumBodyBytes
        let outcome = try? await loop.blocking {
            let outcome = RequestReader().read(from: copy, maximumBodyBytes: maximumBodyBytes)
            if case .broken(isClosed: true) = outcome { return RequestReader.Outcome.broken(isClosed: false) }
            _ = close(copy)
            return outcome
        }
        return outcome ?? .broken(isClosed: false)
    }
}
