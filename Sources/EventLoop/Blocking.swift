extension EventLoop {
    /// Runs what blocks on a thread of its own, and goes on here with what it returns.
    ///
    /// - Throws: `SystemCallError` where no thread is to be had.
    public func blocking<Value: Sendable>(
        _ body: @escaping @Sendable () -> Value
    ) async throws(SystemCallError) -> Value {
        let outcome = Outcome<Result<Value, SystemCallError>>()
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
        guard let result = outcome.get() else { throw SystemCallError("pthread_create", errno: 0) }
        return try result.get()
    }
}
