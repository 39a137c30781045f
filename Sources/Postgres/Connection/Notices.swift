import CLibPQ
import Logging

/// Where a connection's notices go: the log, never stderr.
///
/// Only severity, SQLSTATE and the server's function are logged: a notice's text may quote values.
final class Notices {
    private let logger: Logger

    /// The server committed without waiting for the standby.
    var standbyWaitWasCancelled = false

    /// The server ended the connection while nothing was under way: it does not read what is sent from now on.
    private(set) var serverHasLeft = false

    init(logger: Logger) {
        self.logger = logger
    }

    /// The connection must not outlive this object.
    func receive(from connection: OpaquePointer) {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        _ = unsafe PQsetNoticeReceiver(
            connection,
            { context, result in
                guard let context = unsafe context, let result = unsafe result else { return }
                let notices = unsafe Unmanaged<Notices>.fromOpaque(context).takeUnretainedValue()
                notices.take(
                    severity: unsafe field(BB_DIAG_SEVERITY, of: result) ?? "",
                    state: unsafe field(BB_DIAG_SQLSTATE, of: result) ?? "",
                    function: unsafe field(BB_DIAG_FUNCTION, of: result) ?? "")
            }, context)
    }

    private func take(severity: String, state: String, function: String) {
        let isWarning = severity == "WARNING"
        // A cancelled wait for the synchronous standby says SQLSTATE 01000 like any other warning
        // (57P01 when the server stops), so the function that reports it is what tells it apart.
        let isStandby =
            function == "SyncRepWaitForLSN" || state == "57014" || state == "57P01"
        if isWarning, isStandby {
            standbyWaitWasCancelled = true
        }
        // An error outside a command is a notice to libpq.
        if severity == "FATAL" || severity == "PANIC" { serverHasLeft = true }
        logger.log(
            level: isWarning ? .warning : .debug, "PostgreSQL notice",
            metadata: [
                "severity": "\(severity)", "sqlstate": "\(state)", "function": "\(function)",
            ])
    }
}

/// A field of an error or notice.
func field(_ code: Int32, of result: OpaquePointer) -> String? {
    guard let text = unsafe PQresultErrorField(result, code) else { return nil }
    return unsafe String(cString: text)
}
