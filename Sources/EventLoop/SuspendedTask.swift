/// A task that waits to be resumed, once.
@safe
public struct SuspendedTask: Sendable {
    private let continuation: UnsafeContinuation<Void, Never>

    fileprivate init(_ continuation: UnsafeContinuation<Void, Never>) {
        unsafe self.continuation = unsafe continuation
    }

    /// Has the task go on, on its own loop. May be called from any thread.
    public func resume() { unsafe continuation.resume() }
}

/// Suspends the calling task. `body` keeps it, and whoever has it then resumes it: not twice, and not never.
public func suspend(_ body: (SuspendedTask) -> Void) async {
    unsafe await withUnsafeContinuation { unsafe body(SuspendedTask($0)) }
}
