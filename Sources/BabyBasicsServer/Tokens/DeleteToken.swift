import BabyBasicsAPI
import Postgres

/// Ends one of the caller's tokens. What it is changing at that moment is done first, and nothing after.
func deleteToken(_ context: RequestContext, caller: Caller) async throws -> Reply<Empty> {
    let noSuchToken = APIError(.notFound, "Token not found")
    let token = try context.identifier(0, of: ProgramToken.self, otherwise: noSuchToken)
    let database = context.database
    try await database.transaction {
        let family = try await database.change(
            "delete from tokens where id = \(token) and user_id = \(caller.userID) returning family_id"
        ) { try $0.next(FamilyID.self) }.first
        guard let family else { throw noSuchToken }
        try await context.audit(.delete, .token, token.uuid, by: caller.userID, family: family)
    }
    return .nothing
}
