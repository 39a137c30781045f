import BabyBasicsAPI
import FoundationEssentials
import Postgres

/// A table whose rows are sent, with `id`, `created_at`, `due_at` and `attempts`.
///
/// Whoever claims a row has a minute for it: until then nobody else finds it due, and after that anybody may have it. The number of
/// attempts tells one claim from the next.
struct DueRows {
    let table: String

    struct Claim {
        let id: UUID
        let attempts: Int32
        let createdAt: Timestamp
    }

    /// Longer than anything may take to be sent.
    static let leaseSeconds = 60
    static let lease = "interval '\(leaseSeconds) seconds'"

    /// Claims the row that is due for longest and answers `id`, `attempts`, `created_at` and these columns.
    func claim(_ columns: String, at clock: SQL) -> SQL {
        """
        update \(unescaped: table) set due_at = \(fragment: clock) + \(unescaped: Self.lease), attempts = attempts + 1
        where id = (
            select id from \(unescaped: table) where due_at <= \(fragment: clock) order by due_at limit 1
            for update skip locked
        )
        returning id, attempts, created_at, \(unescaped: columns)
        """
    }

    /// Removes what was sent, or is not to be sent any more.
    func removal(of claim: Claim) -> SQL {
        "delete from \(unescaped: table) where id = \(claim.id) and attempts = \(claim.attempts)"
    }

    func postponement(of claim: Claim, by delay: Duration, at clock: SQL) -> SQL {
        """
        update \(unescaped: table)
        set due_at = \(fragment: clock) + \(delay.microseconds) * interval '1 microsecond'
        where id = \(claim.id) and attempts = \(claim.attempts)
        """
    }
}

extension DueRows.Claim {
    init(_ row: inout Row) throws {
        id = try row.next()
        attempts = try row.next()
        createdAt = try row.next()
    }

    /// When to try again after a failure: after 1, 5 and 15 minutes, then every hour for a day; nil where that is over.
    func delay(at now: Timestamp) -> Duration? {
        guard now < createdAt.adding(.seconds(86_400)) else { return nil }
        let minutes = [1: 1, 2: 5, 3: 15][attempts] ?? 60
        return .seconds(60 * minutes)
    }
}
