public import BabyBasicsAPI

/// What a day adds up to, for sheets and charts: feeds, diapers and notes belong to the day in which they begin, sleep is
/// shared out.
public struct DayTotals: Hashable, Sendable, Identifiable {
    /// Which day.
    public let id: CalendarDate
    /// How many feeds, solids among them.
    public internal(set) var feedings = 0
    /// How many of them were solids.
    public internal(set) var solids = 0
    /// Millilitres in all bottles.
    public internal(set) var bottleMl: Tenths = 0
    /// Whole minutes at the breast.
    public internal(set) var breastMinutes = 0
    /// The diapers.
    public internal(set) var diapers = DaySummary.Diapers()
    /// The sleep within the day.
    public internal(set) var sleep = DaySummary.Sleep()
    /// Millilitres of milk that were pumped.
    public internal(set) var pumpedMl: Tenths = 0
    /// How many notes.
    public internal(set) var notes = 0

    /// Whether anything says that somebody kept the log.
    var isKnown: Bool { feedings > 0 || diapers.count > 0 || sleep.count > 0 || notes > 0 || pumpedMl > 0 }
}

extension DayTotals {
    /// Of each of the dates, nil of those before the first that is known: nothing is known of them.
    /// - Parameters:
    ///   - entries: of one child, in any order; may be more than is needed.
    ///   - edges: where each date begins, and where the last one ends.
    static func known(_ entries: [StoredEntry], _ dates: [CalendarDate], edges: [Timestamp], now: Timestamp)
        -> [DayTotals?]
    {
        var days = dates.map { Counting(totals: DayTotals(id: $0)) }
        for entry in entries {
            let at = entry.at
            if let sleep = SleepSpan(sleep: entry, now: now) {
                for place in edges.places(from: sleep.start, to: sleep.end) {
                    sleep.clipped(to: edges[place], edges[place + 1]).map { days[place].sleeps.append($0) }
                }
            } else if let place = edges.place(of: at) {
                days[place].count(entry)
            }
        }
        let all = days.indices.map { days[$0].summed(edges[$0], edges[$0 + 1]) }
        let first = all.firstIndex(where: \.isKnown) ?? all.count
        return all.indices.map { $0 < first ? nil : all[$0] }
    }
}

/// A day while its entries are counted.
private struct Counting {
    var totals: DayTotals
    var breast = Duration.zero
    var sleeps: [SleepSpan] = []

    mutating func count(_ entry: StoredEntry) {
        switch (entry.kind, entry.type) {
        case ("feeding", let type):
            totals.feedings += 1
            if type == "solid" { totals.solids += 1 }
            if type == "bottle" { totals.bottleMl.add(entry.fields["amount_ml"]?.number) }
            if type == "breast" { breast += entry.timeAtTheBreast }
        case ("diaper", let type): totals.diapers.count(type)
        case ("pumping", _): totals.pumpedMl.add(entry.fields["amount_ml"]?.number)
        case ("note", _): totals.notes += 1
        default: break
        }
    }

    func summed(_ from: Timestamp, _ to: Timestamp) -> DayTotals {
        var totals = totals
        totals.breastMinutes = breast.wholeMinutes
        totals.sleep = DaySummary.Sleep(
            count: sleeps.count, minutes: SleepSpan.union(sleeps, within: from, to).wholeMinutes,
            longestMinutes: sleeps.map { $0.end.since($0.start) }.max()?.wholeMinutes ?? 0)
        return totals
    }
}

extension DaySummary.Diapers {
    /// A finding of a later server is none of these.
    fileprivate mutating func count(_ finding: String?) {
        switch finding {
        case "wet": wet += 1
        case "dirty": dirty += 1
        case "mixed": mixed += 1
        case "dry": dry += 1
        default: return
        }
        count += 1
    }
}

extension DayBorders {
    /// Where each of some dates begins, and where the last one ends.
    func edges(of dates: [CalendarDate]) -> [Timestamp] {
        dates.map { start(of: $0) } + (dates.last.map { [start(of: $0.next)] } ?? [])
    }
}

extension [Timestamp] {
    /// Of edges in their order: the place of the day that holds a moment; nil for none.
    func place(of moment: Timestamp) -> Int? {
        guard let first, let last, first <= moment, moment < last else { return nil }
        var (low, high) = (0, count - 1)
        while high - low > 1 {
            let middle = (low + high) / 2
            if self[middle] <= moment { low = middle } else { high = middle }
        }
        return low
    }

    /// The places of the days that a stretch of time touches.
    func places(from start: Timestamp, to end: Timestamp) -> Range<Int> {
        guard let first, let last, start < last, end >= first else { return 0..<0 }
        return (place(of: start) ?? 0)..<((place(of: end) ?? count - 2) + 1)
    }
}

extension CalendarDate {
    /// The dates up to another one, both included.
    func through(_ last: CalendarDate) -> [CalendarDate] {
        (daysSince1970...max(daysSince1970, last.daysSince1970)).map { CalendarDate(daysSince1970: $0) }
    }

    func adding(days: Int) -> CalendarDate { CalendarDate(daysSince1970: daysSince1970 + days) }
}
