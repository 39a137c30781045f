import BabyBasicsAPI
import Postgres

/// The statements of a dashboard: which day it is for the caller, and the events of that day's week. Plans have one of their own.
///
/// PostgreSQL places the days' edges, because it has the rules of the time zones; the sums are made here.
enum DashboardQuery {
    /// The child, and its seven days up to the date `$5` or, where that is NULL, the caller's today.
    ///
    /// `offset 0` keeps PostgreSQL from computing a column again wherever it is used. The clock read as a time of day is wrong about the
    /// date while the day's beginning is repeated or skipped: `guess` is then a day ahead.
    static let week = Question.ofChild(
        columns: """
            \(CallersChild.columns), d.date, d.zone, d.edge,
            exists (
                select from plans p where p.family_id = c.family_id and p.child_id = c.id and p.deleted_at is null
            )
            """,
        from: """
            \(CallersChild.join)
            left join lateral (
                select date, zone, array(
                    select (date + days + day_start) at time zone zone from generate_series(-6, 1) days
                ) as edge
                from (
                    select zone, day_start, coalesce($5, guess - (((guess + day_start) at time zone zone) > $2)::int) as date
                    from (
                        select timezone as zone, day_start_time::time as day_start,
                            (($2 at time zone timezone) - day_start_time::interval)::date as guess
                        from users where id = caller.user_id and c.id is not null offset 0
                    ) clocks offset 0
                ) today offset 0
            ) d on true
            """)

    /// The events of the child `$2` of the family `$1` from `$3` to `$4`; of the kinds `$5` that are not among them the latest one before;
    /// and the names of the family's members at `$6`.
    static let events = PreparedSQL(
        unescaped: """
            with week as materialized (
                select \(EventRow.columns) from events e
                where e.family_id = $1 and e.child_id = $2 and e.deleted_at is null and e.at >= $3 and e.at < $4
                    and \(EventRow.isKnown)
            )
            select * from week
            union all
            select e.* from unnest($5::int2[]) wanted cross join lateral (
                select \(EventRow.columns) from events e
                where e.family_id = $1 and e.child_id = $2 and e.kind = wanted and e.deleted_at is null and e.at < $3
                order by e.at desc, e.id desc limit 1
            ) e
            where not exists (select from week where week.kind = wanted)
            union all \(Authors.rows(of: "$1", at: "$6"))
            """)

    /// The kinds whose latest event is shown.
    static let lastKinds = [
        FeedingDetails.kind, DiaperDetails.kind, SleepDetails.kind, MedicationDetails.kind, TemperatureDetails.kind,
    ]
}
