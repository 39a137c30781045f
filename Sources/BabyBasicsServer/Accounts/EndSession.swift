import BabyBasicsAPI
import Postgres

/// Signs one of the caller's devices out, this one included.
func endSession(_ context: RequestContext, caller: Caller) async throws -> Reply<Empty> {
    let noSuchSession = APIError(.notFound, "Session not found")
    let session = try context.identifier(0, of: SignedIn.Session.self, otherwise: noSuchSession)
    let database = context.database
    try await database.transaction {
        let ended = try await database.execute(
            """
            delete from sessions
            where id = \(session) and user_id = \(caller.userID) and expires_at > \(context.now)
            """)
        guard ended == 1 else { throw noSuchSession }
        try await context.audit(.delete, .session, session.uuid, by: caller.userID)
    }
    context.sessionHasEnded = session == caller.sessionID
    return .nothing
}
