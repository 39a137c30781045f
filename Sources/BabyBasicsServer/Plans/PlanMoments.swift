import BabyBasicsAPI
import Postgres

/// When doses of a plan are due, as a person's clocks have it.
struct PlanMoments {
    let plan: Plan
    /// Doses of the day.
    let given: Int
    /// Of the day and the two after it, as tomorrow's may be given already, or of the plan's first three; empty of a plan without times.
    let slots: [Timestamp]
    /// The last one of the day before these: the first of these may be nearer to it than to anything else.
    let slotBefore: Timestamp?
    /// Where the plan's first day begins.
    let begins: Timestamp
    /// Where the plan's last day ends.
    let ends: Timestamp?
    let dayEnd: Timestamp
    /// The latest dose.
    var last: Timestamp?

    /// What is still to be given, be it past, the earliest first. Where the day has as many doses as it may have: tomorrow.
    var due: [Timestamp] {
        let isFull = plan.maxPerDay.map { given >= $0 } ?? false
        let earliest = isFull ? max(plan.createdAt, dayEnd) : plan.createdAt
        if let hours = plan.everyHours {
            let due = max(last?.adding(.seconds(3600 * hours)) ?? earliest, begins, earliest)
            return ends.map { due < $0 } ?? true ? [due] : []
        }
        let today = slots.count { $0 < dayEnd }
        // A slot is taken by as many doses as the day has, or by one that came shortly before it, or later.
        let taken = max(min(given, today), last.map { last in slots.prefix { isTaken($0, by: last) }.count } ?? 0)
        return slots.dropFirst(taken).filter { $0 >= earliest }
    }

    /// Whether a dose is the one for a moment, or for a later one: 2 hours before it, or half of the time from the one before, are near enough.
    private func isTaken(_ slot: Timestamp, by dose: Timestamp) -> Bool {
        let before = slots.last { $0 < slot } ?? slotBefore
        let near = min(.seconds(7200), before.map { slot.since($0) / 2 } ?? .seconds(7200))
        return slot.since(dose) <= near
    }
}

extension PlanMoments {
    /// Of a plan `p` and a user `u`, on a day: what `init` reads behind the plan, in a row `moments`.
    static func lateral(date: String) -> String {
        let (zone, dayStart) = ("u.timezone", "u.day_start_time::time")
        return """
            lateral (
                with slot as (
                    select (day + (time::time < \(dayStart))::int + time::time) at time zone \(zone) as at, days
                    from unnest(p.times) time cross join lateral (
                        select greatest(\(date), p.starts_on) + days as day, days from generate_series(-1, 2) days
                    ) days
                    where day between p.starts_on and coalesce(p.ends_on, day)
                )
                select array(select at from slot where days >= 0 order by at) as slots,
                (select max(at) from slot where days < 0) as slot_before,
                (p.starts_on + \(dayStart)) at time zone \(zone) as begins,
                (p.ends_on + 1 + \(dayStart)) at time zone \(zone) as ends
            ) moments
            """
    }

    /// What doses `g` of the plan `p` on the day are counted by, besides their family: that is named by its value, which tells Citus where
    /// they are.
    static func doses(from start: String, to end: String) -> String {
        """
        g.plan_id = p.id and g.child_id = p.child_id and g.deleted_at is null and g.at >= \(start) and g.at < \(end)
        """
    }

    /// With that count as `doses.given`.
    static let columns = """
        \(Plan.columns), doses.given, moments.slots, moments.slot_before, moments.begins, moments.ends
        """

    /// Without the latest dose.
    init(_ row: inout Row, dayEnd: Timestamp) throws {
        plan = try Plan(&row)
        given = Int(try row.next(Int64.self))
        slots = try row.next()
        slotBefore = try row.next()
        begins = try row.next()
        ends = try row.next()
        self.dayEnd = dayEnd
    }
}
