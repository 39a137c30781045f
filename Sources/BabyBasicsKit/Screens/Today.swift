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
        /// The entry's id.
        public var id: UUID { entry.id }
    }

    /// The last entry of a kind.
    public struct Last: Hashable, Sendable, Identifiable {
        /// The entry.
        public let entry: StoredEntry
        /// `2 h 10 min ago`.
        public let ago: String
        /// `Paracetamol, 3 h ago`.
        public let text: String
        /// The kind's name.
        public var id: String { entry.kind }
    }

    /// The child, by the name that it has now.
    public private(set) var child: StoredChild
    /// The day; nil until the store was read.
    public private(set) var summary: DaySummary?
    /// The day's entries, newest first.
    public private(set) var entries: [StoredEntry] = []
    /// Activities that are one touch away: what this family did lately.
    public private(set) var activities: [String] = []
    /// The message about the last action.
    public private(set) var message: Message?
    /// The day that is shown; nil for the one that holds the present.
    public var date: CalendarDate? { didSet { if date != oldValue { look() } } }
    private let home: Home
    private var known: [StoredEntry] = []
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
        let others = summary?.ongoingOthers ?? []
        return ([summary?.ongoingSleep, summary?.ongoingFeeding].compactMap { $0 } + others).map {
            Running(entry: $0, title: Texts.title($0, home.units), clock: Texts.clock(home.now.since($0.at)))
        }
    }

    /// What is asked first at night, most recent first: the last feed, diaper and sleep, and the last medicine and
    /// temperature of the past three days.
    public var last: [Last] {
        (summary?.last.values.sorted { $0.at > $1.at } ?? []).filter { entry in
            switch entry.kind {
            case "feeding", "diaper", "sleep": true
            case "medication", "temperature": home.now.since(entry.at) < Self.fresh
            default: false
            }
        }.map {
            let ago = Texts.ago(home.now.since($0.at))
            return Last(entry: $0, ago: ago, text: "\(Texts.title($0, home.units)), \(ago)")
        }
    }

    private static let fresh = Duration.seconds(3 * 86_400)

    /// Ends a running entry now.
    /// - Parameter pumped: how much milk it was, of a pumping.
    public func stop(_ running: Running, pumped: Tenths? = nil) async {
        await act { [home] in
            var changes: FieldChanges = ["ended_at": .text(max(home.now, running.entry.at).description)]
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

    private func act(_ change: () async throws -> Void) async {
        message = nil
        do {
            try await change()
        } catch let refusal as StoreRefusal {
            var ago = ""
            if case .alreadyAsleep(let since) = refusal { ago = Texts.ago(home.now.since(since)) }
            message = Texts.refusal(refusal, child: child.name, ago: ago)
        } catch {
            message = Texts.failure(error)
        }
    }

    // MARK: Reading

    private func look() {
        let borders = home.borders
        lookedAt = borders.date(of: home.now)
        let day = date ?? borders.date(of: home.now)
        let from = borders.start(of: CalendarDate(daysSince1970: day.daysSince1970 - 6))
            .adding(.seconds(-86_400))
        let to = borders.start(of: CalendarDate(daysSince1970: day.daysSince1970 + 1))
        let id = child.id
        let lately = home.now.adding(.seconds(-90 * 86_400))
        watching = home.store.watch { db in
            Seen(
                child: try AccountStore.child(id, db),
                entries: try AccountStore.entriesForDashboard(of: id, from: from, to: to, db),
                activities: try AccountStore.lately("activity", beside: id, since: lately, limit: 6, db))
        } deliver: { [weak self] seen in
            if let child = seen.child { self?.child = child }
            self?.known = seen.entries
            self?.activities = LogEntry.offers(seen.activities, "activity").map(\.id)
            self?.compute()
        }
    }

    private struct Seen: Equatable, Sendable {
        var child: StoredChild?
        var entries: [StoredEntry]
        var activities: [StoredEntry]
    }

    private func compute() {
        let summary = DaySummary(
            entries: known, borders: home.borders, now: home.now, date: date)
        self.summary = summary
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
