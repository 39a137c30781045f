import BabyBasicsServer
import Configuration
import FastCGI
import Glibc
import Logging

/// The log of a worker. Commands that end by themselves write to standard error at once.
struct ServiceLog {
    let logger: Logger
    private let writer: LogWriter

    /// Call it once a process.
    init(level: Logger.Level) throws {
        let stream = getenv("JOURNAL_STREAM").map { String(cString: $0) }
        let writer = try LogWriter(.chosen(journalStream: stream))
        self.writer = writer
        LoggingSystem.bootstrap { _ in ServiceLogHandler(writer, level: level) }
        logger = Logger(label: "babybasics")
    }

    var statistics: LogStatistics { writer.statistics }

    /// Waits until everything is written, a second at most.
    func flush() { writer.flush() }

    /// Answers Prometheus, if it is to. A worker whose address is taken works without: its absence is an alarm of its own.
    func serveMetrics(_ address: LoopbackAddress?, of server: Server, _ worker: Worker) {
        guard let address else { return }
        do {
            _ = try MetricsListener(address) { [writer] in
                server.metrics(worker: worker.statistics, log: writer.statistics)
            }
        } catch {
            logger.error("no metrics", metadata: ["reason": "\(error)"])
        }
    }
}

extension ConfigReader {
    /// An address that only this machine can reach; nil where the variable is absent.
    /// - Throws: `ConfigurationError` for any other address: what is served there has no access control.
    func loopbackAddress(_ name: String) throws(ConfigurationError) -> LoopbackAddress? {
        guard let value = text(name) else { return nil }
        guard let address = LoopbackAddress(value) else {
            throw ConfigurationError(
                "\(name) must be 127.0.0.1 and a port, such as 127.0.0.1:9101")
        }
        return address
    }
}
