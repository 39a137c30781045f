import BabyBasicsAPI
import Postgres

/// Where the caller is signed in, the latest used first.
func listSessions(_ context: RequestContext, caller: Caller) async throws -> Reply<SessionList> {
    let sessions = try await context.database.rows(
        """
        select id, created_at, last_used_at, expires_at, user_agent from sessions
        where user_id = \(caller.userID) and expires_at > \(context.now)
        order by last_used_at desc, id desc
        """
    ) {
        let id: Identifier<SignedIn.Session> = try $0.next()
        return OpenSession(
            id: id, createdAt: try $0.next(), lastUsedAt: try $0.next(), expiresAt: try $0.next(),
            userAgent: try $0.next(), current: id == caller.sessionID)
    }
    return Reply(SessionList(sessions: sessions))
}
