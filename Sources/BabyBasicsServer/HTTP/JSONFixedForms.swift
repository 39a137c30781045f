import BabyBasicsAPI
import FoundationEssentials
import Glibc

// Identifiers and times stand many times in an answer: they are written digit by digit, without a string between. The log has
// them in the same forms.

extension Identifier: JSONWritable {
    static var digitCount: Int { 36 }

    func write(to json: inout JSONWriter) {
        json.quoted(Self.digitCount) { writeDigits(to: $0) }
    }

    /// Writes `digitCount` bytes, such as `019c90a1-2b3c-7def-8123-456789abcdef`.
    func writeDigits(to target: UnsafeMutablePointer<UInt8>) {
        withUnsafeBytes(of: uuid.uuid) { bytes in
            // Nothing is asked here, so that the compiler does many bytes at once.
            for index in 0..<16 {
                target[2 * index] = hexadecimal(bytes[index] >> 4)
                target[2 * index + 1] = hexadecimal(bytes[index] & 15)
            }
        }
        // Room for the hyphens, from the last group on.
        memmove(target + 24, target + 20, 12)
        memmove(target + 19, target + 16, 4)
        memmove(target + 14, target + 12, 4)
        memmove(target + 9, target + 8, 4)
        for hyphen in stride(from: 8, through: 23, by: 5) { target[hyphen] = UInt8(ascii: "-") }
    }
}

extension Timestamp: JSONWritable {
    static let digitCount = 24

    func write(to json: inout JSONWriter) {
        json.quoted(Self.digitCount) { writeDigits(to: $0) }
    }

    /// Writes `digitCount` bytes, such as `2026-02-25T12:00:00.000Z`.
    func writeDigits(to target: UnsafeMutablePointer<UInt8>) {
        let date = utcDate
        let ofDay = Int((microsecondsSince1970 - Int64(date.daysSince1970) * 86_400_000_000) / 1000)
        date.writeDigits(to: target)
        target[10] = UInt8(ascii: "T")
        digits(ofDay / 3_600_000, 2, target + 11)
        target[13] = UInt8(ascii: ":")
        digits(ofDay / 60_000 % 60, 2, target + 14)
        target[16] = UInt8(ascii: ":")
        digits(ofDay / 1000 % 60, 2, target + 17)
        target[19] = UInt8(ascii: ".")
        digits(ofDay % 1000, 3, target + 20)
        target[23] = UInt8(ascii: "Z")
    }
}

extension CalendarDate: JSONWritable {
    static let digitCount = 10

    func write(to json: inout JSONWriter) {
        json.quoted(Self.digitCount) { writeDigits(to: $0) }
    }

    /// Writes `digitCount` bytes, such as `2026-02-25`.
    func writeDigits(to target: UnsafeMutablePointer<UInt8>) {
        let (year, month, day) = components
        digits(year, 4, target)
        target[4] = UInt8(ascii: "-")
        digits(month, 2, target + 5)
        target[7] = UInt8(ascii: "-")
        digits(day, 2, target + 8)
    }
}

extension JSONWriter {
    /// A string of that many bytes, none of which needs an escape.
    fileprivate mutating func quoted(
        _ count: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Void
    ) {
        append(atMost: count + 2) { target in
            target[0] = UInt8(ascii: "\"")
            write(target + 1)
            target[count + 1] = UInt8(ascii: "\"")
            return count + 2
        }
    }
}

/// Writes a number, 0 or more, with as many digits as are wanted.
func digits(_ value: Int, _ width: Int, _ target: UnsafeMutablePointer<UInt8>) {
    var rest = UInt32(truncatingIfNeeded: value)
    for index in (0..<width).reversed() {
        target[index] = UInt8(truncatingIfNeeded: 48 + rest % 10)
        rest /= 10
    }
}
