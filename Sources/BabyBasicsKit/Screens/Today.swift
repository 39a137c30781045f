public import BabyBasicsAPI
public import Foundation
import GRDB
public import Observation

/// The screen of today for one child: the last of each kind, what is going on, sums of the day.
@MainActor @Observable public final class Today {
    /// A running feed or sleep: a big row with its clock and one Stop.
    public struct Running: Hashable, Sendable, Identifiable {
        /// The entry.
        public let entry: Entry
        /// How long it has been going on: `1:05:09`.
        public let clock: String
        /// The entry's id.
        public var id: UUID { entry.id }
    }

    /// The last entry of a kind.
    public struct Last: Hashable, Sendable, Identifiable {
        /// The entry.
        public let entry: Entry
        /// `2 h 10 min ago`.
        public let ago: String
        /// The kind's name.
        public var id: String { entry.kind }
    }

    /// The child.
    public let child: StoredChild
    /// The day; nil until the store was read.
    public private(set) var summary: DaySummary?
    /// The day's entries, newest first.
    public private(set) var entries: [Entry] = []
    /// What to say about the last thing that was done.
    public private(set) var message: Message?
    /// The day that is shown; nil for the one that holds the present.
    public var date: CalendarDate? { didSet { if date != oldValue { look() } } }
    private let home: Home
    private var known: [Entry] = []
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

    /// What is going on.
    public var running: [Running] {
        [summary?.ongoingSleep, summary?.ongoingFeeding].compactMap { $0 }.map {
            Running(entry: $0, clock: Texts.clock(home.now.since($0.at)))
        }
    }

    /// The last of each kind, most recent first.
    public var last: [Last] {
        (summary?.last.values.sorted { $0.at > $1.at } ?? []).map {
            Last(entry: $0, ago: Texts.ago(home.now.since($0.at)))
        }
    }

    /// Ends what is going on, now.
    public func stop(_ running: Running) async {
        await act { [home] in
            let end = max(home.now, running.entry.at)
            try await home.store.edit(
                running.entry.id, ["ended_at": .text(end.description)])
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
        watching = home.store.watch { db in
            try Store.entriesForDashboard(of: id, from: from, to: to, db)
        } deliver: { [weak self] entries in
            self?.known = entries
            self?.compute()
        }
    }

    private func compute() {
        let summary = DaySummary(
            entries: known, borders: home.borders, now: home.now, date: date)
        self.summary = summary
        entries = known.filter { summary.startsAt <= $0.at && $0.at < summary.endsAt }
            .sorted { ($0.at, $0.id.text) > ($1.at, $1.id.text) }
    }
}

extension Store {
    /// What a day's summary needs: the week, what reaches into it, and the last of each kind.
    static func entriesForDashboard(
        of child: ChildID, from: Timestamp, to: Timestamp, _ db: Database
    ) throws -> [Entry] {
        let kinds = EventKind.all.map(\.name)
        let last = kinds.map { _ in
            """
            select * from (select id from entry where child_id = ?1 and kind = ? and at < ?3
                and is_deleted = 0 order by at desc, id desc limit 1)
            """
        }
        let sql = """
            select \(Entry.columns) from entry where id in (
                select id from entry
                where child_id = ?1 and at >= ?2 and at < ?3 and is_deleted = 0
                union
                \(last.joined(separator: " union "))
            ) order by at desc, id desc
            """
        return try Row.fetchAll(
            db, sql: sql,
            arguments: StatementArguments([child.description])
                + [from.milliseconds, to.milliseconds] + StatementArguments(kinds)
        ).map { try Entry(row: $0) }
    }
}
