public import BabyBasicsAPI
import Foundation

extension Today {
    /// A dose of today: one touch gives it once it is due.
    public struct Due: Hashable, Sendable, Identifiable {
        /// The plan.
        public let plan: StoredPlan
        /// When it is due, or was.
        public let at: Timestamp
        /// Whether it can be given now: from half an hour before.
        public let isDue: Bool
        /// `Paracetamol due now`.
        public let text: String
        /// `2.5 ml · last 6 h ago`.
        public let detail: String
        /// The plan's id.
        public var id: PlanID { plan.id }
    }

    private static let soon = Duration.seconds(30 * 60)

    /// The plans that have a dose today, the earliest first.
    public var due: [Due] {
        let (borders, now, texts) = (home.borders, home.now, home.texts)
        let today = borders.date(of: now)
        return medicines.plans.filter { $0.holds(on: today) }
            .compactMap { plan in
                let standing = PlanStanding(plan, given: medicines.given, borders: borders, now: now)
                guard let at = standing.nextAt, borders.date(of: at) <= today else { return nil }
                let last = standing.last.map { texts.lastDose(texts.ago(now.since($0.at))) } ?? texts.noDoseYet
                return Due(
                    plan: plan, at: at, isDue: at <= now.adding(Self.soon),
                    text: texts.due(plan.name, at: at <= now ? nil : at),
                    detail: [plan.dose, last].compactMap { $0 }.joined(separator: " · "))
            }
            .sorted { ($0.at, $0.id.description) < ($1.at, $1.id.description) }
    }

    /// Gives a dose of a plan now; where the plan speaks against it, `question` asks first.
    public func give(_ plan: StoredPlan) async {
        question = home.question(plan, given: medicines.given, at: home.now)
        if question == nil { await act { _ = try await home.give(plan, to: child) } }
    }

    /// The person says yes to the question: nothing more is said of it.
    public func giveAnyway() async {
        guard let asked = question else { return }
        question = nil
        await act {
            let dose = try await home.give(asked.plan, to: child)
            dismiss(Overlap(one: dose, other: asked.near.other, text: ""))
        }
    }

    /// The person says no to the question.
    public func giveNothing() { question = nil }

    /// Doses of the last day that this person gave too near to others, as overlaps are said.
    func findTooNear() -> [Overlap] {
        let me = home.store.userID
        let since = home.now.adding(.seconds(-86_400))
        return TooNear.made(
            by: me, since: since, of: medicines.plans, among: medicines.given, borders: home.borders
        ).map { pair in
            let text = home.texts.tooNear(pair, me: me)
            return Overlap(one: pair.one, other: pair.near.other, text: text)
        }
    }
}
