import Logging

/// Where requests are written down: they are most of the log.
struct RequestLog: Sendable {
    private let logger: Logger

    init(_ logger: Logger) { self.logger = logger }

    func write(_ record: RequestRecord, level: Logger.Level) {
        logger.log(level: level, "request", metadata: ["request": .stringConvertible(record)])
    }
}
