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
            buffer.append(literal: "time=")
            appendTime()
            plain("level") { $0.append(level.rawValue) }
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

    /// Has `read` look at what has been written, without a copy.
    func withBytes<Value>(_ read: (UnsafeBufferPointer<UInt8>) -> Value) -> Value {
        buffer.withBytes(read)
    }

    /// Nothing comes after this.
    mutating func end() {
        if form == .line { buffer.append(UInt8(ascii: "\n")) }
    }

    mutating func text(_ name: String, _ value: String) {
        let value =
            value.utf8.count > Self.longestValue
            ? String(decoding: value.utf8.prefix(Self.longestValue), as: UTF8.self) : value
        if form == .journal, value.utf8.contains(UInt8(ascii: "\n")) {
            return journalLines(name, value)
        }
        name.utf8.span.withUnsafeBufferPointer { key($0) }
        switch form {
        case .line:
            let isPlain = value.utf8.span.withUnsafeBufferPointer { text in
                !text.isEmpty && text.allSatisfy(Self.isPlain)
            }
            // Quoted and escaped: a value cannot make a field or a line of its own.
            buffer.append(isPlain ? value : value.debugDescription)
        case .journal:
            buffer.append(value)
        }
        endValue()
    }

    /// The form for values of more than one line: the length stands before them instead of a `=`.
    private mutating func journalLines(_ name: String, _ value: String) {
        name.utf8.span.withUnsafeBufferPointer { journalName($0) }
        buffer.append(UInt8(ascii: "\n"))
        for shift in stride(from: 0, to: 64, by: 8) {
            buffer.append(UInt8(truncatingIfNeeded: value.utf8.count >> shift))
        }
        buffer.append(value)
        endValue()
    }

    mutating func number(_ name: StaticString, _ value: Int) {
        key(name.bytes)
        buffer.append(decimal: UInt64(max(0, value)))
        endValue()
    }

    /// In milliseconds, to the microsecond.
    mutating func milliseconds(_ name: StaticString, nanoseconds: UInt64) {
        key(name.bytes)
        let microseconds = nanoseconds / 1000
        buffer.append(decimal: microseconds / 1000)
        buffer.append(atMost: 4) { target in
            target[0] = UInt8(ascii: ".")
            digits(Int(microseconds % 1000), 3, target + 1)
            return 4
        }
        endValue()
    }

    /// A value that is known to need no quotes.
    mutating func plain(_ name: StaticString, _ write: (inout ByteBuffer) -> Void) {
        key(name.bytes)
        write(&buffer)
        endValue()
    }

    static func isPlain(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7f && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "=")
    }

    private mutating func key(_ name: UnsafeBufferPointer<UInt8>) {
        switch form {
        case .line:
            buffer.append(atMost: name.count + 2) { target in
                target[0] = UInt8(ascii: " ")
                if let source = name.baseAddress { memcpy(target + 1, source, name.count) }
                target[name.count + 1] = UInt8(ascii: "=")
                return name.count + 2
            }
        case .journal:
            journalName(name)
            buffer.append(UInt8(ascii: "="))
        }
    }

    private mutating func journalName(_ name: UnsafeBufferPointer<UInt8>) {
        for byte in name { buffer.append(Self.inJournalNames(byte)) }
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
