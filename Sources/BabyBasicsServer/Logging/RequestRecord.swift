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

    func write(to record: inout LogRecord) {
        record.plain("request_id") { $0.append(contentsOf: checkedRequestID) }
        record.plain("method") { $0.append(contentsOf: (route?.endpoint.method.rawValue ?? "-").utf8) }
        record.plain("route") { $0.append(contentsOf: (route?.endpoint.path ?? "-").utf8) }
        record.number("status", status)
        record.milliseconds("ms", nanoseconds: nanoseconds)
        record.milliseconds("db_ms", nanoseconds: database.nanoseconds)
        record.number("db_trips", database.roundTrips)
        record.milliseconds("pool_ms", nanoseconds: database.waitedNanoseconds)
        record.plain("user_id") { text in
            guard let userID else { return text.append(UInt8(ascii: "-")) }
            text.append(addingCapacity: UserID.digitCount) { (target: inout OutputSpan<UInt8>) in
                userID.writeDigits(to: &target)
            }
        }
        if let cause { record.text("cause", cause) }
    }

    /// What a person reads first.
    var summary: String {
        let milliseconds = (nanoseconds + 500_000) / 1_000_000
        return
            "\(route?.endpoint.method.rawValue ?? "-") \(route?.endpoint.path ?? "-") \(status) \(milliseconds) ms"
    }

    /// nginx makes 32 hexadecimal digits; whatever else came is not repeated.
    private var checkedRequestID: ArraySlice<UInt8> {
        guard let requestID, (1...64).contains(requestID.count),
            requestID.allSatisfy(isLetterDigitOrHyphen)
        else { return [UInt8(ascii: "-")] }
        return requestID
    }
}

extension RequestRecord: CustomStringConvertible {
    /// For log handlers that know nothing of requests.
    var description: String {
        var record = LogRecord(.line, level: .info, event: "request")
        write(to: &record)
        return String(decoding: record.bytes, as: UTF8.self)
    }
}
