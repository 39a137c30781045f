import BabyBasicsAPI
import FastCGI
import FoundationEssentials
import Logging
import Postgres

/// What the log says of one request, and all that it says: the route's pattern stands for the path, and nothing that a client chose is here.
struct RequestRecord: Sendable {
    /// nginx's `$request_id`, as it came.
    let requestID: ArraySlice<UInt8>?
    /// Nil where the request met none.
    let route: Route?
    let status: Int
    let nanoseconds: UInt64
    let database: DatabaseUse
    let userID: UserID?
    /// Why the answer is a 500 or 503.
    let cause: String?

    func record(_ form: LogRecord.Form, level: Logger.Level) -> LogRecord {
        let summary = form == .journal ? self.summary : ""
        var record = LogRecord(form, level: level, event: "request", summary: summary)
        record.add("request_id", checkedRequestID)
        record.add("method", method)
        record.add("route", path)
        record.add("status", String(status))
        record.add("ms", milliseconds(nanoseconds))
        record.add("db_ms", milliseconds(database.nanoseconds))
        record.add("db_trips", String(database.roundTrips))
        record.add("pool_ms", milliseconds(database.waitedNanoseconds))
        record.add("user_id", userID.map { "\($0)" } ?? "-")
        if let cause { record.add("cause", cause) }
        return record
    }

    private var method: String { route?.endpoint.method.rawValue ?? "-" }
    private var path: String { route?.endpoint.path ?? "-" }

    private var summary: String {
        "\(method) \(path) \(status) \((nanoseconds + 500_000) / 1_000_000) ms"
    }

    /// nginx makes 32 hexadecimal digits; whatever else came is not repeated.
    private var checkedRequestID: String {
        guard let requestID, (1...64).contains(requestID.count),
            requestID.allSatisfy(isLetterDigitOrHyphen)
        else { return "-" }
        return String(decoding: requestID, as: UTF8.self)
    }

    /// To the microsecond.
    private func milliseconds(_ nanoseconds: UInt64) -> String {
        let fraction = String(nanoseconds / 1000 % 1000 + 1000).dropFirst()
        return "\(nanoseconds / 1_000_000).\(fraction)"
    }
}

extension RequestRecord: CustomStringConvertible {
    /// For log handlers that know nothing of requests.
    var description: String {
        String(decoding: record(.line, level: .info).bytes, as: UTF8.self)
    }
}
