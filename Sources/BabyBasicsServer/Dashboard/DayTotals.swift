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
    /// How many sleeps overlap the day.
    var sleeps = 0
    var slept = Duration.zero
    var longestSleep = Duration.zero

    var diapers: Int { wet + dirty + mixed + dry }
}

extension DashboardFacts {
    /// The seven days, oldest first, without the sleep that goes on.
    var week: [DayTotals] {
        var days = [DayTotals](repeating: DayTotals(), count: edges.count - 1)
        for (index, start) in feedingStarts.enumerated() {
            let day = day(of: start)
            days[day].feedings += 1
            days[day].bottle += bottleAmounts[index]
            days[day].breast += feedingEnds[index].since(start)
        }
        for (time, type) in zip(diaperTimes, diaperTypes) {
            days[day(of: time)].count(diaper: type)
        }
        for (start, end) in zip(sleepStarts, sleepEnds) {
            days.add(sleepFrom: start, to: end, edges)
        }
        return days
    }

    /// The day that holds a moment of the week.
    private func day(of time: Timestamp) -> Int {
        var day = edges.count - 2
        while day > 0, time < edges[day] { day -= 1 }
        return day
    }
}

extension [DayTotals] {
    /// A sleep without length is in the day that holds its moment, as in SQL's OVERLAPS; others where more than their ends touch.
    mutating func add(sleepFrom start: Timestamp, to end: Timestamp, _ edges: [Timestamp]) {
        for day in indices where start < edges[day + 1] {
            let from = Swift.max(start, edges[day])
            let to = Swift.min(end, edges[day + 1])
            guard from < to || from == to && start == end else { continue }
            let part = to.since(from)
            self[day].sleeps += 1
            self[day].slept += part
            self[day].longestSleep = Swift.max(self[day].longestSleep, part)
        }
    }
}

extension DayTotals {
    fileprivate mutating func count(diaper type: String) {
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
