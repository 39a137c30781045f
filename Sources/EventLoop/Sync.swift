import Dispatch
import Synchronization

extension EventLoop {
    /// Runs a task on the loop and waits for it. For another thread than the loop's, while the loop runs.
    public func sync<Value: Sendable>(
        _ body: sending @escaping () async -> Value
    ) -> Value {
        precondition(!isCurrent, "the loop would wait for itself")
        let done = DispatchSemaphore(value: 0)
        let result = SyncResult<Value>()
        task {
            result.set(await body())
            done.signal()
        }
        done.wait()
        return result.get()
    }
}

private final class SyncResult<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    func set(_ value: Value) { self.value.withLock { $0 = value } }

    func get() -> Value {
        guard let value = value.withLock({ $0 }) else { preconditionFailure("it was signalled before it was set") }
        return value
    }
}
