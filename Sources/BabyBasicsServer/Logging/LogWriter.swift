import Dispatch
import EventLoop
import Glibc
import Logging
import Synchronization

/// Takes records from any thread without ever waiting for whoever reads the log.
///
/// A record is copied into a buffer; a thread of its own writes what has come together. When the reader is so slow that the buffer is full,
/// further records are dropped and counted, and the log says so itself once there is room again.
public final class LogWriter: Sendable {
    private struct Waiting {
        var batch = LogBatch()
        var isWriterAwake = false
        var isClosed = false
    }

    let form: LogRecord.Form
    private let limit: Int
    private let pause: UInt32
    private let waiting = Mutex(Waiting())
    private let wake = DispatchSemaphore(value: 0)
    private let lines = Counter()
    private let dropped = Counter()
    /// Records that are settled: written, or lost in writing.
    private let settled = Counter()

    /// - Parameters:
    ///   - limit: bytes that may wait to be written.
    ///   - gathering: how long records may come together before they are written, so that a busy server does not wake a thread and
    ///     call the system for each.
    public init(
        _ output: LogOutput, limit: Int = 1 << 20, gathering: Duration = .milliseconds(5)
    ) throws {
        form = output.form
        self.limit = limit
        pause = UInt32(max(0, gathering.microseconds))
        try DedicatedThread(stackBytes: 256 << 10) { self.run(LogSink(output)) }.detach()
    }

    public var statistics: LogStatistics {
        var statistics = LogStatistics()
        statistics.lines = lines.value
        statistics.dropped = dropped.value
        return statistics
    }

    func append(_ record: consuming LogRecord) {
        record.end()
        lines.add()
        let (isTaken, wakes) = record.withBytes { record in
            waiting.withLock { waiting in
                guard !waiting.isClosed, waiting.batch.bytes.count + record.count <= limit else {
                    return (false, false)
                }
                waiting.batch.append(record)
                defer { waiting.isWriterAwake = true }
                return (true, !waiting.isWriterAwake)
            }
        }
        if !isTaken { dropped.add() }
        if wakes { wake.signal() }
    }

    /// Waits until all that was appended before is written, or the time is over.
    public func flush(within limit: Duration = .seconds(1)) {
        let ends = ContinuousClock.now + limit
        while settled.value + dropped.value < lines.value, ContinuousClock.now < ends {
            usleep(500)
        }
    }

    /// Ends the thread once it has written what waits; what comes later is dropped.
    public func close() {
        waiting.withLock { $0.isClosed = true }
        wake.signal()
    }

    private func run(_ sink: consuming LogSink) {
        var batch = LogBatch()
        var reported: UInt64 = 0
        while true {
            wake.wait()
            usleep(pause)
            let isClosed = waiting.withLock { waiting in
                swap(&waiting.batch, &batch)
                waiting.isWriterAwake = false
                return waiting.isClosed
            }
            let count = batch.ends.count
            let missing = dropped.value
            if missing > reported {
                var record = LogRecord(form, level: .warning, event: "log lines dropped")
                record.number("count", Int(missing - reported))
                record.end()
                record.withBytes { batch.append($0) }
                reported = missing
            }
            let lost = UInt64(min(count, sink.write(batch)))
            settled.add(UInt64(count) - lost)
            dropped.add(lost)
            batch.removeAll()
            if isClosed { return sink.close() }
        }
    }
}
