import BabyBasicsAPI
import Postgres

/// Ends the session that the request came with, at once.
func logOut(_ context: RequestContext, caller: Caller) throws -> Reply<Empty> {
    let database = try context.database
    return try database.transaction {
        let ended = try database.execute("delete from sessions where id = \(caller.sessionID)")
        // Of two sign-outs at once the second finds nothing to end and nothing to record.
        guard ended == 1 else { throw APIError.invalidToken }
        try context.audit(.delete, .session, caller.sessionID.uuid, by: caller.userID)
        context.headers.append(("Set-Cookie", RequestContext.endedCookie))
        return .nothing
    }
}
