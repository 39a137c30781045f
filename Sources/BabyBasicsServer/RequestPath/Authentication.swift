import BabyBasicsAPI
import Cryptography
import FastCGI
import Postgres

/// Who sent a request.
struct Caller: Sendable {
    let userID: UserID
    let sessionID: Identifier<SignedIn.Session>
}

/// How long a session lives.
enum SessionLifetime {
    /// After its last use.
    static let idle = Duration.seconds(30 * 86_400)
    /// After it was made, however much it is used.
    static let absolute = Duration.seconds(180 * 86_400)
    /// A use this soon after the last one is not written down.
    static let granularity = Duration.seconds(60)
}

/// Resolves the bearer token, counts the request against its user, and slides the session's expiry.
/// - Throws: `APIError` 401 or 429.
func authenticate(_ context: RequestContext) throws -> Caller {
    guard let token = bearerToken(context.request["HTTP_AUTHORIZATION"]) else {
        throw APIError.invalidToken
    }
    let tokenHash = Encoding.hex(Digest.sha256(token.utf8))
    let database = try context.database
    let limited = context.endpoint.limit == .user
    guard
        let found = try (limited ? count(tokenHash, context, database) : nil)
            ?? begin(tokenHash, context, database)
    else { throw APIError.invalidToken }
    context.caller = found.caller
    if found.lastUsedAt < context.now.adding(.zero - SessionLifetime.granularity) {
        try touch(found.caller, context, database)
    }
    if limited { try limitUser(context, requests: found.requests, reset: found.reset) }
    return found.caller
}

private struct Found {
    let caller: Caller
    let lastUsedAt: Timestamp
    let requests: Int
    let reset: Int

    init(_ row: inout Row) throws {
        caller = Caller(userID: try row.next(), sessionID: try row.next())
        lastUsedAt = try row.next()
        requests = Int(try row.next(Int32.self))
        reset = Int(try row.next(Int32.self))
    }
}

/// One statement finds the session and counts: a minute begins with its first request. Nil where either is missing.
private func count(_ tokenHash: String, _ context: RequestContext, _ database: Session) throws
    -> Found?
{
    let now = context.now
    return try database.first(
        """
        update user_rates r
        set requests = case when r.since > \(now) - interval '1 minute' then least(r.requests, 100) + 1 else 1 end,
            since = case when r.since > \(now) - interval '1 minute' then r.since else \(now) end
        from sessions s
        where s.token_hash = \(tokenHash) and s.expires_at > \(now) and r.user_id = s.user_id
        returning s.user_id, s.id, s.last_used_at, r.requests,
            ceil(extract(epoch from r.since + interval '1 minute' - \(now)))::int4
        """
    ) { try Found(&$0) }
}

/// The rare case: a user without a counter yet, or an endpoint that has another limit.
private func begin(_ tokenHash: String, _ context: RequestContext, _ database: Session) throws
    -> Found?
{
    let session = try database.first(
        """
        select user_id, id, last_used_at, 0::int4, 60::int4 from sessions
        where token_hash = \(tokenHash) and expires_at > \(context.now)
        """
    ) { try Found(&$0) }
    guard let session, context.endpoint.limit == .user else { return session }
    try database.execute(
        """
        insert into user_rates (user_id, since, requests)
        values (\(session.caller.userID), \(context.now), 0) on conflict do nothing
        """)
    return try count(tokenHash, context, database)
}

/// Written at most once a minute and without waiting for the disk: a crash may cost it, which only ends the session a little earlier.
private func touch(_ caller: Caller, _ context: RequestContext, _ database: Session) throws {
    let now = context.now
    try database.execute(
        """
        update sessions
        set last_used_at = \(now),
            expires_at = least(\(now.adding(SessionLifetime.idle)),
                created_at + \(SessionLifetime.absolute.microseconds) * interval '1 microsecond')
        where id = \(caller.sessionID) and set_config('synchronous_commit', 'off', true) = 'off'
        """)
}

/// Compares the admin token in a time that does not depend on what was sent.
/// - Throws: `APIError` 401.
func authenticateAdmin(_ context: RequestContext) throws {
    // Hashes are of one length, so that not even the length of the token shows.
    let given = Digest.sha256(Array((context.request["HTTP_X_ADMIN_TOKEN"] ?? "").utf8))
    let matches = context.services.configuration.adminTokens
        .map { Digest.constantTimeEqual(given, Digest.sha256($0)) }
    guard matches.contains(true) else { throw APIError(.unauthorized, "Invalid admin token") }
}

/// The 64 hexadecimal digits after `Bearer` (RFC 6750; the scheme's case does not matter), or nil.
private func bearerToken(_ header: String?) -> String? {
    guard let header, header.utf8.count == 71, header.prefix(7).lowercased() == "bearer " else {
        return nil
    }
    let token = header.dropFirst(7)
    let digits = token.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    return digits ? String(token) : nil
}
