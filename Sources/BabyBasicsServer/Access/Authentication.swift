import BabyBasicsAPI
import Cryptography
import FastCGI
import Postgres

/// Who sent a request.
struct Caller: Sendable {
    let userID: UserID
    /// Of a program's token it is the token's own, which is no session's.
    let sessionID: Identifier<SignedIn.Session>
    /// What another program shows in the place of a session.
    var token: CallersToken?
}

/// Another program's token, which acts for its user in one family.
struct CallersToken: Sendable {
    let name: String
    let scope: TokenScope
}

/// How long a session lives.
enum SessionLifetime {
    /// After its last use.
    static let idle = Duration.seconds(30 * 86_400)
    /// After it was made, however much it is used.
    static let absolute = Duration.seconds(180 * 86_400)
    /// A use this soon after the last one is not written down.
    static let granularity = Duration.seconds(60)

    /// Whether a session `s` still lives at `$2`. Its age counts too, whatever its expiry says.
    static let isAlive = "s.expires_at > $2 and s.created_at > $2 - \(interval(absolute))"

    /// When a use of a session `s` at a moment makes it end.
    static func expiry(usedAt moment: String) -> String {
        "least(\(moment) + \(interval(idle)), s.created_at + \(interval(absolute)))"
    }

    /// Whether a use of a session `s` at `$2` is to be written down.
    static let isDue =
        "least(s.last_used_at - $2, s.expires_at - \(expiry(usedAt: "$2"))) < - \(interval(granularity))"

    private static func interval(_ duration: Duration) -> String {
        "interval '\(duration.components.seconds) seconds'"
    }
}

/// Finds the session that the request shows, counts the request against its user, and slides the session's expiry.
/// - Throws: `APIError` 401, 403, 429 or 415.
@discardableResult
func authenticate(_ context: RequestContext) async throws -> Caller {
    _ = try await context.ask(session) { _ in }
    return try context.authenticated
}

private let session = Question.ofUser()

extension RequestContext {
    /// The token of the request: of its `Authorization` header, and only without one of its cookie.
    ///
    /// A browser sends the cookie whoever's page asks, so a change is taken from our own pages alone.
    /// - Throws: `APIError` 401 for what cannot be a token, 403 for another site's page.
    func bearerToken() throws -> BearerToken {
        if let header = request.bytes(of: "HTTP_AUTHORIZATION") {
            guard let token = BearerToken(header: header) else { throw APIError.invalidToken }
            return token
        }
        guard let cookie = request.bytes(of: "HTTP_COOKIE").flatMap(SessionCookie.value) else {
            throw APIError.invalidToken
        }
        // Another site's page is not to sign anybody out by a refusal either.
        if endpoint.method != .get { try requireOwnPage() }
        showsCookie = true
        guard let token = BearerToken(digits: cookie) else { throw APIError.invalidToken }
        return token
    }
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
