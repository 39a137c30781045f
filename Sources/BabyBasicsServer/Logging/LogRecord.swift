import BabyBasicsAPI
import Glibc
import Logging

/// One event as the log takes it: a line of `key=value` pairs, or fields in journald's native protocol, so that `journalctl REQUEST_ID=…`
/// finds it.
struct LogRecord {
    enum Form: Sendable { case line, journal }

    private(set) var bytes: [UInt8] = []
    private let form: Form

    /// - Parameters:
    ///   - event: what happened, in words of the program.
    ///   - summary: what a person reads first in the journal.
    init(_ form: Form, level: Logger.Level, event: String, summary: String) {
        self.form = form
        bytes.reserveCapacity(512)
        switch form {
        case .line:
            bytes += "time=".utf8
            appendTime()
            add("level", level.rawValue)
            add("event", event)
        case .journal:
            add("priority", level.syslogPriority)
            add("syslog_identifier", "babybasics")
            add("message", summary)
        }
    }

    mutating func add(_ key: String, _ value: String) {
        switch form {
        case .line:
            bytes.append(UInt8(ascii: " "))
            bytes += key.utf8
            bytes.append(UInt8(ascii: "="))
            // Quoted and escaped: a value cannot make a field or a line of its own.
            bytes += (isPlain(value) ? value : value.debugDescription).utf8
        case .journal:
            for byte in key.utf8 { bytes.append(Self.inJournalNames(byte)) }
            if value.utf8.contains(UInt8(ascii: "\n")) {
                // A value of several lines has its length before it.
                bytes.append(UInt8(ascii: "\n"))
                withUnsafeBytes(of: UInt64(value.utf8.count).littleEndian) { bytes += $0 }
            } else {
                bytes.append(UInt8(ascii: "="))
            }
            bytes += value.utf8
            bytes.append(UInt8(ascii: "\n"))
        }
    }

    /// The whole record: nothing is added after this.
    consuming func end() -> [UInt8] {
        if form == .line { bytes.append(UInt8(ascii: "\n")) }
        return bytes
    }

    /// Upper-case letters, digits and underscores are all that journald takes.
    private static func inJournalNames(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - 32
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
        default: UInt8(ascii: "_")
        }
    }

    private func isPlain(_ value: String) -> Bool {
        !value.isEmpty
            && value.utf8.allSatisfy {
                $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "=")
            }
    }

    private mutating func appendTime() {
        let now = Timestamp(
            microsecondsSince1970: Int64(ProcessMetrics.clock(CLOCK_REALTIME) / 1000))
        bytes.append(addingCapacity: Timestamp.digitCount) { (target: inout OutputSpan<UInt8>) in
            now.writeDigits(to: &target)
        }
    }
}

extension Logger.Level {
    fileprivate var syslogPriority: String {
        switch self {
        case .trace, .debug: "7"
        case .info: "6"
        case .notice: "5"
        case .warning: "4"
        case .error: "3"
        case .critical: "2"
        }
    }
}
