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
    /// What has been written so far.
    private(set) var bytes: [UInt8] = []

    /// - Parameters:
    ///   - event: what happened, in words of the program.
    ///   - summary: what a person reads first in the journal, where it differs from the event.
    init(_ form: Form, level: Logger.Level, event: String, summary: String? = nil) {
        self.form = form
        bytes.reserveCapacity(512)
        switch form {
        case .line:
            bytes.append(contentsOf: "time=".utf8)
            appendTime()
            plain("level") { $0.append(contentsOf: level.rawValue.utf8) }
            text("event", event)
        case .journal:
            bytes.append(contentsOf: "PRIORITY=".utf8)
            bytes.append(level.journalPriority)
            bytes.append(contentsOf: "\nSYSLOG_IDENTIFIER=babybasics\n".utf8)
            text("message", summary ?? event)
        }
    }

    /// Has `read` look at what has been written, without a copy.
    func withBytes<Value>(_ read: (UnsafeBufferPointer<UInt8>) -> Value) -> Value {
        bytes.withUnsafeBufferPointer(read)
    }

    /// Nothing comes after this.
    mutating func end() {
        if form == .line { bytes.append(UInt8(ascii: "\n")) }
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
            bytes.append(contentsOf: (isPlain ? value : value.debugDescription).utf8)
        case .journal:
            bytes.append(contentsOf: value.utf8)
        }
        endValue()
    }

    /// The form for values of more than one line: the length stands before them instead of a `=`.
    private mutating func journalLines(_ name: String, _ value: String) {
        journalName(name)
        bytes.append(UInt8(ascii: "\n"))
        for shift in stride(from: 0, to: 64, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: value.utf8.count >> shift))
        }
        bytes.append(contentsOf: value.utf8)
        endValue()
    }

    mutating func number(_ name: String, _ value: Int) {
        key(name)
        bytes.append(contentsOf: String(max(0, value)).utf8)
        endValue()
    }

    /// In milliseconds, to the microsecond.
    mutating func milliseconds(_ name: String, nanoseconds: UInt64) {
        key(name)
        let microseconds = nanoseconds / 1000
        bytes.append(contentsOf: String(microseconds / 1000).utf8)
        bytes.append(addingCapacity: 4) { (target: inout OutputSpan<UInt8>) in
            target.append(UInt8(ascii: "."))
            target.append(digit: Int(microseconds / 100 % 10))
            target.append(twoDigits: Int(microseconds % 100))
        }
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
            journalName(name)
        }
        bytes.append(UInt8(ascii: "="))
    }

    private mutating func journalName(_ name: String) {
        for byte in name.utf8 { bytes.append(Self.inJournalNames(byte)) }
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

    /// Now, in UTC with milliseconds. (journald notes the time itself.)
    private mutating func appendTime() {
        let microseconds = Int64(ProcessFigures.clock(CLOCK_REALTIME) / 1000)
        let now = Timestamp(microsecondsSince1970: microseconds)
        bytes.append(addingCapacity: Timestamp.digitCount) { (target: inout OutputSpan<UInt8>) in
            now.writeDigits(to: &target)
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
