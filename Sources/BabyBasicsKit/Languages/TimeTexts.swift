import BabyBasicsAPI
import Foundation

extension Texts {
    /// `1 h 20 min`.
    func span(_ duration: Duration) -> String {
        let (hours, minutes) = Int(duration.components.seconds / 60).quotientAndRemainder(dividingBy: 60)
        let id: KitWord = hours == 0 ? .lengthMinutes : minutes == 0 ? .lengthHours : .lengthHoursMinutes
        return say(id, .ours("hours", "\(hours)"), .ours("minutes", "\(minutes)"))
    }

    /// `2½ h`, `1 h 15 min`.
    func hours(minutes: Int) -> String {
        minutes % 60 == 30 && minutes > 60
            ? say(.lengthHoursAndHalf, .ours("hours", "\(minutes / 60)")) : span(.seconds(60 * minutes))
    }

    /// How long ago something was: `2 h 10 min ago`.
    public func ago(_ duration: Duration) -> String {
        let minutes = Int(duration.components.seconds / 60)
        if minutes < 1 { return say(.lengthJustNow) }
        let length = minutes < 1440 ? span(duration) : say(.lengthDays, count: minutes / 1440)
        return say(.lengthAgo, .ours("length", length))
    }

    /// A clock that runs: `1:05:09`, `12:30`.
    public func clock(_ duration: Duration) -> String {
        let seconds = max(0, Int(duration.components.seconds))
        let two = { (value: Int) in value < 10 ? "0\(value)" : "\(value)" }
        return seconds < 3600
            ? "\(seconds / 60):\(two(seconds % 60))"
            : "\(seconds / 3600):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
    }

    /// A time of day.
    func clock(_ time: Timestamp) -> String {
        time.date.formatted(style(zone, date: .omitted, time: .shortened))
    }

    /// A day beside today.
    func day(_ day: CalendarDate, today: CalendarDate) -> String {
        switch today.daysSince1970 - day.daysSince1970 {
        case 0: say(.totalsSoFar)
        case 1: say(.commonYesterday)
        default: Self.noon(day).formatted(inUTC.weekday(.wide).day().month(.wide))
        }
    }

    /// `June 2026`.
    func month(_ first: CalendarDate) -> String { Self.noon(first).formatted(inUTC.month(.wide).year()) }

    /// So that no zone makes another day of it.
    private static func noon(_ day: CalendarDate) -> Date {
        Timestamp(milliseconds: Int64(day.daysSince1970) * 86_400_000 + 43_200_000).date
    }

    private var inUTC: Date.FormatStyle { style(.gmt) }

    private func style(
        _ zone: TimeZone, date: Date.FormatStyle.DateStyle? = nil, time: Date.FormatStyle.TimeStyle? = nil
    ) -> Date.FormatStyle {
        Date.FormatStyle(
            date: date, time: time, locale: locale, calendar: Calendar(identifier: .gregorian), timeZone: zone)
    }
}
