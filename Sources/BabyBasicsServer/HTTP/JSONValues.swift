public import BabyBasicsAPI
import FoundationEssentials
public import JSON

// Identifiers and times stand many times in an answer: they are written digit by digit, without a string between. The log has
// them in the same forms.

extension Identifier: JSONWritable {
    public func write(to json: inout JSONWriter) {
        json.string(atMost: Self.digitCount) { writeDigits(to: &$0) }
    }

    static var digitCount: Int { 36 }

    /// Writes `digitCount` bytes, such as `019c90a1-2b3c-7def-8123-456789abcdef`.
    func writeDigits(to target: inout OutputSpan<UInt8>) {
        withUnsafeBytes(of: uuid.uuid) { bytes in
            for (index, byte) in bytes.enumerated() {
                if index == 4 || index == 6 || index == 8 || index == 10 {
                    target.append(UInt8(ascii: "-"))
                }
                target.append(hexadecimal(byte >> 4))
                target.append(hexadecimal(byte & 15))
            }
        }
    }
}

extension Timestamp: JSONWritable {
    public func write(to json: inout JSONWriter) {
        json.string(atMost: Self.digitCount) { writeDigits(to: &$0) }
    }

    static let digitCount = 24

    /// Writes `digitCount` bytes, such as `2026-02-25T12:00:00.000Z`.
    func writeDigits(to target: inout OutputSpan<UInt8>) {
        let date = utcDate
        let ofDay = Int((microsecondsSince1970 - Int64(date.daysSince1970) * 86_400_000_000) / 1000)
        date.writeDigits(to: &target)
        target.append(UInt8(ascii: "T"))
        target.append(twoDigits: ofDay / 3_600_000)
        target.append(UInt8(ascii: ":"))
        target.append(twoDigits: ofDay / 60_000 % 60)
        target.append(UInt8(ascii: ":"))
        target.append(twoDigits: ofDay / 1000 % 60)
        target.append(UInt8(ascii: "."))
        target.append(digit: ofDay / 100 % 10)
        target.append(twoDigits: ofDay % 100)
        target.append(UInt8(ascii: "Z"))
    }
}

extension CalendarDate: JSONWritable {
    public func write(to json: inout JSONWriter) {
        json.string(atMost: Self.digitCount) { writeDigits(to: &$0) }
    }

    static let digitCount = 10

    /// Writes `digitCount` bytes, such as `2026-02-25`.
    func writeDigits(to target: inout OutputSpan<UInt8>) {
        let (year, month, day) = components
        target.append(twoDigits: year / 100)
        target.append(twoDigits: year % 100)
        target.append(UInt8(ascii: "-"))
        target.append(twoDigits: month)
        target.append(UInt8(ascii: "-"))
        target.append(twoDigits: day)
    }
}

extension OutputSpan<UInt8> {
    /// Writes a number of 0 to 9.
    mutating func append(digit number: Int) { append(48 + UInt8(truncatingIfNeeded: number)) }

    /// Writes a number of 0 to 99.
    mutating func append(twoDigits number: Int) {
        append(digit: number / 10)
        append(digit: number % 10)
    }
}

extension Tenths: JSONWritable {
    public func write(to json: inout JSONWriter) { json.raw(description) }
}
