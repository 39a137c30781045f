public import EventLoop
import Foundation
public import Logging
public import Postgres

/// The event loop of this process's tests, on a thread of its own.
public enum TestLoop {
    public static let shared: EventLoop = start()

    /// Another one, for tests that stop it or keep it busy.
    public static func start() -> EventLoop {
        do {
            let loop = try EventLoop()
            Thread.detachNewThread { loop.run() }
            return loop
        } catch {
            preconditionFailure("no event loop for the tests: \(error)")
        }
    }

    /// Runs a task on the shared loop and waits for it.
    public static func run<Value>(_ body: @escaping () async throws -> Value) throws -> Value {
        try shared.wait(for: body)
    }
}

extension EventLoop {
    /// Runs a task on the loop and waits for it, on a thread of the tests.
    public func wait<Value>(for body: @escaping () async throws -> Value) throws -> Value {
        let given = Handed(body)
        let result = sync { () async -> Handed<Result<Value, any Error>> in
            do { return Handed(.success(try await given.value())) } catch { return Handed(.failure(error)) }
        }
        return try result.value.get()
    }
}

/// A value that goes from one thread to another.
///
/// Unchecked because the thread that hands it over waits until the other is done with it.
public struct Handed<Value>: @unchecked Sendable {
    public let value: Value

    public init(_ value: Value) { self.value = value }
}

/// A connection for tests, whose calls wait for their answers. For one thread at a time.
public final class TestConnection {
    /// The connection itself, for tasks of its loop.
    public let connection: Connection
    private let loop: EventLoop
    private let isOwned: Bool

    /// Makes one of its own, closed when it goes.
    public convenience init(
        _ configuration: ConnectionConfiguration, on loop: EventLoop = TestLoop.shared,
        logger: Logger = TestCluster.logger
    ) throws {
        let connection = try loop.wait {
            try await Connection.open(configuration, on: loop, logger: logger)
        }
        self.init(connection, on: loop, isOwned: true)
    }

    /// Borrows another's, such as a pool's.
    public convenience init(borrowed connection: Connection, on loop: EventLoop = TestLoop.shared) {
        self.init(connection, on: loop, isOwned: false)
    }

    private init(_ connection: Connection, on loop: EventLoop, isOwned: Bool) {
        self.connection = connection
        self.loop = loop
        self.isOwned = isOwned
    }

    deinit { if isOwned { close() } }

    public func close() {
        // A task of the loop, which can't wait for itself, may be the last that holds it.
        guard !loop.isCurrent else { return connection.close() }
        let connection = Handed(connection)
        try? loop.wait { connection.value.close() }
    }

    public var isInTransaction: Bool { connection.isInTransaction }

    public var processIdentifier: Int32 { connection.processIdentifier }

    @discardableResult
    public func execute(_ sql: SQL) throws -> Int {
        try loop.wait { [connection] in try await connection.execute(sql) }
    }

    public func script(_ text: String) throws { try loop.wait { [connection] in try await connection.script(text) } }

    public func enqueue(_ sql: SQL) throws { try loop.wait { [connection] in try connection.enqueue(sql) } }

    // Escaping, as the task may let go of `make` a little later than this thread goes on.
    public func rows<Value>(_ sql: SQL, _ make: @escaping (inout Row) throws -> Value) throws -> [Value] {
        try loop.wait { [connection] in try await connection.rows(sql, make) }
    }

    public func first<Value>(_ sql: SQL, _ make: @escaping (inout Row) throws -> Value) throws -> Value? {
        try loop.wait { [connection] in try await connection.first(sql, make) }
    }

    /// Runs `body`, on this thread, in a transaction.
    @discardableResult
    public func transaction<Value>(
        _ body: () throws -> Value
    ) throws -> Value {
        let began = DispatchSemaphore(value: 0)
        let ended = DispatchSemaphore(value: 0)
        let handed = Handed(connection)
        let state = TransactionState()
        loop.task {
            do {
                try await handed.value.transaction {
                    await suspend {
                        state.set($0)
                        began.signal()
                    }
                    if let error = state.error { throw error }
                }
            } catch { state.failure = error }
            began.signal()
            ended.signal()
        }
        began.wait()
        let result: Result<Value, any Error>
        if state.isRunning {
            do { result = .success(try body()) } catch { result = .failure(error) }
            if case .failure(let error) = result { state.error = error }
            state.resume()
        } else {
            result = .failure(Missed())
        }
        ended.wait()
        if case .failure(let error) = result, !(error is Missed) { throw error }
        if let error = state.failure { throw error }
        return try result.get()
    }
}

private struct Missed: Error {}

/// Unchecked because the two threads take turns, by semaphores.
private final class TransactionState: @unchecked Sendable {
    private var task: SuspendedTask?
    var error: (any Error)?
    var failure: (any Error)?

    var isRunning: Bool { task != nil }

    func set(_ task: SuspendedTask) { self.task = task }

    func resume() { task?.resume() }
}
