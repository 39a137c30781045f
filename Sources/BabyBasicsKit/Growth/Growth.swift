public import BabyBasicsAPI
import Foundation
public import Observation

/// The screen of a child's growth: its measurements among the curves of the WHO Child Growth Standards.
///
/// Sex and due date are asked for here and stay in the store of this device: nothing of them is ever sent.
@MainActor @Observable public final class Growth {
    /// Where the screen is.
    public enum Step: Hashable, Sendable {
        /// Nothing has been read yet.
        case loading
        /// Boy or girl? The standard has tables for each.
        case asking
        /// The curves are shown.
        case showing
    }

    /// Where the screen is.
    public private(set) var step = Step.loading
    /// The child, as it is named and was born by what is known now.
    public private(set) var child: StoredChild
    /// Which curves are shown.
    public var measure = GrowthStandard.Measure.weight { didSet { if measure != oldValue { compute() } } }
    /// The person's answers.
    public private(set) var answers = GrowthAnswers()
    /// The measurements, oldest first.
    public private(set) var points: [GrowthPoint] = []
    /// P3, P15, P50, P85 and P97 from birth to a little after now.
    public private(set) var curves: [GrowthCurve] = []
    private let home: Home
    private var known: [StoredEntry] = []
    private var watching: Watching?

    private struct Seen: Equatable, Sendable {
        var child: StoredChild?
        var answers: GrowthAnswers
        var entries: [StoredEntry]
    }

    /// The screen of a child.
    public init(_ home: Home, child: StoredChild) {
        self.home = home
        self.child = child
        let id = child.id
        watching = home.store.watch { db in
            let filter = EntryFilter(kinds: ["measurement"], limit: .max)
            return Seen(
                child: try AccountStore.child(id, db),
                answers: try AccountStore.growthAnswers(of: id, db),
                entries: try AccountStore.entries(of: id, filter, db))
        } deliver: { [weak self] seen in
            if let child = seen.child { self?.child = child }
            self?.answers = seen.answers
            self?.known = seen.entries
            self?.compute()
        }
    }

    /// Keeps what the person has answered, on this device.
    public func answer(_ answers: GrowthAnswers) async throws {
        try await home.store.keep(answers, of: child.id)
    }

    /// The weeks that the child was born too early, where its age is corrected by them: `5 weeks early`.
    public var correction: String? {
        let days = GrowthAge.daysEarly(born: child.dateOfBirth, due: answers.dueDate)
        return days > 0 ? home.texts.weeksEarly(days / 7) : nil
    }

    private func compute() {
        guard let sex = answers.sex else {
            step = .asking
            points = []
            curves = []
            return
        }
        step = .showing
        points = known.reversed().compactMap {
            GrowthPoint($0, measure, sex: sex, born: child.dateOfBirth, due: answers.dueDate, at: home.borders.timeZone)
        }
        let age = home.borders.calendarDate(of: home.now).daysSince1970 - child.dateOfBirth.daysSince1970
        let last = points.map(\.ageDays).max() ?? 0
        curves = GrowthCurve.all(sex, measure, until: max(age, last, 90) * 9 / 8)
    }
}

/// What growth and the sheets for the doctor ask about a child; the answers stay on the device.
public struct GrowthAnswers: Hashable, Sendable {
    /// Which tables hold.
    public var sex: GrowthStandard.Sex?
    /// When the child was due, if it was born early.
    public var dueDate: CalendarDate?
    /// When a doctor saw it last.
    public var lastVisit: CalendarDate?

    /// Nothing is answered unless it is given.
    public init(sex: GrowthStandard.Sex? = nil, dueDate: CalendarDate? = nil, lastVisit: CalendarDate? = nil) {
        self.sex = sex
        self.dueDate = dueDate
        self.lastVisit = lastVisit
    }
}

/// A line of the chart.
public struct GrowthCurve: Hashable, Sendable, Identifiable {
    /// A place on it.
    public struct Place: Hashable, Sendable {
        /// The age in days.
        public let day: Int
        /// Kilograms or centimetres.
        public let value: Double
    }

    /// `P3`.
    public let id: String
    /// From birth on.
    public let places: [Place]

    /// The five curves, in some 60 places each.
    static func all(_ sex: GrowthStandard.Sex, _ measure: GrowthStandard.Measure, until: Int) -> [GrowthCurve] {
        let end = min(until, GrowthStandard.who.days - 1)
        let days = Array(stride(from: 0, to: end, by: max(1, end / 60))) + [end]
        return GrowthStandard.percentiles.map { name, z in
            GrowthCurve(
                id: name,
                places: days.compactMap { day in
                    GrowthStandard.who.lms(sex, measure, day: Double(day)).map {
                        Place(day: day, value: $0.value(z: z))
                    }
                })
        }
    }
}
