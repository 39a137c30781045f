import BabyBasicsAPI
import Postgres

/// The one statement of a dashboard. It answers one row, nothing that repeats: arrays of what the sums need, and the few events that are shown whole.
///
/// PostgreSQL places the boundaries, because it has the rules of the time zones; adding up is cheaper in Swift. Measured on 2,500 children of 300 events,
/// and of about 20 events a day: µs of PostgreSQL's processor time a statement.
///
/// | | 300 | 20 a day |
/// |---|---|---|
/// | this | 85 | 142 |
/// | a row for each event of the week | 96 | 175, and five times the rows to read |
/// | sums and JSON made by PostgreSQL | 190 | 300 |
enum DashboardStatement {
    static func sql(user: UserID, child: ChildID, date: CalendarDate?, now: Timestamp) -> SQL {
        template.binding(user, child, date, now)
    }

    private static let template = PreparedSQL(
        unescaped: """
            select \(columns)
            from (
                select child, now, zone, day_start, date, array(
                    select (date + days + day_start) at time zone zone from generate_series(-6, 1) days
                ) as edge
                from (
                    select $2::uuid as child, $4::timestamptz as now, zone, day_start,
                        coalesce($3, guess - (((guess + day_start) at time zone zone) > $4)::int) as date
                    from (
                        select timezone as zone, day_start_time::time as day_start,
                            (($4 at time zone timezone) - day_start_time::interval)::date as guess
                        from users where id = $1 offset 0
                    ) caller offset 0
                ) today offset 0
            ) d
            \(joins)
            """)

    // Each `offset 0` above has what is computed below it computed once, instead of wherever it is used.
    // The clock read as a time of day is wrong about the date while the day's beginning is repeated or skipped: `guess` is then a day ahead.

    /// What `DashboardFacts` reads.
    private static let columns = [
        "d.date, d.zone, to_char(d.day_start, 'HH24:MI'), d.edge", "f.starts, f.ends, f.amounts",
        "w.times, w.types",
        "s.starts, s.ends", "n.count",
        record(FeedingDetails.kind, "started_at < d.edge[8]"),
        record(DiaperDetails.kind, "occurred_at < d.edge[8]"),
        record(SleepDetails.kind, "started_at < d.edge[8]"),
        record(
            FeedingDetails.kind,
            "started_at >= d.now - interval '4 hours' and ended_at is null and type = 'breast'"),
        record(SleepDetails.kind, "ended_at is null"),
    ].joined(separator: ", ")

    /// Ends stand where there is none too, at the beginning: an array of times without NULLs is quick to read.
    /// A sleep lasts 24 hours at most, unless it goes on: then it comes as a record, however long ago it began.
    private static let joins = """
        cross join lateral (
            select array_agg(started_at) as starts,
                array_agg(case when type = 'breast' then coalesce(ended_at, started_at) else started_at end) as ends,
                array_agg(case when type = 'bottle' then coalesce(amount_ml, 0) else 0 end) as amounts
            from feedings
            where child_id = d.child and deleted_at is null and started_at >= d.edge[1] and started_at < d.edge[8]
        ) f
        cross join lateral (
            select array_agg(occurred_at) as times, array_agg(type::text) as types
            from diapers
            where child_id = d.child and deleted_at is null and occurred_at >= d.edge[1] and occurred_at < d.edge[8]
        ) w
        cross join lateral (
            select array_agg(started_at) as starts, array_agg(ended_at) as ends
            from sleeps
            where child_id = d.child and deleted_at is null and ended_at is not null
                and started_at >= d.edge[1] - interval '24 hours' and started_at < d.edge[8]
        ) s
        cross join lateral (
            select count(*) from notes
            where child_id = d.child and deleted_at is null and occurred_at >= d.edge[7] and occurred_at < d.edge[8]
        ) n
        """

    /// The latest event of a kind that meets a condition, whole, as one column.
    private static func record(_ kind: EventKind, _ condition: String) -> String {
        guard let table = EventTable.of(kind) else {
            preconditionFailure("\(kind.name) is no kind of event")
        }
        let rows = table.rows(
            where: "child_id = d.child and deleted_at is null and \(unescaped: condition)")
        return """
            (select row(\(Shape.anonymousColumns)) from \(rows.text) e
            order by e.time1 desc, e.id desc limit 1)
            """
    }
}
