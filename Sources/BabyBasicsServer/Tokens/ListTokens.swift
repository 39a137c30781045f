import BabyBasicsAPI
import Postgres

/// The caller's tokens that open something, the newest first.
func listTokens(_ context: RequestContext, caller: Caller) async throws -> Reply<ProgramTokenList> {
    let tokens = try await context.database.rows(
        """
        select t.id, t.name, t.family_id, f.name, t.scope, t.created_at, t.last_used_at, t.expires_at
        from \(fragment: ProgramTokens.alive(of: caller.userID, at: context.now))
        order by t.created_at desc, t.id desc
        """
    ) {
        ProgramToken(
            id: try $0.next(), name: try $0.next(), familyId: try $0.next(), familyName: try $0.next(),
            scope: try $0.next(), createdAt: try $0.next(), lastUsedAt: try $0.next(), expiresAt: try $0.next())
    }
    return Reply(ProgramTokenList(tokens: tokens))
}
