public import BabyBasicsAPI
import Foundation
import GRDB
public import Observation

/// A child's entries by day, newest first: of all kinds or some, of everybody or one, from a day on back, or those that a
/// search finds.
@MainActor @Observable public final class EntryTimeline {
    /// The entries of one day.
    public struct Section: Hashable, Sendable, Identifiable {
        /// The day.
        public let id: CalendarDate
        /// Its entries, newest first.
        public let entries: [StoredEntry]
    }

    /// The child, by the name that it has now.
    public private(set) var child: StoredChild
    /// The days that have entries, newest first.
    public private(set) var sections: [Section] = []
    /// Whether there is more than what is shown.
    public private(set) var hasMore = false
    /// The message about the last action.
    public private(set) var message: Message?
    /// The kinds that are shown, by their wire names; nil for all.
    public var kinds: Set<String>? { didSet { if kinds != oldValue { look() } } }
    /// Whose entries are shown; nil for everybody's.
    public var person: UserID? { didSet { if person != oldValue { look() } } }
    /// The day that the person has jumped to: what comes after it is not shown; nil for the latest.
    public var date: CalendarDate? { didSet { if date != oldValue { jump() } } }
    /// What is searched for, as it is typed. While there is a word in it, `sections` are what was found, of any day.
    public var query = "" { didSet { if query != oldValue { search() } } }
    /// How many entries the search has found; nil while nothing is searched for, or not known yet.
    public private(set) var found: Int?
    private let home: Home
    private var limit = EntryTimeline.page
    private var written: [EntrySearch.Written]?
    private var results: [UUID]?
    private var watching: Watching?
    private var reading: Watching?

    private static let page = 200

    /// The timeline of a child.
    public init(_ home: Home, child: StoredChild) {
        self.home = home
        self.child = child
        look()
    }

    /// The person has come to the end of what is shown.
    public func showMore() {
        guard hasMore else { return }
        limit += Self.page
        look()
    }

    /// Changes an entry: nil takes a value away.
    public func edit(_ entry: StoredEntry, _ changes: FieldChanges) async {
        await act { [home] in try await home.store.edit(entry.id, changes) }
    }

    /// Moves an entry to another child of the family.
    public func move(_ entry: StoredEntry, to child: StoredChild) async {
        await edit(entry, ["child_id": .text(child.id.description)])
    }

    /// Deletes an entry, and offers to take that back.
    public func delete(_ entry: StoredEntry) async {
        await act { [home] in try await home.delete(entry) }
    }

    private func act(_ change: () async throws -> Void) async {
        message = nil
        do { try await change() } catch { message = home.texts.failure(error) }
    }

    private var isSearching: Bool { query.contains { !$0.isWhitespace } }

    private func jump() {
        limit = Self.page
        look()
    }

    /// What was written is read once for each change of the store, not for each letter.
    private func search() {
        limit = Self.page
        guard isSearching else {
            (reading, written, results, found) = (nil, nil, nil, nil)
            return look()
        }
        guard reading == nil else { return look() }
        let id = child.id
        reading = home.store.watch {
            try AccountStore.written(of: id, $0)
        } deliver: { [weak self] written in
            self?.written = written
            self?.look()
        }
    }

    private func look() {
        guard isSearching else { return show(EntryFilter(kinds: kinds, to: end, person: person, limit: limit + 1)) }
        guard let written else { return }
        let all = EntrySearch(query, kinds: kinds, person: person).found(in: written)
        found = all.count
        let first = Array(all.prefix(limit + 1))
        // The next letter may find the same.
        guard first != results else { return }
        results = first
        watch { try AccountStore.entries(first, $0) }
    }

    private var end: Timestamp? { date.map { home.borders.start(of: $0.next) } }

    private func show(_ filter: EntryFilter) {
        let id = child.id
        watch { try AccountStore.entries(of: id, filter, $0) }
    }

    private func watch(_ entries: @escaping @Sendable (Database) throws -> [StoredEntry]) {
        let id = child.id
        watching = home.store.watch { db in
            Seen(child: try AccountStore.child(id, db), entries: try entries(db))
        } deliver: { [weak self] seen in
            if let child = seen.child { self?.child = child }
            self?.show(seen.entries)
        }
    }

    private struct Seen: Equatable, Sendable {
        var child: StoredChild?
        var entries: [StoredEntry]
    }

    private func show(_ entries: [StoredEntry]) {
        hasMore = entries.count > limit
        let borders = home.borders
        var sections: [(day: CalendarDate, entries: [StoredEntry])] = []
        for entry in entries.prefix(limit) {
            let day = borders.date(of: entry.at)
            if sections.last?.day == day {
                sections[sections.count - 1].entries.append(entry)
            } else {
                sections.append((day, [entry]))
            }
        }
        self.sections = sections.map { Section(id: $0.day, entries: $0.entries) }
    }
}
