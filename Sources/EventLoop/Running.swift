import Synchronization

extension EventLoop {
    /// Runs a loop of one's own on the calling thread until `body` has ended: a program's whole life, or a command's.
    public static func run<Value: Sendable>(
        _ body: @escaping @Sendable (EventLoop) async throws -> Value
    ) throws -> Value {
        let loop = try EventLoop()
        return try withExtendedLifetime(loop) {
            let outcome = RunOutcome<Value>()
            loop.task {
                do { outcome.set(.success(try await body(loop))) } catch { outcome.set(.failure(error)) }
                loop.stop()
            }
            loop.run()
            return try outcome.get()
        }
    }
}

private final class RunOutcome<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, any Error>?>(nil)

    func set(_ result: Result<Value, any Error>) { self.result.withLock { $0 = result } }

    func get() throws -> Value {
        guard let result = result.withLock({ $0 }) else { throw SystemCallError("epoll_wait", errno: 0) }
        return try result.get()
    }
}
