/// A day of the proleptic Gregorian calendar without a time zone, `YYYY-MM-DD` on the wire.
public struct CalendarDate: Hashable, Comparable, Sendable {
    /// Days since 1970-01-01, negative before.
    public let daysSince1970: Int

    public init(daysSince1970: Int) {
        self.daysSince1970 = daysSince1970
    }

    /// Nil for a day that the calendar does not have.
    /// - Parameters:
    ///   - year: 1 to 9999.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1 else { return nil }
        let days = Self.days(year: year, month: month, day: day)
        self.init(daysSince1970: days)
        guard components == (year, month, day) else { return nil }
    }

    /// Year, month 1 to 12 and day 1 to 31. Howard Hinnant's `civil_from_days`: years begin in March, so that the leap day is the last.
    public var components: (year: Int, month: Int, day: Int) {
        let shifted = daysSince1970 + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    public static func < (left: Self, right: Self) -> Bool {
        left.daysSince1970 < right.daysSince1970
    }

    /// The same day of another year; the 29th of February becomes the 1st of March where there is none.
    public func adding(years: Int) -> CalendarDate {
        let (year, month, day) = components
        return CalendarDate(daysSince1970: Self.days(year: year + years, month: month, day: day))
    }

    private static func days(year: Int, month: Int, day: Int) -> Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
            - 719_468
    }
}

extension CalendarDate: LosslessStringConvertible {
    /// Reads exactly `YYYY-MM-DD`; nil for any other form or a day that does not exist.
    public init?(_ text: some StringProtocol) {
        self.init(Array(text.utf8)[...])
    }

    /// The same of a text in UTF-8.
    init?(_ bytes: ArraySlice<UInt8>) {
        let start = bytes.startIndex
        guard bytes.count == 10, bytes[start + 4] == UInt8(ascii: "-"),
            bytes[start + 7] == UInt8(ascii: "-"), let year = decimal(bytes[start..<start + 4]),
            let month = decimal(bytes[start + 5..<start + 7]),
            let day = decimal(bytes[start + 8..<start + 10])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    public var description: String {
        let (year, month, day) = components
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }
}

extension CalendarDate: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let value = Self(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a date")
        }
        self = value
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// The value of ASCII digits; nil where there is anything else, a sign included.
func decimal(_ digits: ArraySlice<UInt8>) -> Int? {
    var value = 0
    for digit in digits {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
        value = value * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return digits.isEmpty ? nil : value
}

/// Decimal digits with zeros in front up to a width.
func padded(_ value: Int, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
