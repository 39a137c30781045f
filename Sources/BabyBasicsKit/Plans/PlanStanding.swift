public import BabyBasicsAPI
import Foundation

/// How a plan stands for a person, computed on the device: the same as the server's dashboard.
public struct PlanStanding: Hashable, Sendable {
    /// The plan.
    public let plan: StoredPlan
    /// The latest dose; nil for none.
    public let last: StoredEntry?
    /// When the next dose is due, be it past; nil where it is given when needed, or the plan is over by then.
    public let nextAt: Timestamp?
    /// How many doses the person's day has.
    public let givenToday: Int

    /// - Parameter given: of any medicine, in any order.
    public init(_ plan: StoredPlan, given: [StoredEntry], borders: DayBorders, now: Timestamp) {
        let date = borders.date(of: now)
        let (start, end) = (borders.start(of: date), borders.start(of: date.next))
        let doses = given.filter { $0.planID == plan.id && $0.at < end }
        let givenToday = doses.count { $0.at >= start }
        let last = doses.max { ($0.at, $0.id.text) < ($1.at, $1.id.text) }
        self.plan = plan
        self.last = last
        self.givenToday = givenToday
        // Where the day has as many doses as it may have, the next is tomorrow's.
        let isFull = plan.maxPerDay.map { givenToday >= $0 } ?? false
        let earliest = isFull ? max(plan.createdAt, end) : plan.createdAt
        nextAt =
            if let hours = plan.everyHours {
                Self.next(plan, hours: hours, after: last, from: earliest, borders)
            } else {
                Self.nextSlot(plan, last: last, given: givenToday, on: date, from: earliest, borders)
            }
    }

    private static func next(
        _ plan: StoredPlan, hours: Int, after last: StoredEntry?, from earliest: Timestamp, _ borders: DayBorders
    ) -> Timestamp? {
        let next = last?.at.adding(.seconds(3600 * hours)) ?? earliest
        let due = max(next, earliest, borders.start(of: plan.startsOn))
        return plan.endsOn.map { due < borders.start(of: $0.next) } ?? true ? due : nil
    }

    /// When doses are due of a day, of the two after it, as the next one's may be given already, and of the one before,
    /// which says how near its last is to this one's first.
    private static func slots(_ plan: StoredPlan, around day: CalendarDate, _ borders: DayBorders) -> [Timestamp] {
        (-1...2).map { day.adding(days: $0) }.filter { plan.holds(on: $0) }
            .flatMap { day in (plan.times ?? []).compactMap { borders.moment($0, of: day) } }.sorted()
    }

    /// The first slot that no dose is for. One is taken by as many doses as the day has, or by one that came shortly
    /// before it, or later.
    private static func nextSlot(
        _ plan: StoredPlan, last: StoredEntry?, given: Int, on date: CalendarDate, from earliest: Timestamp,
        _ borders: DayBorders
    ) -> Timestamp? {
        let first = max(date, plan.startsOn)
        let all = slots(plan, around: first, borders)
        let slots = all.drop { $0 < borders.start(of: first) }
        let today = slots.count { $0 < borders.start(of: date.next) }
        let taken = slots.indices.prefix { place in
            let before = place > 0 ? slots[place].since(all[place - 1]) / 2 : .seconds(7200)
            return last.map { slots[place].since($0.at) <= min(.seconds(7200), before) } ?? false
        }.count
        return slots.dropFirst(max(min(given, today), taken)).first { $0 >= earliest }
    }
}

extension StoredEntry {
    /// The plan that a medication is a dose of; nil for none.
    public var planID: PlanID? { fields["plan_id"]?.text.flatMap { PlanID($0) } }
}

extension CalendarDate {
    var next: CalendarDate { CalendarDate(daysSince1970: daysSince1970 + 1) }
}
