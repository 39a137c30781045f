public import BabyBasicsAPI
public import Foundation

/// Where a person's days begin and end: by their time zone, at the hour they chose.
public struct DayBorders: Hashable, Sendable {
    /// Where the person is.
    public let timeZone: TimeZone
    /// `HH:MM`, when the day begins.
    public let dayStart: String
    private let minutes: Int

    /// Nil for a zone that the system does not know, or a time that is none.
    public init?(timezone: String, dayStart: String) {
        let parts = dayStart.split(separator: ":").compactMap { Int($0) }
        guard let zone = TimeZone(identifier: timezone), parts.count == 2,
            (0..<24).contains(parts[0]), (0..<60).contains(parts[1])
        else { return nil }
        timeZone = zone
        self.dayStart = dayStart
        minutes = parts[0] * 60 + parts[1]
    }

    /// When a date's day begins. A time that clocks skip or repeat is resolved as PostgreSQL's `AT TIME ZONE` does.
    public func start(of date: CalendarDate) -> Timestamp {
        moment(date, minutes: minutes)
    }

    /// When a time of the day is, of the day that a date names: what is before its beginning is of the next morning.
    /// Nil for a time that is none.
    func moment(_ time: String, of date: CalendarDate) -> Timestamp? {
        let parts = time.split(separator: ":").compactMap { Int($0) }
        guard parts.count == 2 else { return nil }
        return moment(time < dayStart ? date.next : date, minutes: parts[0] * 60 + parts[1])
    }

    private func moment(_ date: CalendarDate, minutes: Int) -> Timestamp {
        let local = date.daysSince1970 * 86_400 + minutes * 60
        let before = offset(atUTC: local - 86_400)
        let after = offset(atUTC: local + 86_400)
        let early = local - before
        let late = local - after
        let earlyIsTrue = offset(atUTC: early) == before
        let lateIsTrue = offset(atUTC: late) == after
        // Clocks go back: the second time. Clocks go forward: as if they had not yet.
        let isLate = earlyIsTrue == lateIsTrue ? earlyIsTrue : lateIsTrue
        return Timestamp(milliseconds: Int64(isLate ? late : early) * 1000)
    }

    /// The date whose day holds a moment.
    public func date(of moment: Timestamp) -> CalendarDate {
        let seconds = Int(moment.milliseconds / 1000)
        let local = seconds + offset(atUTC: seconds) - minutes * 60
        let guess = CalendarDate(
            daysSince1970: local >= 0 ? local / 86_400 : (local + 1) / 86_400 - 1)
        return start(of: guess) > moment
            ? CalendarDate(daysSince1970: guess.daysSince1970 - 1) : guess
    }

    /// The date on the person's calendar, which begins at midnight.
    func calendarDate(of moment: Timestamp) -> CalendarDate { Self.calendarDate(of: moment, in: timeZone) }

    static func calendarDate(of moment: Timestamp, in zone: TimeZone) -> CalendarDate {
        let local = moment.milliseconds + Int64(zone.secondsFromGMT(for: moment.date)) * 1000
        return CalendarDate(daysSince1970: Int((Double(local) / 86_400_000).rounded(.down)))
    }

    /// Seconds east of UTC.
    private func offset(atUTC seconds: Int) -> Int {
        timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
    }
}

extension DayBorders {
    /// Days of UTC from midnight on.
    static var utc: DayBorders { DayBorders(timeZone: .gmt) }

    private init(timeZone: TimeZone) {
        self.timeZone = timeZone
        dayStart = "00:00"
        minutes = 0
    }
}
