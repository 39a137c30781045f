import BabyBasicsAPI
public import Logging
import Postgres

/// The log of a worker, behind swift-log.
public struct ServiceLogHandler: LogHandler {
    public var metadata: Logger.Metadata = [:]
    public var logLevel: Logger.Level
    private let writer: LogWriter

    public init(_ writer: LogWriter, level: Logger.Level) {
        self.writer = writer
        logLevel = level
    }

    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    public func log(event: LogEvent) {
        let fields = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
            .map { ($0.key, "\($0.value)") }
        var summary = event.message.description
        if writer.form == .journal {
            for (key, value) in fields { summary += " \(key)=\(value)" }
        }
        var record = LogRecord(
            writer.form, level: event.level, event: event.message.description, summary: summary)
        for (key, value) in fields { record.text(key, value) }
        if let error = event.error { record.text("cause", loggable(error)) }
        writer.append(record)
    }

    func log(_ request: RequestRecord, level: Logger.Level) {
        guard level >= logLevel else { return }
        let summary = writer.form == .journal ? request.summary : nil
        var record = LogRecord(writer.form, level: level, event: "request", summary: summary)
        request.write(to: &record)
        writer.append(record)
    }
}

/// What the log may say of an error: the kind alone, unless it is one of ours, whose descriptions hold nothing of what a client sent.
func loggable(_ error: any Error) -> String {
    switch error {
    case let error as PostgresError: error.description
    case let error as APIError: error.code.rawValue
    default: String(reflecting: type(of: error))
    }
}
