import Dispatch
import EventLoop
import Glibc
import Logging
import Synchronization

/// Takes records from any thread, which never waits for whoever reads the log.
///
/// A thread of its own writes what has come together. When the reader is so slow that a megabyte waits, further records are dropped and
/// counted, and the log says so once there is room again.
public final class LogWriter: Sendable {
    private struct Waiting {
        var records: [[UInt8]] = []
        var bytes = 0
        var isClosed = false
    }

    let output: LogOutput
    private let limit: Int
    private let waiting = Mutex(Waiting())
    private let wake = DispatchSemaphore(value: 0)
    private let lines = Counter()
    private let dropped = Counter()
    private let written = Counter()

    /// - Parameter limit: bytes that may wait to be written.
    public init(_ output: LogOutput, limit: Int = 1 << 20) throws {
        self.output = output
        self.limit = limit
        try DedicatedThread(stackBytes: 256 << 10) { self.run() }.detach()
    }

    public var statistics: LogStatistics {
        LogStatistics(lines: lines.value, dropped: dropped.value)
    }

    func append(_ record: [UInt8]) {
        lines.add()
        let isFirst: Bool? = waiting.withLock { waiting in
            guard !waiting.isClosed, waiting.bytes + record.count <= limit else { return nil }
            waiting.records.append(record)
            waiting.bytes += record.count
            return waiting.records.count == 1
        }
        guard let isFirst else { return dropped.add() }
        if isFirst { wake.signal() }
    }

    /// Waits until all that was appended before is written, or the time is over.
    public func flush(within limit: Duration = .seconds(1)) {
        let ends = ContinuousClock.now + limit
        while written.value + dropped.value < lines.value, ContinuousClock.now < ends {
            usleep(500)
        }
    }

    /// Ends the thread once it has written what waits; what comes later is dropped.
    public func close() {
        waiting.withLock { $0.isClosed = true }
        wake.signal()
    }

    private func run() {
        var reported: UInt64 = 0
        var isClosed = false
        while !isClosed {
            wake.wait()
            // Records come together meanwhile, so that a busy server does not wake this thread for each.
            usleep(5000)
            let taken = waiting.withLock { waiting in
                defer { (waiting.records, waiting.bytes) = ([], 0) }
                return waiting
            }
            for batch in output.batches(of: taken.records) {
                (output.write(batch.bytes) ? written : dropped).add(batch.count)
            }
            let missing = dropped.value
            if missing > reported, report(missing - reported) { reported = missing }
            isClosed = taken.isClosed
        }
    }

    private func report(_ count: UInt64) -> Bool {
        let event = "log lines dropped"
        var record = LogRecord(
            output.form, level: .warning, event: event, summary: "\(event) count=\(count)")
        record.add("count", String(count))
        return output.write(record.end())
    }
}

/// What has become of the lines given to a log.
public struct LogStatistics: Sendable, Equatable {
    public var lines: UInt64 = 0
    /// Of these, those that nobody will read.
    public var dropped: UInt64 = 0

    public init() {}

    init(lines: UInt64, dropped: UInt64) {
        self.lines = lines
        self.dropped = dropped
    }
}
