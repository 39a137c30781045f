import BabyBasicsAPI
import Glibc
import Logging

/// The bytes of one event on their way to the log.
///
/// As a line, `key=value` pairs on standard error; for journald, `KEY=value` lines in its native protocol, so that
/// `journalctl REQUEST_ID=… -o verbose` finds and shows each field by itself.
struct LogRecord: ~Copyable {
    enum Form: Sendable {
        case line, journal
    }

    /// In bytes. More than this is cut: a line is written in one piece, and so is a datagram of the journal.
    static let longestValue = 2000

    private let form: Form
    private var buffer = ByteBuffer(capacity: 512)

    /// - Parameters:
    ///   - event: what happened, in words of the program.
    ///   - summary: what a person reads first in the journal, where it differs from the event.
    init(_ form: Form, level: Logger.Level, event: String, summary: String? = nil) {
        self.form = form
        switch form {
        case .line:
            buffer.append("time=")
            appendTime()
            buffer.append(" level=")
            buffer.append(level.rawValue)
            text("event", event)
        case .journal:
            buffer.append("PRIORITY=")
            buffer.append(level.journalPriority)
            buffer.append("\nSYSLOG_IDENTIFIER=babybasics\n")
            text("message", summary ?? event)
        }
    }

    /// What has been written so far.
    var bytes: [UInt8] { buffer.bytes }

    /// The finished bytes.
    consuming func finish() -> [UInt8] {
        if form == .line { buffer.append(UInt8(ascii: "\n")) }
        return bytes
    }

    mutating func text(_ name: String, _ value: String) {
        let value =
            value.utf8.count > Self.longestValue
            ? String(decoding: value.utf8.prefix(Self.longestValue), as: UTF8.self) : value
        if form == .journal, value.utf8.contains(UInt8(ascii: "\n")) {
            return journalLines(name, value)
        }
        key(name)
        switch form {
        case .line:
            let isPlain = !value.isEmpty && value.utf8.allSatisfy(Self.isPlain)
            // Quoted and escaped: a value cannot make a field or a line of its own.
            buffer.append(isPlain ? value : value.debugDescription)
        case .journal:
            buffer.append(value)
        }
        endValue()
    }

    /// The form for values of more than one line: the length stands before them instead of a `=`.
    private mutating func journalLines(_ name: String, _ value: String) {
        journalName(name)
        buffer.append(UInt8(ascii: "\n"))
        for shift in stride(from: 0, to: 64, by: 8) {
            buffer.append(UInt8(truncatingIfNeeded: value.utf8.count >> shift))
        }
        buffer.append(value)
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
        let zero = UInt8(ascii: "0")
        buffer.append(UInt8(ascii: "."))
        buffer.append(zero + UInt8(microseconds % 1000 / 100))
        buffer.append(zero + UInt8(microseconds % 100 / 10))
        buffer.append(zero + UInt8(microseconds % 10))
        endValue()
    }

    /// A value that is known to need no quotes.
    mutating func plain(_ name: String, _ write: (inout ByteBuffer) -> Void) {
        key(name)
        write(&buffer)
        endValue()
    }

    static func isPlain(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7f && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "=")
    }

    private mutating func key(_ name: String) {
        switch form {
        case .line:
            buffer.append(UInt8(ascii: " "))
            buffer.append(name)
        case .journal: journalName(name)
        }
        buffer.append(UInt8(ascii: "="))
    }

    private mutating func journalName(_ name: String) {
        for byte in name.utf8 { buffer.append(Self.inJournalNames(byte)) }
    }

    private mutating func endValue() {
        if form == .journal { buffer.append(UInt8(ascii: "\n")) }
    }

    /// Upper-case letters, digits and underscores are all that journald takes.
    private static func inJournalNames(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - 32
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
        default: UInt8(ascii: "_")
        }
    }

    private mutating func append(decimal value: UInt64) {
        if value >= 10 { append(decimal: value / 10) }
        buffer.append(UInt8(48 + value % 10))
    }

    /// Now, in UTC with milliseconds. (journald notes the time itself.)
    private mutating func appendTime() {
        let microseconds = Int64(ProcessFigures.clock(CLOCK_REALTIME) / 1000)
        let now = Timestamp(microsecondsSince1970: microseconds)
        buffer.append(atMost: Timestamp.digitCount) {
            now.writeDigits(to: $0)
            return Timestamp.digitCount
        }
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
