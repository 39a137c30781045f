import BabyBasicsAPI
import JSON
import Postgres

/// A plan on a dashboard.
struct PlanOfDay {
    let moments: PlanMoments
    /// The latest dose.
    let last: StoredEvent?
    let nextAt: Timestamp?
}

extension PlanOfDay: JSONWritable {
    func write(to json: inout JSONWriter) {
        json.object {
            $0.member("plan", value: moments.plan)
            $0.member("last", last)
            $0.member("next_at", nextAt)
            $0.member("given_today", moments.given)
        }
    }
}

/// The plans of the child `$2` of the family `$1` that hold on the day `$4`, from `$5` to `$6`, for the user `$3`.
private let plansOfDay = PreparedSQL(
    unescaped: """
        select \(PlanMoments.columns), e.*
        from plans p join users u on u.id = $3
        cross join \(PlanMoments.lateral(date: "$4::date"))
        cross join lateral (
            select count(*) as given from events g where g.family_id = $1 and \(PlanMoments.doses(from: "$5", to: "$6"))
        ) doses
        left join lateral (
            select \(EventRow.columns) from events e
            where e.family_id = $1 and e.plan_id = p.id and e.child_id = $2 and e.deleted_at is null and e.at < $6
            order by e.at desc, e.id desc limit 1
        ) e on true
        where p.family_id = $1 and p.child_id = $2 and p.deleted_at is null
            and p.starts_on <= $4::date and coalesce(p.ends_on, $4::date) >= $4::date
        order by p.created_at, p.id
        """)

extension RequestContext {
    /// Most children have no plan: then nothing is asked.
    func plans(of week: DashboardWeek) async throws -> [PlanOfDay] {
        guard week.hasPlans else { return [] }
        let child = week.child
        let statement = plansOfDay.binding(
            child.familyId, child.id, try authenticated.userID, week.date, week.start, week.end)
        let rows = try await database.read(statement) { row in
            let moments = try PlanMoments(&row, dayEnd: week.end)
            return (moments, try row.next(Int16?.self).map { try StoredEvent(number: Int($0), &row) })
        }
        var doses = rows.compactMap(\.1)
        try await database.name(&doses, by: Authors())
        return rows.map { (moments, dose) in
            var moments = moments
            moments.last = dose?.at
            return PlanOfDay(
                moments: moments, last: dose.flatMap { dose in doses.first { $0.id == dose.id } },
                nextAt: week.holds(now) ? moments.due.first : nil)
        }
    }
}
