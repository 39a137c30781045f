import BabyBasicsAPI
import Postgres

/// What the database tells for a dashboard, before anything is added up.
struct DashboardFacts {
    let child: Child
    /// The day that is shown.
    let date: CalendarDate
    let timeZone: String
    /// Where each of the seven days begins, oldest first, and where the last one ends.
    let edges: [Timestamp]
    /// The feedings of the seven days: one element of each array a feeding.
    let feedingStarts: [Timestamp]
    /// The end of a breast feeding that has one, of anything else its start.
    let feedingEnds: [Timestamp]
    /// 0 of what is no bottle.
    let bottleAmounts: [Tenths]
    let diaperTimes: [Timestamp]
    let diaperTypes: [String]
    /// The sleeps that can reach into the seven days, in the order of their starts. One that goes on ends now.
    let sleepStarts: [Timestamp]
    let sleepEnds: [Timestamp]
    /// Of the day alone.
    let notes: Int
    /// The latest breast feeding of the last hours that has no end.
    let openFeeding: StoredEvent?
    /// The sleep that goes on.
    let openSleep: StoredEvent?
    /// Of each of `DashboardQuery.lastKinds`.
    let last: [StoredEvent?]

    /// Reads what `DashboardQuery` selects, for a child that was found.
    init(_ row: inout Row) throws {
        child = try Child(&row)
        date = try row.next()
        timeZone = try row.next()
        edges = try row.next()
        // NULL stands for an array of nothing.
        feedingStarts = try row.next([Timestamp]?.self) ?? []
        feedingEnds = try row.next([Timestamp]?.self) ?? []
        bottleAmounts = try row.next([Tenths]?.self) ?? []
        diaperTimes = try row.next([Timestamp]?.self) ?? []
        diaperTypes = try row.next([String]?.self) ?? []
        sleepStarts = try row.next([Timestamp]?.self) ?? []
        sleepEnds = try row.next([Timestamp]?.self) ?? []
        notes = Int(try row.next(Int64.self))
        openFeeding = try row.nextEvent()
        openSleep = try row.nextEvent()
        var last: [StoredEvent?] = []
        for _ in DashboardQuery.lastKinds { last.append(try row.nextEvent()) }
        self.last = last
    }
}

extension Row {
    /// An event that is one column, nil for NULL.
    fileprivate mutating func nextEvent() throws -> StoredEvent? {
        guard var record = try next(Record?.self) else { return nil }
        return try StoredEvent(&record)
    }
}
