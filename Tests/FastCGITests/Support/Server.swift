import FastCGI
import Foundation
import Glibc
import Synchronization

/// A worker on a socket of its own, in this process.
final class Server: Sendable {
    let path: String
    let worker: Worker
    private let ended = DispatchSemaphore(value: 0)

    /// Answers with the method and the body.
    static let echo: Worker.Handler = { request in
        let method = Array((request["REQUEST_METHOD"] ?? "").utf8)
        return Response(
            status: 200, headers: [("Content-Type", "text/plain")], body: method + request.body)
    }

    /// Short enough for a test, long enough for a busy machine.
    static func configuration(
        threads: Int = 4, _ change: (inout WorkerConfiguration) -> Void = { _ in }
    ) -> WorkerConfiguration {
        var configuration = WorkerConfiguration()
        configuration.threads = threads
        configuration.drainTimeout = .seconds(20)
        change(&configuration)
        return configuration
    }

    static func freshPath() -> String {
        "/tmp/fcgi-test-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    }

    init(
        listener: Listener? = nil, path: String = Server.freshPath(),
        configuration: WorkerConfiguration = Server.configuration(),
        handler: @escaping Worker.Handler = Server.echo
    ) throws {
        self.path = path
        let listener = try listener ?? Listener(path: path)
        worker = try Worker(listener: listener, configuration: configuration, handler: handler)
        start()
    }

    init(
        configuration: WorkerConfiguration = Server.configuration(),
        starting start: @escaping Worker.Starter
    ) throws {
        path = Server.freshPath()
        worker = try Worker(
            listener: Listener(path: path), configuration: configuration, starting: start)
        self.start()
    }

    private func start() {
        let (worker, ended) = (worker, ended)
        Thread.detachNewThread {
            try? worker.run()
            ended.signal()
        }
    }

    deinit {
        worker.stop()
        unlink(path)
    }

    /// Whether `run()` returned in this time.
    func hasEnded(within seconds: Double) -> Bool {
        guard ended.wait(timeout: .now() + seconds) == .success else { return false }
        ended.signal()
        return true
    }

    func connect() throws -> Client { try Client(path: path) }

    func exchange(_ bytes: [UInt8]) throws -> Client.Answer { try connect().exchange(bytes) }
}

/// Waits for something that another thread is about to do.
func eventually(within seconds: Double = 20, _ condition: () -> Bool) -> Bool {
    let end = Date(timeIntervalSinceNow: seconds)
    while Date() < end {
        if condition() { return true }
        usleep(2_000)
    }
    return condition()
}

/// A door that a handler waits at until the test opens it.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    private let waiting = Atomic(0)

    var waitingCount: Int { waiting.load(ordering: .sequentiallyConsistent) }

    func wait() {
        waiting.add(1, ordering: .sequentiallyConsistent)
        semaphore.wait()
        semaphore.signal()
    }

    func open() { semaphore.signal() }
}
