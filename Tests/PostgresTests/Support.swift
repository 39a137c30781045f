import EventLoop
import Foundation
import Logging
import Synchronization
import TestSupport
import Testing

@testable import Postgres

/// A connection of the owner on an empty database that lives as long as this value.
struct Fixture {
    let database: TestDatabase
    let connection: TestConnection

    init(_ change: (inout ConnectionConfiguration) -> Void = { _ in }) throws {
        database = try TestCluster.shared.emptyDatabase()
        connection = try database.open(change)
    }
}

extension TestDatabase {
    /// Another connection of the owner.
    func open(
        logger: Logger = TestCluster.logger,
        _ change: (inout ConnectionConfiguration) -> Void = { _ in }
    ) throws -> TestConnection {
        var configuration = ConnectionConfiguration(url: ownerURL)
        change(&configuration)
        return try TestConnection(configuration, logger: logger)
    }

    func pool(
        logger: Logger = TestCluster.logger, _ change: (inout PoolConfiguration) -> Void = { _ in }
    ) -> TestPool {
        var configuration = PoolConfiguration(url: ownerURL)
        change(&configuration)
        return TestPool(configuration: configuration, logger: logger)
    }
}

/// A pool on the tests' loop whose connections are lent to threads of the tests.
final class TestPool: Sendable {
    let pool: Pool

    init(configuration: PoolConfiguration, logger: Logger = TestCluster.logger) {
        pool = Pool(configuration: configuration, on: TestLoop.shared, logger: logger)
    }

    deinit { close() }

    var statistics: PoolStatistics { pool.loop.sync { [pool] in pool.statistics } }

    func close() { pool.loop.sync { [pool] in pool.close() } }

    func checkout() throws -> Lease {
        Lease(try TestLoop.run { [pool] in try await pool.checkout() }, of: self)
    }

    @discardableResult
    func withConnection<Value>(_ body: (TestConnection) throws -> Value) throws -> Value {
        let lease = try checkout()
        defer { lease.giveBack() }
        return try body(lease.connection)
    }

    /// Opens as many connections.
    func fill(_ count: Int) throws {
        let leases = try (0..<count).map { _ in try checkout() }
        for lease in leases { lease.giveBack() }
    }

    /// Runs a statement on a shared connection.
    func read<Value>(_ sql: SQL, _ make: @escaping (inout Row) throws -> Value) throws -> [Value] {
        try TestLoop.run { [pool] in
            var use = DatabaseUse()
            return try await pool.read(sql, adding: &use, make)
        }
    }

    struct Lease {
        let connection: TestConnection
        private let pool: TestPool

        init(_ connection: Connection, of pool: TestPool) {
            self.connection = TestConnection(borrowed: connection)
            self.pool = pool
        }

        func giveBack() {
            let connection = Handed(connection.connection)
            pool.pool.loop.sync { [pool = pool.pool] in pool.giveBack(connection.value) }
        }
    }
}

extension TestConnection {
    var preparedStatements: Int { connection.preparedStatements }
    var use: DatabaseUse { connection.use }
}

extension Migrator {
    func migrate(
        _ test: TestConnection, to version: Int? = nil, patience: Duration = .seconds(60)
    ) throws -> [Migration] {
        let connection = test.connection
        return try TestLoop.run { try await migrate(connection, to: version, patience: patience) }
    }

    func pending(_ test: TestConnection) throws -> [Migration] {
        let connection = test.connection
        return try TestLoop.run { try await pending(connection) }
    }
}

/// Runs `body`, which must throw a `PostgresError`, and returns it.
func failure<Value>(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Value
) throws -> PostgresError {
    try #require(
        #expect(
            throws: PostgresError.self, sourceLocation: sourceLocation,
            performing: { _ = try body() }),
        sourceLocation: sourceLocation)
}

extension TestConnection {
    /// Has commits of this cluster wait for a standby that does not exist.
    func requireMissingStandby() throws {
        try execute("alter system set synchronous_standby_names = 'nobody'")
        try execute("select pg_reload_conf()")
        try eventually {
            try first("select current_setting('synchronous_standby_names')") {
                try $0.next(String.self)
            } == .some("nobody")
        }
    }

    /// Ends a commit's wait for its standby, once there is one.
    func cancelStandbyWait() throws {
        try eventually {
            try execute(
                "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'")
                > 0
        }
    }
}

extension PostgresError {
    var isConnectionLost: Bool { if case .connectionLost = kind { true } else { false } }
    var isOutcomeUnknown: Bool { if case .outcomeUnknown = kind { true } else { false } }
    var isUnavailable: Bool { if case .unavailable = kind { true } else { false } }
    var isPoolTimeout: Bool { if case .poolTimeout = kind { true } else { false } }
    var isDecoding: Bool { if case .decoding = kind { true } else { false } }
    var isTransactionAborted: Bool { if case .transactionAborted = kind { true } else { false } }
    var isMisuse: Bool { if case .misuse = kind { true } else { false } }
}

/// Runs `body` on a thread of its own; `join` returns what it returned or throws what it threw.
final class Background<Value: Sendable>: Sendable {
    private let done = DispatchSemaphore(value: 0)
    private let result = Mutex<Result<Value, any Error>?>(nil)

    init(_ body: @escaping @Sendable () throws -> Value) {
        Thread.detachNewThread { [self] in
            let outcome = Result { try body() }
            result.withLock { $0 = outcome }
            done.signal()
        }
    }

    func join(seconds: Double = 30) throws -> Value {
        try #require(done.wait(timeout: .now() + seconds) == .success, "the thread hangs")
        defer { done.signal() }
        return try #require(result.withLock { $0 }).get()
    }
}

/// Waits until `condition` holds, 10 s at most.
func eventually(
    sourceLocation: SourceLocation = #_sourceLocation, _ condition: () throws -> Bool
) throws {
    for _ in 0..<1000 {
        if try condition() { return }
        usleep(10_000)
    }
    Issue.record("it never happened", sourceLocation: sourceLocation)
}

/// A log that is kept for the test to read.
final class LogRecorder: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    var logger: Logger {
        var logger = Logger(label: "recorded") { [self] _ in Handler(recorder: self) }
        logger.logLevel = .trace
        return logger
    }

    private struct Handler: LogHandler {
        let recorder: LogRecorder
        var logLevel = Logger.Level.trace
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            recorder.lines.withLock {
                $0.append("\(event.level) \(event.message) \(event.metadata ?? [:])")
            }
        }
    }
}

/// Whole milliseconds that `body` takes.
func milliseconds(_ body: () throws -> Void) rethrows -> Int {
    let duration = try ContinuousClock().measure(body)
    return Int(duration / .milliseconds(1))
}
