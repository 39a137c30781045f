import BabyBasicsAPI
import Postgres

// How a request is counted against its user, over all sessions, workers and hosts: in the statement that finds the session.

/// The counter of a user, `user_rates`, this request included. Its column `granted` is the version before's: once no worker of that is
/// left, a migration may drop it.
struct RequestCount {
    static let limit = 100
    static let window = Duration.seconds(60)

    /// When the user's minute began.
    let since: Timestamp
    let requests: Int

    /// Reads `since, requests`. Nil where nothing was counted.
    init?(_ row: inout Row) throws {
        let since: Timestamp? = try row.next()
        let requests: Int32? = try row.next()
        guard let since, let requests else { return nil }
        self.since = since
        self.requests = Int(requests)
    }
}

/// Finds the session of `$1` and counts at `$2`. A minute begins with its first request.
let countingStatement: String = {
    let isOver = "r.since <= $2 - interval '1 minute'"
    return """
        update user_rates r
        set requests = case when \(isOver) then 1 else least(r.requests, \(RequestCount.limit)) + 1 end,
            since = case when \(isOver) then $2 else r.since end
        from sessions s
        where s.token_hash = $1 and \(SessionLifetime.isAlive) and r.user_id = s.user_id
        returning s.user_id, s.id, \(SessionLifetime.isDue) as is_due, r.since, r.requests
        """
}()

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
    let end = count.since.microsecondsSince1970 + RequestCount.window.microseconds
    let left = Int(end - context.now.microsecondsSince1970)
    let reset = max(1, (left + 999_999) / 1_000_000)
    context.addRateLimit(
        limit: RequestCount.limit, remaining: max(0, RequestCount.limit - count.requests),
        reset: reset)
    if count.requests > RequestCount.limit {
        throw context.tooManyRequests(.user, retryAfter: reset)
    }
}
