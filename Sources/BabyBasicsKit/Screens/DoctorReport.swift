public import BabyBasicsAPI

// The web app has the same rules: both are held to the cases of Tests/Fixtures/doctor.

/// What a doctor asks about a range of days: what they add up to, temperatures, medicines, and notes that were marked.
public struct DoctorReport: Hashable, Sendable {
    /// The first day.
    public let from: CalendarDate
    /// The last day.
    public let to: CalendarDate
    /// Each day; nil for those before the range's first entry, of which nothing is known.
    public let days: [DayTotals?]
    /// How many days are over and known: what is summed up is theirs.
    public let fullDays: Int
    /// What the full days add up to.
    public let sums: Sums
    /// The longest sleep that ended in one of them, all of it: a night has its length whatever day it is of.
    public let longestSleepMinutes: Int
    /// The temperatures of all days, oldest first.
    public let temperatures: [Temperature]
    /// Each medicine of all days once, the latest given first.
    public let medicines: [Medicine]
    /// The notes of all days that were marked for the doctor, oldest first.
    public let notes: [Note]

    /// Sums of several days.
    public struct Sums: Hashable, Sendable {
        /// How many feeds, solids among them.
        public internal(set) var feedings = 0
        /// Millilitres in all bottles.
        public internal(set) var bottleMl: Tenths = 0
        /// Whole minutes at the breast.
        public internal(set) var breastMinutes = 0
        /// How many solids.
        public internal(set) var solids = 0
        /// Whole minutes asleep.
        public internal(set) var sleepMinutes = 0
        /// How many diapers.
        public internal(set) var diapers = 0
        /// How many of them were wet, mixed ones too.
        public internal(set) var wet = 0
        /// How many of them were dirty, mixed ones too.
        public internal(set) var dirty = 0
    }

    /// A day on average.
    public struct Means: Hashable, Sendable {
        /// Feeds, solids among them.
        public let feedings: Double
        /// Millilitres from bottles.
        public let bottleMl: Double
        /// Minutes at the breast.
        public let breastMinutes: Double
        /// Solids.
        public let solids: Double
        /// Minutes asleep.
        public let sleepMinutes: Double
        /// Diapers.
        public let diapers: Double
        /// Wet diapers, mixed ones too.
        public let wet: Double
        /// Dirty diapers, mixed ones too.
        public let dirty: Double
    }

    /// A temperature that was taken.
    public struct Temperature: Hashable, Sendable {
        /// When.
        public let at: Timestamp
        /// In degrees Celsius.
        public let celsius: Tenths
        /// Where: a word of the contract; nil where that isn't said.
        public let site: String?
    }

    /// A medicine that was given.
    public struct Medicine: Hashable, Sendable {
        /// As it was written last.
        public let name: String
        /// How often.
        public internal(set) var count: Int
        /// When it was given last.
        public let last: Timestamp
        /// Each dose once, the latest given first.
        public internal(set) var doses: [String]
    }

    /// A note that was marked for the doctor.
    public struct Note: Hashable, Sendable {
        /// When.
        public let at: Timestamp
        /// Its words.
        public let content: String
    }

    /// - Parameters:
    ///   - entries: of one child, in any order; may be more than is needed.
    ///   - from: the first day, `to` the last.
    public init(_ entries: [StoredEntry], from: CalendarDate, to: CalendarDate, borders: DayBorders, now: Timestamp) {
        let dates = from.through(to)
        let edges = borders.edges(of: dates)
        days = DayTotals.known(entries, dates, edges: edges, now: now)
        let isFull = zip(days, edges.dropFirst()).map { day, end in day != nil && end <= now }
        let full = zip(days, isFull).compactMap { day, isFull in isFull ? day : nil }
        self.from = from
        self.to = dates[dates.count - 1]
        fullDays = full.count
        sums = full.reduce(into: Sums()) { $0.add($1) }
        let sleeps = entries.filter { $0.endedAt != nil }.compactMap { SleepSpan(sleep: $0, now: now) }
        longestSleepMinutes =
            sleeps.filter { edges.place(of: $0.end.adding(.milliseconds(-1))).map { isFull[$0] } ?? false }
            .map { $0.end.since($0.start) }.max()?.wholeMinutes ?? 0
        let listed = entries.filter { ["temperature", "medication", "note"].contains($0.kind) }
            .map { (at: $0.at, entry: $0) }.filter { edges.place(of: $0.at) != nil }
            .sorted { ($0.at, $0.entry.id.text) < ($1.at, $1.entry.id.text) }
        temperatures = listed.compactMap { at, entry in
            guard entry.kind == "temperature", let celsius = entry.fields["celsius"]?.number else { return nil }
            return Temperature(at: at, celsius: celsius, site: entry.fields["site"]?.text)
        }
        notes = listed.compactMap { at, entry in
            guard entry.kind == "note", entry.fields["for_doctor"] == .flag(true) else { return nil }
            return entry.fields["content"]?.text.map { Note(at: at, content: $0) }
        }
        medicines = Self.medicines(listed.reversed().map(\.entry).filter { $0.kind == "medication" })
    }

    /// A day of the full ones on average; nil while there is none.
    public var means: Means? {
        guard fullDays > 0 else { return nil }
        let days = Double(fullDays)
        return Means(
            feedings: Double(sums.feedings) / days, bottleMl: sums.bottleMl.double / days,
            breastMinutes: Double(sums.breastMinutes) / days, solids: Double(sums.solids) / days,
            sleepMinutes: Double(sums.sleepMinutes) / days, diapers: Double(sums.diapers) / days,
            wet: Double(sums.wet) / days, dirty: Double(sums.dirty) / days)
    }

    /// - Parameter given: the latest first.
    private static func medicines(_ given: [StoredEntry]) -> [Medicine] {
        var places: [String: Int] = [:]
        var medicines: [Medicine] = []
        for entry in given {
            let name = entry.fields["name"]?.text ?? ""
            let place = places[name.asMedicine] ?? medicines.count
            if place == medicines.count {
                places[name.asMedicine] = place
                medicines.append(Medicine(name: name, count: 0, last: entry.at, doses: []))
            }
            medicines[place].count += 1
            if let dose = entry.fields["dose"]?.text, !dose.isEmpty, !medicines[place].doses.contains(dose) {
                medicines[place].doses.append(dose)
            }
        }
        return medicines
    }
}

extension DoctorReport.Sums {
    fileprivate mutating func add(_ day: DayTotals) {
        feedings += day.feedings
        bottleMl.add(day.bottleMl)
        breastMinutes += day.breastMinutes
        solids += day.solids
        sleepMinutes += day.sleep.minutes
        diapers += day.diapers.count
        wet += day.diapers.wet + day.diapers.mixed
        dirty += day.diapers.dirty + day.diapers.mixed
    }
}
