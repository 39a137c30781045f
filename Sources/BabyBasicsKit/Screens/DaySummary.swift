public import BabyBasicsAPI
import Foundation

/// One day of a child and the week that it ends, computed on the device: the same as the server's dashboard.
public struct DaySummary: Hashable, Sendable {
    /// Which day it is.
    public var date: CalendarDate
    /// When it begins.
    public var startsAt: Timestamp
    /// When the next one begins, 23 to 25 hours later.
    public var endsAt: Timestamp
    /// The feeds that began in the day.
    public var feedings = Feedings()
    /// The diapers of the day.
    public var diapers = Diapers()
    /// The child's sleep within the day.
    public var sleep = Sleep()
    /// How many notes the day has.
    public var notes = 0
    /// The latest entry of each kind before the day's end, by the kind's wire name.
    public var last: [String: StoredEntry] = [:]
    /// The breast feed that goes on now.
    public var ongoingFeeding: StoredEntry?
    /// The sleep that goes on now.
    public var ongoingSleep: StoredEntry?
    /// Pumpings and activities that go on now, the latest first. The server's dashboard has none of them.
    public var ongoingOthers: [StoredEntry] = []
    /// Seven days, oldest first, ending with this one.
    public var week: [DayOfWeek] = []

    /// Sums of a day's feeds.
    public struct Feedings: Hashable, Sendable {
        /// How many began in the day.
        public var count = 0
        /// Millilitres in all bottles.
        public var bottleMl: Tenths = 0
        /// Whole minutes of the breast feeds that have ended.
        public var breastMinutes = 0
    }

    /// Counts of a day's diapers; `mixed` is wet and dirty, and counts as neither.
    public struct Diapers: Hashable, Sendable {
        /// All of them.
        public var count = 0
        /// Wet alone.
        public var wet = 0
        /// Dirty alone.
        public var dirty = 0
        /// Both.
        public var mixed = 0
        /// Neither.
        public var dry = 0
    }

    /// A day's sleep. A child sleeps once at a time: what overlaps counts once.
    public struct Sleep: Hashable, Sendable {
        /// How many sleeps have a part in the day.
        public var count = 0
        /// Whole minutes asleep.
        public var minutes = 0
        /// Whole minutes of the longest single sleep within the day.
        public var longestMinutes = 0
    }

    /// A day in the overview of a week.
    public struct DayOfWeek: Hashable, Sendable {
        /// Which day.
        public var date: CalendarDate
        /// How many feeds.
        public var feedings = 0
        /// Millilitres in all bottles.
        public var bottleMl: Tenths = 0
        /// How many diapers.
        public var diapers = 0
        /// Whole minutes asleep.
        public var sleepMinutes = 0
    }

    /// A running sleep is believed that long.
    static let longestRunningSleep = Duration.seconds(86_400)
    /// A running breast feed, pumping or activity is believed that long.
    static let longestRunning = Duration.seconds(4 * 3600)

    /// - Parameters:
    ///   - entries: the child's, in any order. More than the week's change nothing but `last`.
    ///   - date: today where absent.
    public init(entries: [StoredEntry], borders: DayBorders, now: Timestamp, date: CalendarDate? = nil) {
        let day = date ?? borders.date(of: now)
        let edges = (-6...1).map {
            borders.start(of: CalendarDate(daysSince1970: day.daysSince1970 + $0))
        }
        self.date = day
        startsAt = edges[6]
        endsAt = edges[7]
        let sleeps = entries.compactMap { SleepSpan(sleep: $0, now: now) }
        week = (0..<7).map { index in
            DayOfWeek(
                date: CalendarDate(daysSince1970: day.daysSince1970 - 6 + index),
                sleepMinutes: SleepSpan.union(sleeps, within: edges[index], edges[index + 1])
                    .wholeMinutes)
        }
        var breast = Duration.zero
        for entry in entries {
            let at = entry.at
            if at < endsAt,
                last[entry.kind].map({ ($0.at, $0.id.text) < (at, entry.id.text) })
                    ?? true
            {
                last[entry.kind] = entry
            }
            guard let index = edges.lastIndex(where: { $0 <= at }), index < 7 else { continue }
            count(entry, in: index, breast: &breast)
        }
        feedings.breastMinutes = breast.wholeMinutes
        let parts = sleeps.compactMap { $0.clipped(to: startsAt, endsAt) }
        sleep.count = parts.count
        sleep.minutes = week[6].sleepMinutes
        sleep.longestMinutes = parts.map { $0.end.since($0.start) }.max()?.wholeMinutes ?? 0
        findOngoing(entries, now: now)
    }

    private mutating func count(_ entry: StoredEntry, in index: Int, breast: inout Duration) {
        switch entry.kind {
        case "feeding":
            let amount = entry.type == "bottle" ? entry.fields["amount_ml"]?.number : nil
            week[index].feedings += 1
            week[index].bottleMl.add(amount)
            guard index == 6 else { return }
            feedings.count += 1
            feedings.bottleMl.add(amount)
            if entry.type == "breast" { breast += entry.timeAtTheBreast }
        case "diaper":
            week[index].diapers += 1
            guard index == 6 else { return }
            diapers.count += 1
            switch entry.type {
            case "wet": diapers.wet += 1
            case "dirty": diapers.dirty += 1
            case "mixed": diapers.mixed += 1
            default: diapers.dry += 1
            }
        case "note" where index == 6: notes += 1
        default: break
        }
    }

    private mutating func findOngoing(_ entries: [StoredEntry], now: Timestamp) {
        guard startsAt <= now, now < endsAt else { return }
        let running = entries.filter(\.isRunning)
            .sorted { ($0.at, $0.id.text) > ($1.at, $1.id.text) }
        ongoingSleep = running.first {
            $0.kind == "sleep" && now.since($0.at) < Self.longestRunningSleep
        }
        let recent = running.filter { now.since($0.at) <= Self.longestRunning }
        ongoingFeeding = recent.first { $0.kind == "feeding" }
        ongoingOthers = recent.filter { $0.kind != "feeding" && $0.kind != "sleep" }
    }
}
