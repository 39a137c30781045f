import BabyBasicsAPI
import Postgres

// How a request is counted against its user, over all sessions, workers and hosts: from what this process has taken already, or at the
// shared counter, in the statement that finds the session.

/// The counter of a user, `user_rates`, as a statement found it or left it.
struct RequestCount {
    let since: Timestamp
    let requests: Int
    /// How many the last taking took; 1 once the user came near the limit.
    let granted: Int

    /// Reads `since, requests, granted`. Nil for a user without a counter.
    init?(_ row: inout Row) throws {
        let since: Timestamp? = try row.next()
        let requests: Int32? = try row.next()
        let granted: Int16? = try row.next()
        guard let since, let requests, let granted else { return nil }
        self.since = since
        self.requests = Int(requests)
        self.granted = Int(granted)
    }
}

/// Finds the session of `$1` and counts at `$2`: a minute begins with its first request.
let countingStatement: String = {
    let isOver = "r.since <= $2 - interval '1 minute'"
    let isNear = "(r.granted = 1 or r.requests >= \(RequestLease.fewUntil))"
    return """
        update user_rates r
        set requests = case when \(isOver) then \(RequestLease.size)
                when \(isNear) then least(r.requests, \(RequestLease.limit)) + 1 else r.requests + \(RequestLease.size) end,
            granted = case when not (\(isOver)) and \(isNear) then 1 else \(RequestLease.size) end,
            since = case when \(isOver) then $2 else r.since end
        from sessions s
        where s.token_hash = $1 and \(SessionLifetime.isAlive) and r.user_id = s.user_id
        returning s.user_id, s.id, \(SessionLifetime.isDue) as is_due, r.since, r.requests, r.granted
        """
}()

/// Makes the counter of a user that has none yet. False where there is no such session; that another request made it meanwhile is as good.
func beginCounting(_ context: RequestContext, _ token: BearerToken) throws -> Bool {
    try context.database.execute(newCounter.binding(token.hash, context.now)) == 1
}

private let newCounter = SQLTemplate(
    unescaped: """
        insert into user_rates (user_id, since, requests, granted)
        select s.user_id, $2, 0, \(RequestLease.size) from sessions s
        where s.token_hash = $1 and \(SessionLifetime.isAlive)
        on conflict (user_id) do update set user_id = excluded.user_id
        """)

/// Whether the request is paid from what was taken before.
func spendLease(_ context: RequestContext, _ token: BearerToken) throws -> Bool {
    guard let lease = context.services.leases.spend(token.hash, at: context.now) else {
        return false
    }
    try limitUser(context, lease)
    return true
}

/// - Throws: `APIError` 429.
func use(_ count: RequestCount?, of admission: Admission, _ context: RequestContext) throws {
    guard context.endpoint.limit == .user, let count else { return }
    let (leases, token) = (context.services.leases, admission.token.hash)
    if admission.isCounted {
        if count.granted == 1 { context.leaseToReturn = leases.end(token) }
        return
    }
    let lease = RequestLease(
        since: count.since, requests: count.requests, unspent: count.granted - 1)
    if lease.unspent > 0 { leases.keep(lease, for: token, at: context.now) }
    try limitUser(context, lease)
}

/// Puts the state of the caller's own counter into the answer, and refuses past the limit.
private func limitUser(_ context: RequestContext, _ lease: RequestLease) throws {
    let limit = RequestLease.limit
    let requests = lease.requests - lease.unspent
    let left = lease.since.adding(RequestLease.window).since(context.now).components
    let reset = max(1, Int(left.seconds) + (left.attoseconds > 0 ? 1 : 0))
    context.addRateLimit(limit: limit, remaining: max(0, limit - requests), reset: reset)
    if requests > limit { throw context.tooManyRequests(.user, retryAfter: reset) }
}

extension RequestContext {
    /// Gives what is left of a lease back to the counter, once the request's own work is done.
    func returnLease() throws {
        guard let lease = leaseToReturn, let caller else { return }
        leaseToReturn = nil
        try database.execute(
            """
            update user_rates set requests = requests - \(Int32(lease.unspent))
            where user_id = \(caller.userID) and since = \(lease.since)
            """)
    }
}
