public import BabyBasicsAPI
public import Foundation
import GRDB
public import Observation

/// The screen of today for one child: the last of each kind, what is going on, sums of the day.
@MainActor @Observable public final class Today {
    /// A running entry: a big row with its clock and one Stop.
    public struct Running: Hashable, Sendable, Identifiable {
        /// The entry.
        public let entry: StoredEntry
        /// Its title: `Left breast`, `Tummy time`.
        public let title: String
        /// How long it has been going on: `1:05:09`.
        public let clock: String
        /// How a breast feed stands; nil for everything else, and where nothing is known of the side.
        public let sides: Sides?
        /// The entry's id.
        public var id: UUID { entry.id }
    }

    /// The last of a kind, or of a medicine.
    public struct Last: Hashable, Sendable, Identifiable {
        /// The entry.
        public let entry: StoredEntry
        /// `2 h 10 min ago`.
        public let ago: String
        /// `Paracetamol, 3 h ago`.
        public let text: String
        /// The entry's id.
        public var id: UUID { entry.id }
    }

    /// The child, by the name that it has now.
    public private(set) var child: StoredChild
    /// The day; nil until the store was read.
    public private(set) var summary: DaySummary?
    /// The day's entries, newest first.
    public private(set) var entries: [StoredEntry] = []
    /// Activities that are one touch away: what this family did lately.
    public private(set) var activities: [String] = []
    /// The sleeps that this person made overlap, or the doses too near to each other; nil for none, or none that was not
    /// dismissed.
    public private(set) var overlap: Overlap?
    /// The message about the last action.
    public private(set) var message: Message?
    /// The day that is shown; nil for the one that holds the present.
    public var date: CalendarDate? { didSet { if date != oldValue { look() } } }
    /// Asked before a dose that its plan speaks against; nil where nothing is asked.
    public internal(set) var question: DoseQuestion?
    let home: Home
    private(set) var medicines = Medicines()
    private(set) var reminders: [StoredReminder] = []
    /// Feeds and sleeps of eight days.
    private(set) var lastDays: [StoredEntry] = []
    private(set) var known: [StoredEntry] = []
    /// Whatever day is shown.
    private(set) var present: DaySummary?
    private var lookedAt: CalendarDate?
    private var watching: Watching?

    /// The screen of a child.
    public init(_ home: Home, child: StoredChild) {
        self.home = home
        self.child = child
        look()
    }

    /// Time has passed: call it each second while something runs, each minute otherwise.
    public func tick() {
        if lookedAt == home.borders.date(of: home.now) {
            compute()
        } else {
            look()
        }
    }

    /// The running entries: sleep and feed first.
    public var running: [Running] {
        let others = present?.ongoingOthers ?? []
        return ([present?.ongoingSleep, present?.ongoingFeeding].compactMap { $0 } + others).map {
            Running(
                entry: $0, title: home.texts.title($0), clock: home.texts.clock(home.now.since($0.at)),
                sides: sides(of: $0))
        }
    }

    /// What is asked first at night, most recent first: the feed that the wait is counted from (`Left breast, then 60 ml`), the last diaper, the
    /// last sleep that is over, the last temperature of three days, and the last dose of each of three medicines.
    public var last: [Last] {
        let kinds = ["diaper", "sleep", "temperature"].compactMap { present?.last[$0] }
            .filter { $0.id != present?.ongoingSleep?.id }
            .filter { $0.kind != "temperature" || home.now.since($0.at) < Self.fresh }
        let feed = countedFeed
        return ([feed?.first].compactMap { $0 } + kinds + doses.prefix(Self.medicines))
            .map { told($0, then: $0.id == feed?.first.id ? feed?.bottles ?? [] : []) }
            .sorted { waitStart($0.entry) > waitStart($1.entry) }
    }

    /// The last solids of a day, where the wait is not counted from them.
    public var solids: Last? {
        guard let last = present?.last["feeding"], last.type == "solid", last.id != countedFeed?.first.id,
            home.now.since(last.at) <= Self.day
        else { return nil }
        return told(last)
    }

