import Dispatch

extension EventLoop {
    /// Runs a task on the loop and waits for it. For another thread than the loop's, while the loop runs.
    public func sync<Value: Sendable>(
        _ body: sending @escaping () async -> Value
    ) -> Value {
        precondition(!isCurrent, "the loop would wait for itself")
        let done = DispatchSemaphore(value: 0)
        let result = Outcome<Value>()
        task {
            result.set(await body())
            done.signal()
        }
        done.wait()
        guard let value = result.get() else { preconditionFailure("it was signalled before it was set") }
        return value
    }
}
