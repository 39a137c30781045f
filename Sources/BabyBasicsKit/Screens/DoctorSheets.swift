public import BabyBasicsAPI
public import Foundation
import GRDB
public import Observation

/// The sheets for the doctor: what was between the last visit and today, with growth. Made on this device, for paper.
@MainActor @Observable public final class DoctorSheets {
    /// Which days are on them. They end today.
    public enum Span: Hashable, Sendable, CaseIterable {
        /// From the day of the last visit; two weeks until that is said.
        case sinceVisit
        /// Fourteen days.
        case twoWeeks
        /// Thirty days.
        case month
    }

    /// A measurement, with what was measured and where that stands among other children.
    public struct Measured: Hashable, Sendable, Identifiable {
        /// The entry.
        public let entry: StoredEntry
        /// The day, by the person's clocks.
        public let date: CalendarDate
        /// Beside the standard, by measure; empty until the child's sex is said.
        public let points: [GrowthStandard.Measure: GrowthPoint]
        /// The entry's id.
        public var id: UUID { entry.id }
    }

    /// The child, by the name that it has now.
    public private(set) var child: StoredChild
    /// What the days say; nil until the store was read.
    public private(set) var report: DoctorReport?
    /// All measurements, the latest first.
    public private(set) var measured: [Measured] = []
    /// What the person has said: the last visit, and what growth asks.
    public private(set) var answers = GrowthAnswers()
    private let home: Home
    private var chosen: Span?
    private var lookedAt: CalendarDate?
    private var watching: Watching?

    /// More days have no room on two sheets.
    public nonisolated static let mostDays = 92

    /// The sheets of a child.
    public init(_ home: Home, child: StoredChild) {
        self.home = home
        self.child = child
        look()
    }

    /// Which days are on them: since the last visit where it is known, until the person chooses.
    public var span: Span {
        get { chosen ?? (answers.lastVisit == nil ? .twoWeeks : .sinceVisit) }
        set {
            guard newValue != span else { return }
            chosen = newValue
            look()
        }
    }

    /// Time has passed: call it each minute.
    public func tick() { if lookedAt != home.borders.date(of: home.now) { look() } }

    /// Keeps what the person has answered, on this device.
    public func answer(_ answers: GrowthAnswers) async throws {
        try await home.store.keep(answers, of: child.id)
    }

    private func look() {
        let (id, borders, chosen, clock) = (child.id, home.borders, chosen, home.store.clock)
        lookedAt = borders.date(of: home.now)
        watching = home.store.watch { db in
            try Seen(id, chosen, borders, now: clock.now(), db)
        } deliver: { [weak self] seen in
            if let child = seen.child { self?.child = child }
            self?.answers = seen.answers
            self?.measured = seen.measured
            self?.report = seen.report
        }
    }

    /// The first day of a span that ends today.
    nonisolated static func firstDay(_ span: Span?, visit: CalendarDate?, today: CalendarDate) -> CalendarDate {
        let visit = visit.flatMap { $0 <= today ? $0 : nil }
        return switch (span, visit) {
        case (.month, _): today.adding(days: -29)
        case (.sinceVisit, let visit?), (nil, let visit?): max(visit, today.adding(days: 1 - mostDays))
        case (.twoWeeks, _), (.sinceVisit, nil), (nil, nil): today.adding(days: -13)
        }
    }

    /// Worked out where the store is read, so that the screen waits for none of it.
    private struct Seen: Equatable, Sendable {
        var child: StoredChild?
        var answers: GrowthAnswers
        var measured: [Measured]
        var report: DoctorReport

        init(_ id: ChildID, _ span: Span?, _ borders: DayBorders, now: Timestamp, _ db: Database) throws {
            child = try AccountStore.child(id, db)
            let answers = try AccountStore.growthAnswers(of: id, db)
            self.answers = answers
            let today = borders.date(of: now)
            let first = DoctorSheets.firstDay(span, visit: answers.lastVisit, today: today)
            let days = EntryFilter(
                from: borders.start(of: first).adding(.seconds(-86_400)), to: borders.start(of: today.next), limit: .max
            )
            report = DoctorReport(
                try AccountStore.entries(of: id, days, db), from: first, to: today, borders: borders, now: now)
            let measurements = try AccountStore.entries(of: id, EntryFilter(kinds: ["measurement"], limit: .max), db)
            let (sex, born) = (answers.sex, child?.dateOfBirth)
            measured = measurements.map { entry in
                var points: [GrowthStandard.Measure: GrowthPoint] = [:]
                for measure in GrowthStandard.Measure.allCases {
                    guard let sex, let born else { continue }
                    points[measure] = GrowthPoint(
                        entry, measure, sex: sex, born: born, due: answers.dueDate, at: borders.timeZone)
                }
                return Measured(entry: entry, date: borders.calendarDate(of: entry.at), points: points)
            }
        }
    }
}
