public import BabyBasicsAPI
import Foundation
public import Observation

/// The screen of a month: each day with a dot a kind. A tap opens the day: `Today.date`, or `EntryTimeline.date`.
@MainActor @Observable public final class MonthOverview {
    /// The child, by the name that it has now.
    public private(set) var child: StoredChild
    /// The month, its days at once, their kinds as soon as they are read.
    public private(set) var month: Month
    private let home: Home
    private var watching: Watching?

    /// The present month of a child.
    public init(_ home: Home, child: StoredChild) {
        self.home = home
        self.child = child
        month = Month([Month.Begun](), holding: home.borders.date(of: home.now), borders: home.borders)
        look()
    }

    /// `June 2026`.
    public var title: String { home.texts.month(month.id) }

    /// The kinds that the month has, in the order of their dots: what the dots mean.
    public var kinds: [String] { Month.dots.filter { kind in month.days.contains { $0.kinds.contains(kind) } } }

    /// The present day.
    public var today: CalendarDate { home.borders.date(of: home.now) }

    /// Whether there is a month after the one that is shown.
    public var hasMonthAfter: Bool { month.id < Month.first(holding: today) }

    /// The month before the one that is shown.
    public func showMonthBefore() { show(Month.first(holding: month.id, after: -1)) }

    /// The month after the one that is shown, the present one at last.
    public func showMonthAfter() { if hasMonthAfter { show(Month.first(holding: month.id, after: 1)) } }

    /// The month of a day.
    public func show(_ date: CalendarDate) {
        guard Month.first(holding: date) != month.id else { return }
        month = Month([Month.Begun](), holding: date, borders: home.borders)
        look()
    }

    private func look() {
        let (id, first, borders) = (child.id, month.id, home.borders)
        let edges = borders.edges(of: Month.dates(holding: first))
        watching = home.store.watch { db in
            Seen(
                child: try AccountStore.child(id, db),
                month: Month(
                    try AccountStore.begun(of: id, from: edges[0], to: edges[edges.count - 1], db), holding: first,
                    borders: borders))
        } deliver: { [weak self] seen in
            if let child = seen.child { self?.child = child }
            self?.month = seen.month
        }
    }

    private struct Seen: Equatable, Sendable {
        var child: StoredChild?
        var month: Month
    }
}
