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

/// Resolves the bearer token, counts the request against its user, and slides the session's expiry.
/// - Throws: `APIError` 401 or 429.
func authenticate(_ context: RequestContext) throws -> Caller {
    try authenticate(context, admit(context))
}

func authenticate(_ context: RequestContext, _ admission: Admission) throws -> Caller {
    try session.question(context, admission).rows { _ in }.caller
}

private let session = SessionStatement()

/// What a request with a well-formed token is let in with.
struct Admission {
    let token: BearerToken
    /// Whether it has been counted, or need not be: otherwise the statement that finds the session counts it.
    var isCounted: Bool
    /// What was taken for it of what the counter had granted before.
    var granted: GrantedRequest?

    /// For a token without a session: whose it was must not pay for it.
    func refused(_ context: RequestContext) -> APIError {
        if let granted { context.services.grants.giveBack(granted, of: token, at: context.now) }
        return .invalidToken
    }
}

/// - Throws: `APIError` 401 for a token that cannot be one.
func admit(_ context: RequestContext) throws -> Admission {
    guard let token = try context.cookieToken ?? BearerToken(header: context.request.bytes(of: "HTTP_AUTHORIZATION"))
    else { throw APIError.invalidToken }
    guard context.endpoint.limit == .user else { return Admission(token: token, isCounted: true) }
    let granted = context.services.grants.take(for: token, at: context.now)
    return Admission(token: token, isCounted: granted != nil, granted: granted)
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

/// What a client shows of its session.
struct BearerToken {
    /// As the database has it.
    let hash: String
    /// The hash's first 64 bits, which stand for the token where chance may decide; never 0.
    let number: UInt64

    /// Takes the 64 hexadecimal digits after `Bearer` (RFC 6750; the scheme's case does not matter); nil for anything else.
    init?(header: ArraySlice<UInt8>?) {
        guard let header else { return nil }
        let read: (hash: String, number: UInt64)? = header.withUnsafeBufferPointer { header in
            guard header.count == 71, Self.hasScheme(header) else { return nil }
            let digits = UnsafeBufferPointer(rebasing: header[7...])
            guard digits.allSatisfy(Self.isHexadecimalDigit) else { return nil }
            return Digest.sha256(digits) { digest in
                let first = UnsafeRawBufferPointer(digest).loadUnaligned(as: UInt64.self)
                return (Encoding.hex(digest), max(1, UInt64(bigEndian: first)))
            }
        }
        guard let read else { return nil }
        (hash, number) = read
    }

    /// In lower case.
    private static func isHexadecimalDigit(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10 || byte &- UInt8(ascii: "a") < 6
    }

    private static func hasScheme(_ header: UnsafeBufferPointer<UInt8>) -> Bool {
        let scheme: StaticString = "bearer "
        return (0..<7).allSatisfy { header[$0] | 0x20 == scheme.utf8Start[$0] }
    }
}
