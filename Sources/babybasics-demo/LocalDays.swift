import BabyBasicsAPI
import Foundation

/// Minutes since 1970: fine enough for what people note down.
typealias Minute = Int

/// Where the family lives: what its clocks show.
struct LocalDays {
    private let zone: TimeZone

    init(_ zone: TimeZone) {
        self.zone = zone
    }

    /// When clocks show so many minutes after midnight.
    func minute(_ date: CalendarDate, _ minutes: Int) -> Minute {
        let shown = date.daysSince1970 * 1440 + minutes
        // The offset of the shown time itself is at most one change of the clocks away from the right one.
        let guess = shown - offset(shown)
        return shown - offset(guess)
    }

    /// The day, and the minutes after midnight, that clocks show.
    func shown(_ minute: Minute) -> (date: CalendarDate, minutes: Int) {
        let shown = minute + offset(minute)
        return (CalendarDate(daysSince1970: shown / 1440), shown % 1440)
    }

    private func offset(_ minute: Minute) -> Int {
        zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(minute) * 60)) / 60
    }
}

extension Timestamp {
    init(minute: Minute) {
        self.init(microsecondsSince1970: Int64(minute) * 60_000_000)
    }

    /// The whole minutes before this moment.
    var minute: Minute {
        Minute(microsecondsSince1970 / 60_000_000)
    }
}
