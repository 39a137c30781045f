public import BabyBasicsAPI
public import Foundation
import GRDB

/// A dose that a plan speaks against, worked out on the device before the server warns of it.
public struct TooNear: Hashable, Sendable {
    /// Sooner than the plan's hours, or more often than it says for a day.
    public let code: EventWarning.Code
    /// The dose that it is nearest to.
    public let other: StoredEntry
    /// How many doses that day has without it.
    public let count: Int

    private static let grace = Duration.seconds(15 * 60)

    /// Nil for a dose that the plan doesn't speak against.
    /// - Parameters:
    ///   - given: of any medicine, in any order.
    ///   - id: the dose's own, where it is logged already.
    public init?(
        _ plan: StoredPlan, given: [StoredEntry], at time: Timestamp, id: UUID? = nil, borders: DayBorders
    ) {
        func gap(_ entry: StoredEntry) -> Duration { max(entry.at, time).since(min(entry.at, time)) }
        let others = given.filter { $0.id != id && plan.isNear($0) }
            .sorted { (gap($0), $1.at, $0.id.text) < (gap($1), $0.at, $1.id.text) }
        let date = borders.date(of: time)
        let sameDay = others.filter { borders.date(of: $0.at) == date }
        if let hours = plan.everyHours, let nearest = others.first, gap(nearest) < .seconds(3600 * hours) - Self.grace {
            (code, other, count) = (.tooSoon, nearest, sameDay.count)
        } else if let most = plan.maxPerDay, sameDay.count >= most, let nearest = sameDay.first {
            (code, other, count) = (.tooMany, nearest, sameDay.count)
        } else {
            return nil
        }
    }
}

extension StoredPlan {
    /// Whether a medication is a dose of it: it names the plan, or names none and has the medicine's name.
    func isMet(by entry: StoredEntry) -> Bool { entry.planID.map { $0 == id } ?? hasName(of: entry) }

    /// Whether a medication may speak against a dose of it: the same medicine by another plan does, too.
    fileprivate func isNear(_ entry: StoredEntry) -> Bool { entry.planID == id || hasName(of: entry) }

    private func hasName(of entry: StoredEntry) -> Bool { entry.fields["name"]?.text?.asMedicine == name.asMedicine }
}

extension TooNear {
    struct Pair: Hashable, Sendable {
        /// The one that was touched later.
        var one: StoredEntry
        var near: TooNear
    }

    /// Doses that a person gave too near to others since a moment, the latest first: of two, the later touched is
    /// theirs.
    static func made(
        by person: UserID, since: Timestamp, of plans: [StoredPlan], among given: [StoredEntry], borders: DayBorders
    ) -> [Pair] {
        given.filter { ($0.editorID ?? $0.author.userId) == person && $0.updatedAt >= since }
            .compactMap { one in
                plans.first { $0.isMet(by: one) }
                    .flatMap { TooNear($0, given: given, at: one.at, id: one.id, borders: borders) }
                    .map { Pair(one: one, near: $0) }
            }
            .filter { ($0.one.updatedAt, $0.one.id.text) > ($0.near.other.updatedAt, $0.near.other.id.text) }
            .sorted { ($0.one.updatedAt, $0.one.id.text) > ($1.one.updatedAt, $1.one.id.text) }
    }
}

/// Asked before a dose that a plan speaks against, with or without a network.
public struct DoseQuestion: Hashable, Sendable {
    /// The plan.
    public let plan: StoredPlan
    /// What speaks against it.
    public let near: TooNear
    /// `Rosa gave Paracetamol 2 h ago.`
    public let title: String
    /// `The plan says every 6 h.`
    public let reason: String

    /// `Rosa gave Paracetamol 2 h ago. Log anyway?`
    public let text: String
}

extension Home {
    /// What to ask before a dose of a plan at a moment; nil where nothing speaks against it.
    func question(_ plan: StoredPlan, given: [StoredEntry], at time: Timestamp) -> DoseQuestion? {
        TooNear(plan, given: given, at: time, borders: borders).map { near in
            let title = texts.gave(near.other, of: plan, me: store.userID, now: now)
            return DoseQuestion(
                plan: plan, near: near, title: title, reason: texts.reason(near, of: plan),
                text: texts.logAnyway(title))
        }
    }

    /// So long ago a dose may speak against another one: a week, and a day that is the person's.
    nonisolated static let dosesMatterFor = Duration.seconds(9 * 86_400)

    /// Of which of a child's plans that hold a medication is a dose, and what to ask before it.
    func planned(_ child: ChildID, name: String, plan: PlanID? = nil, at time: Timestamp) async throws
        -> (plan: StoredPlan, question: DoseQuestion?)?
    {
        let since = min(time, now).adding(.zero - Self.dosesMatterFor)
        let (plans, given) = try await store.database.read { db in
            (try AccountStore.plans(of: child, db), try AccountStore.doses(of: child, since: since, db))
        }
        let today = borders.date(of: now)
        let going = plans.filter { $0.holds(on: today) }
        let named = going.first { $0.id == plan } ?? going.first { $0.name.asMedicine == name.asMedicine }
        return named.map { ($0, question($0, given: given, at: time)) }
    }

    /// A dose of a plan, given now. Undo is offered.
    @discardableResult
    public func give(_ plan: StoredPlan, to child: StoredChild) async throws -> StoredEntry {
        let dose = MedicationDetails(occurredAt: now, name: plan.name, dose: plan.dose, planId: plan.id)
        return try await log(kind: MedicationDetails.kind.name, try Fields(dose), for: child)
    }
}
