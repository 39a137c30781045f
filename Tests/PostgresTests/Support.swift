import Foundation
import Logging
import Postgres
import Synchronization
import TestSupport
import Testing

/// A session of the owner on an empty database that lives as long as this value.
struct Fixture {
    let database: TestDatabase
    let session: Session

    init(_ change: (inout SessionConfiguration) -> Void = { _ in }) throws {
        database = try TestCluster.shared.emptyDatabase()
        session = try database.open(change)
    }
}

extension TestDatabase {
    /// Another session of the owner.
    func open(
        logger: Logger = TestCluster.logger,
        _ change: (inout SessionConfiguration) -> Void = { _ in }
    ) throws -> Session {
        var configuration = SessionConfiguration(url: ownerURL)
        change(&configuration)
        return try Session(configuration, logger: logger)
    }

    func pool(
        logger: Logger = TestCluster.logger, _ change: (inout PoolConfiguration) -> Void = { _ in }
    ) -> Pool {
        var configuration = PoolConfiguration(url: ownerURL)
        change(&configuration)
        return Pool(configuration: configuration, logger: logger)
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

extension Session {
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
final class Worker<Value: Sendable>: Sendable {
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
