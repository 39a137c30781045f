import Logging

/// Where requests are written down: they are most of the log.
struct RequestLog: Sendable {
    private let logger: Logger
    /// Takes a record as it is, without a dictionary and an event between. Any other log gets it as metadata.
    private let handler: ServiceLogHandler?

    init(_ logger: Logger) {
        self.logger = logger
        handler = logger.handler as? ServiceLogHandler
    }

    func write(_ record: RequestRecord, level: Logger.Level) {
        if let handler {
            handler.log(record, level: level)
        } else {
            logger.log(level: level, "request", metadata: ["request": .stringConvertible(record)])
        }
    }
}
