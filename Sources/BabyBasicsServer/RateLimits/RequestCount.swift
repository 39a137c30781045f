import BabyBasicsAPI
import Postgres

// How a request is counted against its user, over all sessions, workers and hosts: by what was granted ahead (`RequestGrants`), and where
// nothing is left of that, in the statement that finds the session.

/// The user's minute and the requests in it, this one included.
struct RequestCount {
    static let limit = 100
    /// In microseconds.
    static let window: Int64 = 60_000_000
    /// How many the counter grants at once at most. Of what is left it grants a quarter: what a host was granted and does not use is lost
    /// to a user who goes on at another host.
    static let grant = 10

    /// When the user's minute began.
    let since: Timestamp
    /// Past the limit for a request that is refused.
    let requests: Int

    var isRefusal: Bool { requests > Self.limit }
}

/// What the counter of a user, `user_rates`, says.
struct CounterAnswer {
    let since: Timestamp
    /// With those that are granted.
    let requests: Int
    /// The one that asks included; 0 to refuse it.
    let granted: Int

    /// Reads `since, requests, granted`.
    init(_ row: inout Row) throws {
        since = try row.next()
        requests = Int(try row.next(Int32.self))
        granted = Int(try row.next(Int16.self))
    }
}

/// Finds the session of `$1` and counts at `$2`. A minute begins with its first request.
let countingStatement: String = {
    let isOver = "r.since <= $2 - interval '1 minute'"
    let granted = """
        case when \(isOver) then \(RequestCount.grant)
            else greatest(0, least(\(RequestCount.grant), (\(RequestCount.limit) + 3 - r.requests) / 4)) end
        """
    return """
        update user_rates r
        set requests = case when \(isOver) then 0 else r.requests end + \(granted), granted = \(granted),
            since = case when \(isOver) then $2 else r.since end
        from sessions s
        where s.token_hash = $1 and \(SessionLifetime.isAlive) and r.user_id = s.user_id
        returning s.user_id, s.id, \(SessionLifetime.isDue) as is_due, r.since, r.requests, r.granted
        """
}()

/// Whether the user of a session `s` was not refused by the counter at `$2`, in a statement before. Once it has refused, it grants nothing
/// until its minute is over, and the next one begins after `$2`.
let isGranted = """
    exists (select from user_rates r where r.user_id = s.user_id and r.granted > 0 and r.since <= $2)
    """

/// Makes the counter of a user that has none yet. False where there is no such session; that another request made it meanwhile is as good.
func beginCounting(_ context: RequestContext, _ token: BearerToken) throws -> Bool {
    try context.database.execute(newCounter.binding(token.hash, context.now)) == 1
}

private let newCounter = SQLTemplate(
    unescaped: """
        insert into user_rates (user_id, since, requests)
        select s.user_id, $2, 0 from sessions s
        where s.token_hash = $1 and \(SessionLifetime.isAlive)
        on conflict (user_id) do update set user_id = excluded.user_id
        """)

/// Puts the state of the caller's own counter into the answer, and refuses past the limit.
/// - Throws: `APIError` 429.
func limitUser(_ context: RequestContext, _ count: RequestCount) throws {
    let end = count.since.microsecondsSince1970 + RequestCount.window
    let left = Int(end - context.now.microsecondsSince1970)
    let reset = max(1, (left + 999_999) / 1_000_000)
    context.rateLimit = RateLimitState(
        limit: RequestCount.limit, remaining: max(0, RequestCount.limit - count.requests),
        reset: reset)
    if count.isRefusal { throw context.tooManyRequests(.user, retryAfter: reset) }
}