    /// Medicines of the last 48 hours that `last` has no room for: behind a tap.
    public var moreMedicines: [Last] { doses.dropFirst(Self.medicines).map { told($0) } }

    private var doses: [StoredEntry] { latest("medication").lastDoses(at: home.now) }

    private var countedFeed: WholeFeed? {
        let fresh = latest("feeding").filter { home.now.since($0.at) < Self.fresh }
        return home.feedClock.feed(fresh, last: present?.last["feeding"]).map { WholeFeed($0, lately: fresh) }
    }

    private func latest(_ kind: String) -> [StoredEntry] {
        guard let present else { return [] }
        return known.filter { $0.kind == kind && $0.at < present.endsAt }
            .sorted { ($0.at, $0.id.text) > ($1.at, $1.id.text) }
    }

    private func told(_ entry: StoredEntry, then bottles: [StoredEntry] = []) -> Last {
        let ago = home.texts.ago(home.now.since(waitStart(entry)))
        return Last(entry: entry, ago: ago, text: "\(home.texts.last(entry, then: bottles)), \(ago)")
    }

    /// When the wait for the next one began: a sleep's at its end, a feed's as this device was told.
    private func waitStart(_ entry: StoredEntry) -> Timestamp {
        switch entry.kind {
        case "feeding": home.feedClock.start(after: entry)
        case "sleep": entry.endedAt ?? entry.at
        default: entry.at
        }
    }

    private static let medicines = 3
    private static let day = Duration.seconds(86_400)
    private static let fresh = Duration.seconds(3 * 86_400)

    // MARK: Another day

    /// The day that is shown, in words: `The day so far`, `Yesterday`, a date.
    public var dayTitle: String {
        let today = home.borders.date(of: home.now)
        return home.texts.day(date ?? today, today: today)
    }

    /// Whether there is a day after the one that is shown.
    public var hasDayAfter: Bool { date.map { $0 < home.borders.date(of: home.now) } ?? false }

    /// The day before the one that is shown.
    public func showDayBefore() { show(-1) }

    /// The day after the one that is shown, today at last.
    public func showDayAfter() { if hasDayAfter { show(1) } }

    private func show(_ step: Int) {
        let today = home.borders.date(of: home.now)
        let day = CalendarDate(daysSince1970: (date ?? today).daysSince1970 + step)
        date = day < today ? day : nil
    }

    // MARK: Acting

    /// Ends a running entry now.
    /// - Parameter pumped: how much milk it was, of a pumping.
    public func stop(_ running: Running, pumped: Tenths? = nil) async {
        await act { [self] in
            var changes = endOfFeed(running.entry)
            if changes.isEmpty { changes = ["ended_at": .text(max(home.now, running.entry.at).description)] }
            if running.entry.kind == "pumping", let pumped { changes["amount_ml"] = .number(pumped) }
            try await home.store.edit(running.entry.id, changes)
        }
    }

    /// The child has fallen asleep, now.
    public func startSleep() async {
        await log(SleepDetails(startedAt: home.now))
    }

    /// A breast feed begins, now.
    public func startFeed(_ side: FeedingDetails.Side) async {
        await log(FeedingDetails(type: .breast, startedAt: home.now, side: side))
    }

    /// Pumping begins, now.
    public func startPumping(_ side: PumpingDetails.Side? = nil) async {
        await log(PumpingDetails(startedAt: home.now, side: side))
    }

    /// An activity begins, now.
    public func startActivity(_ name: String) async {
        await log(ActivityDetails(startedAt: home.now, name: name))
    }

    /// A medicine was given, now.
    public func logMedication(_ name: String, dose: String? = nil) async {
        await log(MedicationDetails(occurredAt: home.now, name: name, dose: dose))
    }

    /// A diaper was changed, now.
    public func logDiaper(_ finding: DiaperDetails.Finding) async {
        await log(DiaperDetails(type: finding, occurredAt: home.now))
    }

    /// A bottle as the last one, now: nil amount for one without.
    public func logBottle(_ amount: Tenths?, _ content: FeedingDetails.Content? = nil) async {
        await log(
            FeedingDetails(
                type: .bottle, startedAt: home.now, amountMl: amount, content: content))
    }

