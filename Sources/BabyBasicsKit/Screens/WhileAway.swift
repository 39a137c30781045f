public import BabyBasicsAPI
import Foundation
import GRDB
public import Observation

/// What others logged while somebody was away, added up by who it was.
public struct WhileAway: Hashable, Sendable {
    /// Whoever logged most comes first.
    public let people: [Person]

    /// What one person logged.
    public struct Person: Hashable, Sendable {
        /// Nil once the account is gone.
        public let id: UserID?
        /// Empty where nobody knows it any more.
        public let name: String
        /// In the order in which they are told.
        public let sums: [Sum]
        /// When the last of it was logged.
        public let latest: Timestamp
    }

    /// What there was of one thing.
    public struct Sum: Hashable, Sendable {
        /// A kind, or the type of a feed or a sleep.
        public let what: String
        /// How often.
        public internal(set) var count = 0
        /// Millilitres in all.
        public internal(set) var milliliters: Tenths = 0
        /// How long what has ended was in all.
        public internal(set) var lasted = Duration.zero
    }

    /// In the order in which they are told.
    private static let order = [
        "breast", "bottle", "solid", "nap", "night", "sleep", "diaper", "medication", "pumping",
    ]

    /// - Parameters:
    ///   - entries: of one child.
    ///   - since: when this person looked last.
    ///   - until: when they looked again.
    public init(_ entries: [StoredEntry], me: UserID, since: Timestamp, until: Timestamp) {
        let others = entries.filter { $0.author.userId != me && $0.createdAt > since && $0.createdAt <= until }
        people = Dictionary(grouping: others, by: \.author.userId)
            .sorted { ($0.value.count, $1.key?.description ?? "") > ($1.value.count, $0.key?.description ?? "") }
            .map { id, entries in
                Person(
                    id: id, name: entries[0].author.name, sums: Self.sums(entries),
                    latest: entries.map(\.createdAt).max() ?? since)
            }
    }

    private static func sums(_ entries: [StoredEntry]) -> [Sum] {
        var sums: [String: Sum] = [:]
        for entry in entries {
            let isNamedByType = entry.kind == "feeding" || entry.kind == "sleep"
            let what = isNamedByType ? entry.type ?? entry.kind : entry.kind
            var sum = sums[what] ?? Sum(what: what)
            sum.count += 1
            sum.milliliters.add(entry.fields["amount_ml"]?.number)
            sum.lasted += entry.endedAt.map { $0.since(entry.at) } ?? .zero
            sums[what] = sum
        }
        return sums.values.sorted { (rank($0), $0.what) < (rank($1), $1.what) }
    }

    private static func rank(_ sum: Sum) -> Int { order.firstIndex(of: sum.what) ?? order.count }
}

/// The line on Today that says what others logged since this person last looked at the child on this device.
@MainActor @Observable public final class Away {
    /// `Since 13:20, Rosa: 2 bottles (240 ml), 1 nap of 1 h 10 min, 3 diapers`; nil for nothing.
    public private(set) var text: String?
    private let home: Home
    private let child: ChildID
    private var opened: Timestamp
    /// When the last of what is shown was logged.
    private var latest: Timestamp?
    private var heard: Timestamp?
    private var watching: Watching?
    private var hearing: Watching?

    /// What is logged for so long before is an import.
    private nonisolated static let longest = Duration.seconds(2 * 86_400)

    /// The screen is opened.
    public init(_ home: Home, child: ChildID) {
        self.home = home
        self.child = child
        opened = home.now
        let engine = home.engine
        hearing = Watching(
            Task { [weak self] in
                for await event in await engine.events() {
                    guard case .didFetchChanges = event else { continue }
                    self?.heard = self?.home.now
                }
            })
        look()
    }

    /// The person is back at the screen.
    public func look() {
        opened = home.now
        let (child, opened, store) = (child, opened, home.store)
        watching = store.watch { db -> Seen in
            let since = try LookedRow.row(child).fetchOne(db)?.at
            guard let since else { return Seen(since: nil, entries: []) }
            let filter = EntryFilter(from: since.adding(.zero - Self.longest), limit: 5000)
            return Seen(since: since, entries: try AccountStore.entries(of: child, filter, db))
        } deliver: { [weak self] seen in
            self?.show(seen, until: opened)
        }
    }

    /// The screen is left: what was shown is not told again, unless more came that this device has not heard of.
    public func leave() async {
        guard text != nil, let heard, heard > opened else { return }
        await keep(heard)
    }

    /// The person has seen it. What is on its way while this device hears nothing is told when it comes.
    public func dismiss() async {
        if let seen = [heard, latest].compactMap({ $0 }).max() { await keep(seen) }
        look()
    }

    private struct Seen: Equatable, Sendable {
        var since: Timestamp?
        var entries: [StoredEntry]
    }

    private func show(_ seen: Seen, until: Timestamp) {
        guard let since = seen.since else {
            // The first time, there is nothing that was missed.
            Task { await keep(until) }
            return
        }
        let away = WhileAway(seen.entries, me: home.store.userID, since: since, until: until)
        let words = home.texts.away(away, since: since, now: home.now, borders: home.borders)
        text = away.people.isEmpty ? nil : words
        latest = away.people.map(\.latest).max()
    }

    /// Never back: another process may know more.
    func keep(_ time: Timestamp) async {
        do {
            try await home.store.database.write { [child] db in
                if let before = try LookedRow.row(child).fetchOne(db)?.at, before >= time { return }
                try LookedRow(childID: child, at: time).upsert(db)
            }
        } catch {
            home.store.report(error)
        }
    }
}

/// When this person last looked at a child's day on this device.
private struct LookedRow: StoreRecord, PersistableRecord {
    static let databaseTableName = "looked"

    let childID: ChildID
    @Milliseconds var at: Timestamp

    enum CodingKeys: String, CodingKey {
        case at
        case childID = "child_id"
    }
}
