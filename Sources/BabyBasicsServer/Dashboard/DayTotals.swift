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
    /// Where the sleep that was added up ends.
    private var sleptUntil: Timestamp?
    var longestSleep = Duration.zero

    var diapers: Int { wet + dirty + mixed + dry }
}

extension DashboardFacts {
    /// The seven days, oldest first.
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
            for day in days.indices where start < edges[day + 1] {
                days[day].add(sleepFrom: start, to: end, within: edges[day], edges[day + 1])
            }
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
