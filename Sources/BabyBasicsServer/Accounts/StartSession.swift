import BabyBasicsAPI
import Cryptography
import FastCGI
import Postgres

extension RequestContext {
    /// Makes a session for a user, in the transaction at hand. The database is given the token's hash alone.
    func startSession(of user: UserID) async throws -> (SignedIn.Session, Identifier<SignedIn.Session>) {
        let token = Encoding.hex(try services.random(32))
        let id: Identifier<SignedIn.Session> = try newIdentifier()
        let expiresAt = now.adding(SessionLifetime.idle)
        let userAgent = request["HTTP_USER_AGENT"].map(displayable)
        try await database.execute(
            """
            insert into sessions (id, user_id, token_hash, user_agent, created_at, last_used_at, expires_at)
            values (\(id), \(user), \(Encoding.hex(Digest.sha256(token.utf8))), \(userAgent),
                \(now), \(now), \(expiresAt))
            """)
        return (SignedIn.Session(token: token, expiresAt: expiresAt), id)
    }
}

/// At most 200 code points without control characters, of which NUL could not even be stored.
private func displayable(_ userAgent: String) -> String {
    var scalars = String.UnicodeScalarView()
    scalars.append(
        contentsOf: userAgent.unicodeScalars.lazy
            .filter { $0.properties.generalCategory != .control }.prefix(200))
    return String(scalars)
}
