import EventLoop
import FastCGI
import Foundation
import Glibc
import Synchronization
import TestSupport

/// A worker on a socket and a loop of its own, in this process.
final class Server: Sendable {
    let path: String
    let worker: Worker
    let loop: EventLoop
    private let ended = DispatchSemaphore(value: 0)

    /// Answers with the method and the body.
    static let echo: Worker.Handler = { request in
        let method = Array((request["REQUEST_METHOD"] ?? "").utf8)
        return Response(status: 200, headers: [("Content-Type", "text/plain")], body: method + request.body)
    }

    /// Long enough for a busy machine.
    static func configuration(_ change: (inout WorkerConfiguration) -> Void = { _ in }) -> WorkerConfiguration {
        var configuration = WorkerConfiguration()
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
        loop = TestLoop.start()
        worker = try Worker(
            listener: try listener ?? Listener(path: path), on: loop, configuration: configuration, handler: handler)
        loop.task { [worker, ended] in
            try? await worker.serve()
            ended.signal()
        }
    }

    deinit {
        worker.stop()
        unlink(path)
        // The loop's thread ends with the last connection.
        let (loop, ended) = (loop, ended)
        Thread.detachNewThread {
            _ = ended.wait(timeout: .now() + 60)
            loop.stop()
        }
    }

    /// Whether `serve()` returned in this time.
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

/// A door that handlers wait at, suspended, until the test opens it.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [SuspendedTask] = []
    }

    private let state = Mutex(State())

    var waitingCount: Int { state.withLock { $0.waiting.count } }

    func pass() async {
        await suspend { task in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(task) }
                return state.isOpen
            }
            if isOpen { task.resume() }
        }
    }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting.removeAll() }
            return state.waiting
        }
        for task in waiting { task.resume() }
    }
}

extension DispatchSemaphore {
    /// Waits on a loop's thread, which nothing but a test may do.
    func block() { wait() }
}
