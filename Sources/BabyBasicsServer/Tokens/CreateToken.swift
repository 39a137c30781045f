import BabyBasicsAPI
import Cryptography
import Postgres

/// Makes a token by which another program acts for the caller in one family. The database is given its hash alone.
func createToken(_ context: RequestContext, caller: Caller) async throws -> Reply<IssuedTokenAnswer> {
    let fields = try context.fields()
    let (name, family, scope, expiresAt) = try fields.all(
        fields.required("name", .name), fields.required("family_id", .identifier() as Rule<FamilyID>),
        fields.required("scope", .tokenScope), fields.optional("expires_at", .future(now: context.now)))
    let secret = BearerToken.program(try context.services.random(32))
    let database = context.database
    return try await database.transaction {
        guard let familyName = try await database.holdMembership(of: caller.userID, in: family, at: context.now) else {
            throw APIError.invalid("family_id", "must be one of your families", .unknown)
        }
        // One at a time, before the session, as whoever ends sessions does: the next one counts this one's token.
        try database.lockUser(caller.userID)
        guard try await database.execute("select from sessions where id = \(caller.sessionID) for key share") == 1
        else {
            throw APIError.invalidToken
        }
        let token = ProgramToken(
            id: try context.newIdentifier(), name: name, familyId: family, familyName: familyName, scope: scope,
            createdAt: context.now, lastUsedAt: nil, expiresAt: expiresAt)
        let inserted = try await database.execute(
            """
            insert into tokens (id, family_id, user_id, name, token_hash, scope, created_at, expires_at)
            select \(token.id), \(family), \(caller.userID), \(name), \(Encoding.hex(Digest.sha256(secret.utf8))), \(scope),
                \(context.now), \(expiresAt)
            where (
                select count(*) from \(fragment: ProgramTokens.alive(of: caller.userID, at: context.now))
            ) < \(Ceiling.tokensOfUser)
            """)
        guard inserted == 1 else { throw APIError.tooManyTokens }
        var changes = AuditChanges.none
        changes.note("name", from: nil, to: name)
        changes.note("scope", from: nil, to: scope)
        changes.note("expires_at", from: nil, to: expiresAt)
        try await context.audit(.create, .token, token.id.uuid, by: caller.userID, family: family, changes: changes)
        return Reply(IssuedTokenAnswer(token: IssuedToken(token, secret: secret)))
    }
}

extension Database {
    /// Keeps somebody from being taken out of a family until the transaction ends.
    /// - Returns: the family's name; nil for one that the user is no member of.
    fileprivate func holdMembership(
        of user: UserID, in family: FamilyID, at now: Timestamp
    ) async throws -> String? {
        try await first(
            """
            select f.name from \(fragment: Members.current("m", at: now)) join families f on f.id = m.family_id
            where m.family_id = \(family) and m.user_id = \(user) for key share of m
            """
        ) { try $0.next(String.self) }
    }
}