    private func log(_ details: some EventDetails) async {
        await act { [home, child] in
            try await home.log(
                kind: type(of: details).kind.name, try Fields(details), for: child)
        }
    }

    func act(_ change: () async throws -> Void) async {
        message = nil
        do {
            try await change()
        } catch let refusal as StoreRefusal {
            var ago = ""
            if case .alreadyAsleep(let since) = refusal { ago = home.texts.ago(home.now.since(since)) }
            message = home.texts.refusal(refusal, child: child.name, ago: ago)
        } catch {
            message = home.texts.failure(error)
        }
    }

    // MARK: Reading

    private func look() {
        let borders = home.borders
        lookedAt = borders.date(of: home.now)
        let day = date ?? borders.date(of: home.now)
        func edge(_ day: CalendarDate, _ days: Int) -> Timestamp {
            borders.start(of: CalendarDate(daysSince1970: day.daysSince1970 + days))
        }
        let from = edge(day, -6).adding(.zero - Self.day)
        let to = edge(borders.date(of: home.now), 1)
        let id = child.id
        let lately = home.now.adding(.seconds(-90 * 86_400))
        let eightDays = home.now.adding(.seconds(-8 * 86_400))
        let doses = home.now.adding(.zero - Home.dosesMatterFor)
        watching = home.store.watch { db in
            Seen(
                child: try AccountStore.child(id, db),
                entries: try AccountStore.entriesForDashboard(of: id, from: from, to: to, db),
                activities: try AccountStore.lately("activity", beside: id, since: lately, limit: 6, db),
                medicines: Medicines(
                    plans: try AccountStore.plans(of: id, db),
                    given: try AccountStore.doses(of: id, since: doses, db)),
                reminders: try AccountStore.reminders(db).filter { $0.childID == id },
                lastDays: try AccountStore.entries(
                    of: id, EntryFilter(kinds: ["feeding", "sleep"], from: eightDays, limit: 2000), db))
        } deliver: { [weak self, home] seen in
            if let child = seen.child { self?.child = child }
            self?.known = seen.entries
            self?.medicines = seen.medicines
            self?.reminders = seen.reminders
            self?.lastDays = seen.lastDays
            self?.activities = LogEntry.offers(seen.activities, "activity", home.texts).map(\.id)
            self?.compute()
            self?.seeOverlap()
        }
    }

    func seeOverlap() { overlap = findOverlap(known.filter { $0.kind == "sleep" }) }

    private struct Seen: Equatable, Sendable {
        var child: StoredChild?
        var entries: [StoredEntry]
        var activities: [StoredEntry]
        var medicines: Medicines
        var reminders: [StoredReminder]
        var lastDays: [StoredEntry]
    }

    /// A child's plans, and what it was given lately.
    struct Medicines: Equatable, Sendable {
        var plans: [StoredPlan] = []
        var given: [StoredEntry] = []
    }

    private func compute() {
        let summary = DaySummary(
            entries: known, borders: home.borders, now: home.now, date: date)
        self.summary = summary
        present = date == nil ? summary : DaySummary(entries: known, borders: home.borders, now: home.now)
        entries = known.filter { summary.startsAt <= $0.at && $0.at < summary.endsAt }
            .sorted { ($0.at, $0.id.text) > ($1.at, $1.id.text) }
    }
}

extension AccountStore {
    /// The entries for a day's summary: the week's, longer ones before it, and the last of each kind.
    static func entriesForDashboard(
        of child: ChildID, from: Timestamp, to: Timestamp, _ db: Database
    ) throws -> [StoredEntry] {
        typealias Columns = EntryRow.Columns
        let shown = EntryRow.shown(of: child)
        let week = try shown.filter(Columns.at >= Milliseconds(from) && Columns.at < Milliseconds(to))
            .newestFirst().fetchShown(db)
        let last = try EventKind.all.flatMap { kind in
            try shown.filter(Columns.kind == kind.name && Columns.at < Milliseconds(to))
                .newestFirst().limit(1).fetchShown(db)
        }
        let ids = Set(week.map(\.id))
        return week + last.filter { !ids.contains($0.id) }
    }
}
