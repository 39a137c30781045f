import BabyBasicsAPI
import Postgres

/// Ends the session that the request came with, at once.
func logOut(_ context: RequestContext, caller: Caller) async throws -> Reply<Empty> {
    let database = context.database
    try await database.transaction {
        let ended = try await database.execute(
            "delete from sessions where id = \(caller.sessionID)")
        // Of two sign-outs at once the second finds nothing to end and nothing to record.
        guard ended == 1 else { throw APIError.invalidToken }
        try await context.audit(.delete, .session, caller.sessionID.uuid, by: caller.userID)
    }
    context.sessionHasEnded = true
    return .nothing
}
