public import BabyBasicsAPI
import Foundation
public import Observation

/// A child's entries by day, newest first, of all kinds or some.
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
    private let home: Home
    private var limit = EntryTimeline.page
    private var watching: Watching?

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
        do { try await change() } catch { message = Texts.failure(error) }
    }

    private func look() {
        let filter = EntryFilter(kinds: kinds, limit: limit + 1)
        let id = child.id
        watching = home.store.watch { db in
            Seen(
                child: try AccountStore.child(id, db), entries: try AccountStore.entries(of: id, filter, db))
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
