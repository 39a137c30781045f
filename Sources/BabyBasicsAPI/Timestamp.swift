/// A moment. On the wire RFC 3339 in UTC with milliseconds, `2026-02-25T12:00:00.000Z`.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Negative before 1970. The database keeps microseconds, the wire milliseconds.
    public let microsecondsSince1970: Int64

    public init(microsecondsSince1970: Int64) {
        self.microsecondsSince1970 = microsecondsSince1970
    }

    public static func < (left: Self, right: Self) -> Bool {
        left.microsecondsSince1970 < right.microsecondsSince1970
    }

    public func adding(_ duration: Duration) -> Timestamp {
        let (seconds, attoseconds) = duration.components
        return Timestamp(
            microsecondsSince1970: microsecondsSince1970 + seconds * 1_000_000
                + attoseconds / 1_000_000_000_000)
    }

    /// The time from an earlier moment to this one.
    public func since(_ earlier: Timestamp) -> Duration {
        .microseconds(microsecondsSince1970 - earlier.microsecondsSince1970)
    }

    /// The day in UTC.
    public var utcDate: CalendarDate {
        CalendarDate(daysSince1970: Int(floorDivide(microsecondsSince1970, 86_400_000_000)))
    }

    /// Without what the wire does not show.
    public var truncatedToMilliseconds: Timestamp {
        Timestamp(microsecondsSince1970: floorDivide(microsecondsSince1970, 1000) * 1000)
    }
}

extension Timestamp: LosslessStringConvertible {
    /// Reads RFC 3339 with any offset up to ±23:59 and any number of fraction digits, of which three count.
    ///
    /// Nil for any other form, a day or an hour that does not exist, and the leap second `:60`, which no clock here can hold.
    public init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes.count <= 64, let date = CalendarDate(bytes[..<10]),
            bytes[10] | 0x20 == UInt8(ascii: "t"), bytes[13] == UInt8(ascii: ":"),
            bytes[16] == UInt8(ascii: ":"),
            let hour = decimal(bytes[11..<13]), let minute = decimal(bytes[14..<16]),
            let second = decimal(bytes[17..<19]), hour < 24, minute < 60, second < 60
        else { return nil }
        var rest = bytes[19...]
        var milliseconds = 0
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix {
                $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9")
            }
            guard !digits.isEmpty else { return nil }
            milliseconds = zip(digits, [100, 10, 1]).reduce(0) { $0 + Int($1.0 - 48) * $1.1 }
            rest = rest[digits.endIndex...]
        }
        guard let offsetMinutes = Self.offset(rest) else { return nil }
        let seconds =
            date.daysSince1970 * 86_400 + hour * 3600 + (minute - offsetMinutes) * 60 + second
        self.init(microsecondsSince1970: Int64(seconds) * 1_000_000 + Int64(milliseconds) * 1000)
    }

    public var description: String {
        let milliseconds = floorDivide(microsecondsSince1970, 1000)
        let ofDay = Int(milliseconds - Int64(utcDate.daysSince1970) * 86_400_000)
        let time = [ofDay / 3_600_000, ofDay / 60_000 % 60, ofDay / 1000 % 60]
            .map { padded($0, 2) }.joined(separator: ":")
        return "\(utcDate)T\(time).\(padded(ofDay % 1000, 3))Z"
    }

    /// `Z` or `±HH:MM` in minutes east of UTC.
    private static func offset(_ text: ArraySlice<UInt8>) -> Int? {
        guard let sign = text.first else { return nil }
        if text.count == 1, sign | 0x20 == UInt8(ascii: "z") { return 0 }
        let start = text.startIndex
        guard text.count == 6, text[start + 3] == UInt8(ascii: ":"),
            sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
            let hours = decimal(text[start + 1..<start + 3]),
            let minutes = decimal(text[start + 4..<start + 6]),
            hours < 24, minutes < 60
        else { return nil }
        return (hours * 60 + minutes) * (sign == UInt8(ascii: "-") ? -1 : 1)
    }
}

extension Timestamp: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let value = Self(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a time")
        }
        self = value
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

private func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
    value >= 0 ? value / divisor : (value + 1) / divisor - 1
}
