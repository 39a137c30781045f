import BabyBasicsAPI
import Glibc
import Logging

/// The bytes of one event on their way to the log.
///
/// As a line, `key=value` pairs on standard error; for journald, `KEY=value` lines in its native protocol, so that
/// `journalctl REQUEST_ID=… -o verbose` finds and shows each field by itself.
struct LogRecord {
    enum Form: Sendable {
        case line, journal
    }

    /// In bytes. More than this is cut: a line is written in one piece, and so is a datagram of the journal.
    static let longestValue = 2000

    private let form: Form
    private(set) var bytes: [UInt8] = []

    /// - Parameters:
    ///   - event: what happened, in words of the program.
    ///   - summary: what a person reads first in the journal, where it differs from the event.
    init(_ form: Form, level: Logger.Level, event: String, summary: String? = nil) {
        self.form = form
        bytes.reserveCapacity(512)
        switch form {
        case .line:
            append("time=")
            appendTime()
            append(" level=")
            bytes.append(contentsOf: level.rawValue.utf8)
            text("event", event)
        case .journal:
            append("PRIORITY=")
            bytes.append(level.journalPriority)
            append("\nSYSLOG_IDENTIFIER=babybasics\n")
            text("message", summary ?? event)
        }
    }

    /// The finished bytes.
    consuming func finish() -> [UInt8] {
        if form == .line { bytes.append(UInt8(ascii: "\n")) }
        return bytes
    }

    mutating func text(_ name: String, _ value: String) {
        key(name)
        let value =
            value.utf8.count > Self.longestValue
            ? String(decoding: value.utf8.prefix(Self.longestValue), as: UTF8.self) : value
        switch form {
        case .line:
            let isPlain = !value.isEmpty && value.utf8.allSatisfy(Self.isPlain)
            // Quoted and escaped: a value cannot make a field or a line of its own.
            bytes.append(contentsOf: (isPlain ? value : value.debugDescription).utf8)
        case .journal:
            guard value.utf8.contains(UInt8(ascii: "\n")) else {
                bytes.append(contentsOf: value.utf8)
                break
            }
            // The form for values of more than one line: the length stands before them instead of a `=`.
            bytes[bytes.count - 1] = UInt8(ascii: "\n")
            withUnsafeBytes(of: UInt64(value.utf8.count).littleEndian) {
                bytes.append(contentsOf: $0)
            }
            bytes.append(contentsOf: value.utf8)
        }
        endValue()
    }

    mutating func number(_ name: String, _ value: Int) {
        key(name)
        append(decimal: UInt64(max(0, value)))
        endValue()
    }

    /// In milliseconds, to the microsecond.
    mutating func milliseconds(_ name: String, nanoseconds: UInt64) {
        key(name)
        let microseconds = nanoseconds / 1000
        append(decimal: microseconds / 1000)
        bytes.append(UInt8(ascii: "."))
        append(Int(microseconds % 1000), digits: 3)
        endValue()
    }

    /// A value that is known to need no quotes.
    mutating func plain(_ name: String, _ write: (inout [UInt8]) -> Void) {
        key(name)
        write(&bytes)
        endValue()
    }

    static func isPlain(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7f && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "=")
    }

    private mutating func key(_ name: String) {
        switch form {
        case .line:
            bytes.append(UInt8(ascii: " "))
            bytes.append(contentsOf: name.utf8)
        case .journal:
            for byte in name.utf8 { bytes.append(Self.inJournalNames(byte)) }
        }
        bytes.append(UInt8(ascii: "="))
    }

    private mutating func endValue() {
        if form == .journal { bytes.append(UInt8(ascii: "\n")) }
    }

    /// Upper-case letters, digits and underscores are all that journald takes.
    private static func inJournalNames(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - 32
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
        default: UInt8(ascii: "_")
        }
    }

    private mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    private mutating func append(decimal value: UInt64) {
        if value >= 10 { append(decimal: value / 10) }
        bytes.append(UInt8(48 + value % 10))
    }

    private mutating func append(_ value: Int, digits: Int) {
        var divisor = digits == 4 ? 1000 : digits == 3 ? 100 : 10
        while divisor > 0 {
            bytes.append(UInt8(48 + value / divisor % 10))
            divisor /= 10
        }
    }

    /// Now, in UTC with milliseconds. (journald notes the time itself.)
    private mutating func appendTime() {
        let milliseconds = Int(ProcessFigures.clock(CLOCK_REALTIME) / 1_000_000)
        let (days, ofDay) = milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
        let (year, month, day) = CalendarDate(daysSince1970: days).components
        append(year, digits: 4)
        append("-")
        append(month, digits: 2)
        append("-")
        append(day, digits: 2)
        append("T")
        append(ofDay / 3_600_000, digits: 2)
        append(":")
        append(ofDay / 60_000 % 60, digits: 2)
        append(":")
        append(ofDay / 1000 % 60, digits: 2)
        append(".")
        append(ofDay % 1000, digits: 3)
        append("Z")
    }
}

extension Logger.Level {
    /// syslog's, as a digit: 2 critical, 3 error, 4 warning, 5 notice, 6 informational, 7 debug.
    fileprivate var journalPriority: UInt8 {
        switch self {
        case .trace, .debug: UInt8(ascii: "7")
        case .info: UInt8(ascii: "6")
        case .notice: UInt8(ascii: "5")
        case .warning: UInt8(ascii: "4")
        case .error: UInt8(ascii: "3")
        case .critical: UInt8(ascii: "2")
        }
    }
}
