import BabyBasicsAPI
import Foundation
public import Observation

/// The lines on Today that say what a family asks in the night.
@MainActor @Observable public final class AtAGlance {
    /// The numbers; nil until the store was read.
    public private(set) var asked: AskedInTheNight?
    private let home: Home
    private let child: ChildID
    private var known: Seen?
    private var lookedAt: CalendarDate?
    private var watching: Watching?

    private struct Seen: Equatable, Sendable {
        var born: CalendarDate
        var entries: [StoredEntry]
    }

    /// The lines of a child.
    public init(_ home: Home, child: StoredChild) {
        self.home = home
        self.child = child.id
        look()
    }

    /// Time has passed: call it each minute.
    public func tick() {
        if lookedAt == home.borders.date(of: home.now) { compute() } else { look() }
    }

    /// `8 feeds in the last 24 hours`, `Longest sleep this week 5 h, last week 4 h 10 min`, `Last wet diaper 2 h ago`:
    /// those of which there is something.
    public var lines: [String] { asked.map { home.texts.asked($0, now: home.now) } ?? [] }

    private func look() {
        lookedAt = home.borders.date(of: home.now)
        let (id, from) = (child, home.now.adding(.zero - AskedInTheNight.reach))
        watching = home.store.watch { db -> Seen? in
            let filter = EntryFilter(kinds: ["feeding", "sleep", "diaper"], from: from, limit: 10_000)
            return try AccountStore.child(id, db).map {
                Seen(born: $0.dateOfBirth, entries: try AccountStore.entries(of: id, filter, db))
            }
        } deliver: { [weak self] seen in
            self?.known = seen
            self?.compute()
        }
    }

    private func compute() {
        asked = known.map { AskedInTheNight($0.entries, born: $0.born, borders: home.borders, now: home.now) }
    }
}
