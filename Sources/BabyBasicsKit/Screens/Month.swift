public import BabyBasicsAPI

// The web app has the same rules: both are held to the cases of Tests/Fixtures/month.

/// A month of days, each with the kinds that were logged in it.
public struct Month: Hashable, Sendable, Identifiable {
    /// Its first day.
    public let id: CalendarDate
    /// Its days in their order.
    public let days: [Day]

    /// A day of a month.
    public struct Day: Hashable, Sendable, Identifiable {
        /// Which day.
        public let id: CalendarDate
        /// The kinds of what began in it by their wire names, in the order of their dots.
        public let kinds: [String]
    }

    /// The kinds in the order of their dots. Those that a later server has are no dot.
    public static let dots = [
        "feeding", "sleep", "diaper", "pumping", "medication", "temperature", "measurement", "note", "activity",
        "discard",
    ]

    /// - Parameters:
    ///   - entries: of one child, in any order; may be more than is needed.
    ///   - date: any day of the month.
    public init(_ entries: [StoredEntry], holding date: CalendarDate, borders: DayBorders) {
        self.init(entries.map { Begun(kind: $0.kind, at: $0.at) }, holding: date, borders: borders)
    }

    /// What a month needs to know of an entry.
    struct Begun: Hashable, Sendable {
        var kind: String
        var at: Timestamp
    }

    init(_ begun: [Begun], holding date: CalendarDate, borders: DayBorders) {
        let dates = Self.dates(holding: date)
        let edges = borders.edges(of: dates)
        var seen = dates.map { _ in Set<String>() }
        for entry in begun { edges.place(of: entry.at).map { _ = seen[$0].insert(entry.kind) } }
        id = dates[0]
        days = zip(dates, seen).map { date, seen in Day(id: date, kinds: Self.dots.filter { seen.contains($0) }) }
    }

    /// The days of the month that a date is in.
    static func dates(holding date: CalendarDate) -> [CalendarDate] {
        let first = first(holding: date)
        return first.through(Self.first(holding: first, after: 1).adding(days: -1))
    }

    /// The first day of the month that a date is in, or of one so many months after it.
    static func first(holding date: CalendarDate, after months: Int = 0) -> CalendarDate {
        let (year, month, _) = date.components
        let count = year * 12 + month - 1 + months
        return CalendarDate(year: count / 12, month: count % 12 + 1, day: 1) ?? date
    }
}
