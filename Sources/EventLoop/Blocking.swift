import Synchronization

extension EventLoop {
    /// Runs what blocks on a thread of its own, and goes on here with what it returns.
    ///
    /// - Throws: `SystemCallError` where no thread is to be had.
    public func blocking<Value: Sendable>(
        _ body: @escaping @Sendable () -> Value
    ) async throws(SystemCallError) -> Value {
        let outcome = Outcome<Value>()
        await suspend { task in
            do throws(SystemCallError) {
                let thread = try DedicatedThread(stackBytes: 512 << 10) {
                    outcome.set(.success(body()))
                    task.resume()
                }
                thread.detach()
            } catch {
                outcome.set(.failure(error))
                task.resume()
            }
        }
        return try outcome.get()
    }
}

private final class Outcome<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, SystemCallError>?>(nil)

    func set(_ result: Result<Value, SystemCallError>) { self.result.withLock { $0 = result } }

    func get() throws(SystemCallError) -> Value {
        guard let result = result.withLock({ $0 }) else { throw SystemCallError("pthread_create", errno: 0) }
        return try result.get()
    }
}
