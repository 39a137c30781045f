import BabyBasicsAPI
public import Logging
import Postgres

/// The log of all programs of this service, behind swift-log.
public struct ServiceLogHandler: LogHandler {
    public var metadata: Logger.Metadata = [:]
    public var logLevel: Logger.Level
    private let form: LogRecord.Form
    private let append: @Sendable ([UInt8]) -> Void

    /// For a server, which must not wait for the log's reader.
    public init(_ writer: LogWriter, level: Logger.Level) {
        form = writer.output.form
        append = { writer.append($0) }
        logLevel = level
    }

    /// For a command that ends by itself: each event is written at once.
    public init(_ output: LogOutput, level: Logger.Level) {
        form = output.form
        append = { _ = output.write($0) }
        logLevel = level
    }

    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    public func log(event: LogEvent) {
        if case .stringConvertible(let request as RequestRecord)? = event.metadata?["request"] {
            return append(request.record(form, level: event.level).end())
        }
        let fields = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
            .map { ($0.key, "\($0.value)") }
        let name = "\(event.message)"
        let summary = fields.reduce(name) { "\($0) \($1.0)=\($1.1)" }
        var record = LogRecord(form, level: event.level, event: name, summary: summary)
        for (key, value) in fields { record.add(key, value) }
        if let error = event.error { record.add("cause", loggable(error)) }
        append(record.end())
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
