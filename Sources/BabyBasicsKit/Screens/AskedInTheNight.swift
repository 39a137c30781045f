public import BabyBasicsAPI

// The web app has the same rules: both are held to the cases of Tests/Fixtures/asked.

/// What a family asks in the night: feeds in the last 24 hours, the longest sleep, and a newborn's last wet diaper.
public struct AskedInTheNight: Hashable, Sendable {
    /// How many feeds began in the last 24 hours, whatever the day.
    public let feedsOfADay: Int
    /// The longest sleep that ended today or in the six days before, in whole minutes; one that goes on lasts until now.
    public let longestSleepThisWeek: Int
    /// The longest of the seven days before these, in whole minutes.
    public let longestSleepLastWeek: Int
    /// When a newborn had the last wet diaper; nil for none, and for older children.
    public let wetAt: Timestamp?

    /// Days after birth in which wet diapers are counted on.
    static let newborn = 42
    /// How far back it looks.
    static let reach = Duration.seconds(15 * 86_400)

    /// - Parameter entries: of one child, in any order; of fifteen days at least.
    public init(_ entries: [StoredEntry], born: CalendarDate, borders: DayBorders, now: Timestamp) {
        let today = borders.date(of: now)
        let (lastWeek, thisWeek) = (
            borders.start(of: today.adding(days: -13)), borders.start(of: today.adding(days: -6))
        )
        let aDayAgo = now.adding(.seconds(-86_400))
        var feeds = 0
        var (longest, longestBefore) = (Duration.zero, Duration.zero)
        var wet: Timestamp?
        for entry in entries {
            let at = entry.at
            guard at <= now else { continue }
            switch (entry.kind, entry.type) {
            case ("feeding", _) where at > aDayAgo: feeds += 1
            case ("sleep", _):
                guard let sleep = SleepSpan(sleep: entry, now: now), sleep.end >= lastWeek else { continue }
                let length = sleep.end.since(sleep.start)
                if sleep.end < thisWeek {
                    longestBefore = max(longestBefore, length)
                } else {
                    longest = max(longest, length)
                }
            case ("diaper", "wet"), ("diaper", "mixed"): wet = wet.map { max($0, at) } ?? at
            default: break
            }
        }
        let age = borders.calendarDate(of: now).daysSince1970 - born.daysSince1970
        feedsOfADay = feeds
        longestSleepThisWeek = longest.wholeMinutes
        longestSleepLastWeek = longestBefore.wholeMinutes
        wetAt = (0..<Self.newborn).contains(age) ? wet : nil
    }
}
