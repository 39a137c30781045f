import BabyBasicsAPI
import Postgres

/// What the database tells for a dashboard, before anything is added up.
struct DashboardFacts {
    /// The day that is shown.
    let date: CalendarDate
    let timeZone: String
    /// Of the caller's clocks, as `HH:MM`.
    let dayStart: String
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
    /// The sleeps that have ended and can reach into the seven days.
    let sleepStarts: [Timestamp]
    let sleepEnds: [Timestamp]
    let notes: Int
    var lastFeeding: StoredEvent?
    var lastDiaper: StoredEvent?
    var lastSleep: StoredEvent?
    /// The latest breast feeding of the last hours that has no end.
    var openFeeding: StoredEvent?
    /// The sleep that goes on, whenever it began.
    var openSleep: StoredEvent?

    /// Reads what `DashboardStatement` selects.
    init(_ row: inout Row) throws {
        date = try row.next()
        timeZone = try row.next()
        dayStart = try row.next()
        edges = try row.next()
        // NULL stands for an array of nothing.
        feedingStarts = try row.next([Timestamp]?.self) ?? []
        feedingEnds = try row.next([Timestamp]?.self) ?? []
        bottleAmounts = try row.next([Tenths]?.self) ?? []
        diaperTimes = try row.next([Timestamp]?.self) ?? []
        diaperTypes = try row.next([String]?.self) ?? []
        sleepStarts = try row.next([Timestamp]?.self) ?? []
        sleepEnds = try row.next([Timestamp]?.self) ?? []
        notes = try row.next()
        lastFeeding = try row.nextEvent()
        lastDiaper = try row.nextEvent()
        lastSleep = try row.nextEvent()
        openFeeding = try row.nextEvent()
        openSleep = try row.nextEvent()
    }
}

extension DashboardFacts {
    /// Gives the events that are shown the names of their authors.
    /// - Returns: whether all authors were among `names`.
    mutating func nameAuthors(_ database: Database, among names: [UserID: String]) async throws -> Bool {
        let places: [WritableKeyPath<DashboardFacts, StoredEvent?>] = [
            \.lastFeeding, \.lastDiaper, \.lastSleep, \.openFeeding, \.openSleep,
        ]
        let shown = places.filter { self[keyPath: $0] != nil }
        var events = shown.compactMap { self[keyPath: $0] }
        let isByMembers = try await database.nameAuthors(of: &events, among: names)
        for (place, event) in zip(shown, events) { self[keyPath: place] = event }
        return isByMembers
    }
}

extension Row {
    /// An event that is one column, nil for NULL.
    fileprivate mutating func nextEvent() throws -> StoredEvent? {
        guard var record = try next(Record?.self) else { return nil }
        return try StoredEvent(&record)
    }
}
