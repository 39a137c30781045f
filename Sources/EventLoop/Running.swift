extension EventLoop {
    /// Runs a loop of one's own on the calling thread until `body` has ended: a program's whole life, or a command's.
    public static func run<Value: Sendable>(
        _ body: @escaping @Sendable (EventLoop) async throws -> Value
    ) throws -> Value {
        let loop = try EventLoop()
        return try withExtendedLifetime(loop) {
            let outcome = Outcome<Result<Value, any Error>>()
            loop.task {
                do { outcome.set(.success(try await body(loop))) } catch { outcome.set(.failure(error)) }
                loop.stop()
            }
            loop.run()
            guard let result = outcome.get() else { throw SystemCallError("epoll_wait", errno: 0) }
            return try result.get()
        }
    }
}
