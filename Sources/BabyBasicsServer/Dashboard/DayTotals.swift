import BabyBasicsAPI

/// What a day adds up to.
struct DayTotals {
    var feedings = 0
    var bottle = Tenths(tenths: 0)
    var breast = Duration.zero
    var wet = 0
    var dirty = 0
    var mixed = 0
    var dry = 0
    var notes = 0
    /// How many sleeps overlap the day.
    var sleeps = 0
    var slept = Duration.zero
    /// Where the sleep that was added up ends.
    private var sleptUntil: Timestamp?
    var longestSleep = Duration.zero

    var diapers: Int { wet + dirty + mixed + dry }
}

extension DashboardFacts {
    /// The seven days, oldest first.
    var days: [DayTotals] {
        let edges = week.edges
        var days = [DayTotals](repeating: DayTotals(), count: edges.count - 1)
        // Sleeps are added in the order of their starts.
        for event in events.reversed() {
            if event.kind === SleepDetails.kind {
                guard let end = event.end ?? (event.isYoungSleep(at: now) ? max(event.at, now) : nil) else { continue }
                for day in days.indices where event.at < edges[day + 1] {
                    days[day].add(sleepFrom: event.at, to: end, within: edges[day], edges[day + 1])
                }
            } else if let day = edges.lastIndex(where: { $0 <= event.at }) {
                days[day].count(event)
            }
        }
        return days
    }
}

extension DayTotals {
    /// Adds the part of a sleep that lies in the day; sleeps come in the order of their starts. What several of them cover is slept once.
    ///
    /// A sleep without length is in the day that holds its moment, as in SQL's OVERLAPS; others where more than their ends touch.
    fileprivate mutating func add(
        sleepFrom start: Timestamp, to end: Timestamp, within dayStart: Timestamp, _ dayEnd: Timestamp
    ) {
        let from = max(start, dayStart)
        let to = min(end, dayEnd)
        guard from < to || from == to && start == end else { return }
        sleeps += 1
        longestSleep = max(longestSleep, to.since(from))
        let new = max(from, sleptUntil ?? from)
        if new < to { slept += to.since(new) }
        sleptUntil = max(to, sleptUntil ?? to)
    }
}

extension DayTotals {
    /// Counts an event that belongs to the day in which it begins.
    fileprivate mutating func count(_ event: StoredEvent) {
        switch event.kind.number {
        case FeedingDetails.kind.number: count(feeding: event)
        case DiaperDetails.kind.number: count(diaper: event.type ?? "")
        case NoteDetails.kind.number: notes += 1
        default: break
        }
    }

    private mutating func count(feeding: StoredEvent) {
        feedings += 1
        switch feeding.type.flatMap(FeedingDetails.Method.init) {
        case .bottle: if let amount = feeding.number("amount_ml") { bottle += amount }
        case .breast:
            let minutes = ["left_minutes", "right_minutes"].compactMap { feeding.number($0) }
            if !minutes.isEmpty {
                breast += .seconds(minutes.reduce(0) { $0 + $1.tenths / 10 } * 60)
            } else if let end = feeding.end {
                breast += end.since(feeding.at)
            }
        case .solid, nil: break
        }
    }

    private mutating func count(diaper type: String) {
        switch DiaperDetails.Finding(rawValue: type) {
        case .wet: wet += 1
        case .dirty: dirty += 1
        case .mixed: mixed += 1
        case .dry: dry += 1
        case nil: break
        }
    }
}

extension Tenths {
    fileprivate static func += (sum: inout Tenths, other: Tenths) {
        sum = Tenths(tenths: sum.tenths + other.tenths)
    }
}

extension Duration {
    /// Whole minutes, rounded down.
    var minutes: Int { Int(components.seconds / 60) }
}
