import BabyBasicsAPI
import Postgres

/// The one statement of a dashboard: session, child, arrays of what the sums need, and the few events that are shown whole. One row.
///
/// PostgreSQL places the days' edges, because it has the rules of the time zones; adding up is cheaper in Swift.
enum DashboardQuery {
    /// The child `$3`, on the date `$4` or, where that is NULL, the caller's today.
    static let query = AuthenticatedQuery(
        columns: "\(CallersChild.columns), \(columns)", from: "\(CallersChild.join) \(joins)")

    /// The kinds whose latest event is shown.
    static let lastKinds = ["feeding", "diaper", "sleep", "medication", "temperature"].compactMap { name in
        EventTable.all.first { $0.kind.name == name }
    }

    /// What `DashboardFacts` reads after the child.
    private static let columns =
        ([
            "d.date, d.zone, d.edge", "fed.starts, fed.ends, fed.amounts", "changed.times, changed.types",
            "slept.starts, slept.ends", "noted.count",
            record(
                FeedingDetails.kind, "started_at >= $2 - interval '4 hours' and ended_at is null and type = 'breast'"),
            record(SleepDetails.kind, "ended_at is null and \(isYoung)"),
        ] + lastKinds.map { record($0.kind, "\($0.timeColumn) < d.edge[8]") }).joined(separator: ", ")

    /// Whether a sleep without an end goes on; one that is older was forgotten.
    private static let isYoung = "started_at > $2 - interval '24 hours'"

    /// `offset 0` keeps PostgreSQL from computing a column again wherever it is used.
    ///
    /// The clock read as a time of day is wrong about the date while the day's beginning is repeated or skipped: `guess` is then a day ahead.
    /// Where there is no end an array has the beginning or now: arrays of times without NULLs are quick to read. A sleep lasts 24 hours at most.
    private static let joins = """
        left join lateral (
            select date, zone, array(
                select (date + days + day_start) at time zone zone from generate_series(-6, 1) days
            ) as edge
            from (
                select zone, day_start, coalesce($4, guess - (((guess + day_start) at time zone zone) > $2)::int) as date
                from (
                    select timezone as zone, day_start_time::time as day_start,
                        (($2 at time zone timezone) - day_start_time::interval)::date as guess
                    from users where id = caller.user_id and c.id is not null offset 0
                ) clocks offset 0
            ) today offset 0
        ) d on true
        left join lateral (
            select array_agg(started_at) as starts,
                array_agg(case when type = 'breast' then coalesce(ended_at, started_at) else started_at end) as ends,
                array_agg(case when type = 'bottle' then coalesce(amount_ml, 0) else 0 end) as amounts
            from feedings
            where child_id = c.id and deleted_at is null and started_at >= d.edge[1] and started_at < d.edge[8]
        ) fed on true
        left join lateral (
            select array_agg(occurred_at) as times, array_agg(type::text) as types
            from diapers
            where child_id = c.id and deleted_at is null and occurred_at >= d.edge[1] and occurred_at < d.edge[8]
        ) changed on true
        left join lateral (
            select array_agg(started_at order by started_at) as starts,
                array_agg(coalesce(ended_at, greatest(started_at, $2)) order by started_at) as ends
            from sleeps
            where child_id = c.id and deleted_at is null and (ended_at is not null or \(isYoung))
                and started_at >= d.edge[1] - interval '24 hours' and started_at < d.edge[8]
        ) slept on true
        left join lateral (
            select count(*) from notes
            where child_id = c.id and deleted_at is null and occurred_at >= d.edge[7] and occurred_at < d.edge[8]
        ) noted on true
        """

    /// The latest event of a kind that meets a condition, whole, as one column.
    private static func record(_ kind: EventKind, _ condition: String) -> String {
        guard let table = EventTable.of(kind) else {
            preconditionFailure("\(kind.name) is no kind of event")
        }
        let rows = table.rows(where: "child_id = c.id and deleted_at is null and \(unescaped: condition)")
        return """
            (select row(\(Shape.columns)) from \(rows.text) e left join users u on u.id = e.created_by
            order by e.time1 desc, e.id desc limit 1)
            """
    }
}
