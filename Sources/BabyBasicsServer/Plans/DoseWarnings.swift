import BabyBasicsAPI
import FoundationEssentials
import Postgres

/// Finds doses of the family `$1`, among the identifiers `$2`, that come sooner than their plan's hours allow, or are more than it allows in
/// the day of the user `$3`; with the dose that each is too near to.
///
/// Against those alone whose number is smaller: of two that are logged in the same moment the second is too soon, and the first is not.
let dosesTooNear: PreparedSQL = {
    let others = """
        events o where o.family_id = $1 and o.plan_id = e.plan_id and o.child_id = e.child_id and o.deleted_at is null
            and o.revision < e.revision
        """
    let gap = "(p.every_hours * interval '1 hour' - interval '15 minutes')"
    return PreparedSQL(
        unescaped: """
            select e.id, found.code, found.id
            from unnest($2::uuid[]) given join events e on e.family_id = $1 and e.id = given
            join plans p on p.family_id = $1 and p.id = e.plan_id and p.child_id = e.child_id and p.deleted_at is null
            join users u on u.id = $3
            cross join \(DayOfUser.lateral("day", of: "u", at: "e.at"))
            cross join lateral (
                (select 'TOO_SOON' as code, o.id from \(others)
                    and o.at > e.at - \(gap) and o.at < e.at + \(gap)
                order by greatest(o.at - e.at, e.at - o.at), o.at desc, o.id limit 1)
                union all
                (select 'TOO_MANY', id from (
                    select o.id, o.at, count(*) over () as given from \(others)
                        and o.at >= day.starts_at and o.at < day.ends_at
                ) o where o.given >= p.max_per_day
                order by greatest(o.at - e.at, e.at - o.at), o.at desc, o.id limit 1)
            ) found
            limit 20
            """)
}()

/// The day that holds a moment for a user, from the user's beginning of the day.
enum DayOfUser {
    /// `date`, `starts_at` and `ends_at` in a row.
    ///
    /// The clock read as a time of day is wrong about the date while the day's beginning is repeated or skipped: `guess` is then a day ahead.
    static func lateral(_ alias: String, of user: String, at moment: String) -> String {
        let (zone, start) = ("\(user).timezone", "\(user).day_start_time::time")
        return """
            lateral (
                select date, (date + \(start)) at time zone \(zone) as starts_at,
                    (date + 1 + \(start)) at time zone \(zone) as ends_at
                from (
                    select guess - (((guess + \(start)) at time zone \(zone)) > \(moment))::int as date
                    from (select ((\(moment) at time zone \(zone)) - (\(start))::interval)::date as guess) guesses
                ) days
            ) \(alias)
            """
    }
}

extension StoredEvent {
    /// Whether it is a dose of a plan.
    var isDose: Bool {
        guard kind === MedicationDetails.kind else { return false }
        return zip(kind.fields, values).contains { $0.name == "plan_id" && $1 != .nothing }
    }
}
