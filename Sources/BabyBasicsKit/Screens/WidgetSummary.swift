public import BabyBasicsAPI
import GRDB

extension AccountStore {
    /// The day that holds a moment, of one child: what a widget shows, over a store that it opens for reading.
    public func summary(of child: ChildID, borders: DayBorders, now: Timestamp) async throws -> DaySummary {
        let day = borders.date(of: now)
        let from = borders.start(of: CalendarDate(daysSince1970: day.daysSince1970 - 6)).adding(.seconds(-86_400))
        let to = borders.start(of: CalendarDate(daysSince1970: day.daysSince1970 + 1))
        let entries = try await database.read {
            try Self.entriesForDashboard(of: child, from: from, to: to, $0)
        }
        return DaySummary(entries: entries, borders: borders, now: now)
    }
}
