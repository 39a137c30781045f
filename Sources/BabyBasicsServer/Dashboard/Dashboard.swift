import BabyBasicsAPI
import JSON

/// A child's day and week, added up. Of the present it depends only in what goes on.
struct Dashboard {
    /// The day that is shown.
    let date: CalendarDate
    let timeZone: String
    /// Where each of the seven days begins, oldest first, and where the last one ends.
    let edges: [Timestamp]
    /// The seven days without the sleep that goes on.
    let week: [DayTotals]
    /// Of the day alone.
    let notes: Int
    /// The latest event of each kind.
    let last: WrittenJSON
    let openFeeding: OpenEvent?
    let openSleep: OpenEvent?

    /// An event that goes on.
    struct OpenEvent {
        let at: Timestamp
        let json: WrittenJSON
    }
}

extension Dashboard {
    init(_ facts: DashboardFacts) {
        self.init(
            date: facts.date, timeZone: facts.timeZone, edges: facts.edges, week: facts.week,
            notes: facts.notes,
            last: WrittenJSON { json in
                json.object {
                    $0.member("feeding", facts.lastFeeding)
                    $0.member("diaper", facts.lastDiaper)
                    $0.member("sleep", facts.lastSleep)
                }
            },
            openFeeding: facts.openFeeding.map(OpenEvent.init),
            openSleep: facts.openSleep.map(OpenEvent.init))
    }

    /// The seven days, oldest first, with the sleep that goes on.
    func week(at now: Timestamp) -> [DayTotals] {
        guard let start = openSleep?.at else { return week }
        var days = week
        // A phone's clock may be ahead: then the sleep has not begun to last.
        days.add(sleepFrom: start, to: max(start, now), edges)
        return days
    }

    /// A breast feeding that has had no end for so long has been forgotten.
    func feeding(at now: Timestamp) -> WrittenJSON? {
        openFeeding.flatMap { $0.at >= now.adding(.seconds(-4 * 3600)) ? $0.json : nil }
    }
}

extension Dashboard.OpenEvent {
    fileprivate init(_ event: StoredEvent) {
        self.init(at: event.at, json: WrittenJSON { event.write(to: &$0) })
    }
}
