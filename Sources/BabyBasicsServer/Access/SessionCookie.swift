import BabyBasicsAPI
import FastCGI

/// The cookie that carries a browser's session: out of reach of scripts, and never sent from another site's page.
enum SessionCookie {
    /// A browser takes a cookie of such a name from its own host alone, over HTTPS, for every path (RFC 6265bis).
    static let name = "__Host-session"

    static func holding(_ token: String) -> String {
        let seconds = SessionLifetime.absolute.components.seconds
        return "\(name)=\(token); \(attributes); Max-Age=\(seconds)"
    }

    /// Has the browser forget it.
    static let none = "\(name)=; \(attributes); Max-Age=0"

    private static let attributes = "Secure; HttpOnly; SameSite=Strict; Path=/"

    /// Its value in a `Cookie` header; nil where there is no such cookie.
    static func value(in header: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let prefix = Array("\(name)=".utf8)
        return header.split(separator: UInt8(ascii: ";"))
            .map { $0.drop { $0 == UInt8(ascii: " ") } }
            .first { $0.starts(with: prefix) }?
            .dropFirst(prefix.count)
    }
}

extension RequestContext {
    /// Where a new session's token is to go. A cookie is given to our own pages alone.
    /// - Throws: `APIError` 403 for another site's page.
    func sessionCarrier(_ fields: Fields) throws -> SessionCarrier?? {
        let carrier = fields.optional("session", .sessionCarrier)
        if carrier == .some(.cookie) { try requireOwnPage() }
        return carrier
    }

    /// The answer to a sign-in whose session is stored: with the token, or with the cookie that has it instead.
    func answer(_ signedIn: SignedIn, in carrier: SessionCarrier?) -> SignedIn {
        guard carrier == .cookie, let token = signedIn.session.token else { return signedIn }
        headers.append(("Set-Cookie", SessionCookie.holding(token)))
        var signedIn = signedIn
        signedIn.session.token = nil
        return signedIn
    }

    /// - Throws: `APIError` 403 unless a page of this server sent the request.
    func requireOwnPage() throws {
        // Where a browser says from which site the request comes, that decides; older ones say from which origin.
        let isOwn =
            if let site = request["HTTP_SEC_FETCH_SITE"] {
                site == "same-origin"
            } else {
                request["HTTP_ORIGIN"] == services.configuration.origin
            }
        guard isOwn else { throw APIError(.forbidden, "This request came from another site") }
    }

    /// Adds what goes with every answer to this request.
    func addHeaders(to response: inout Response) {
        if !headers.isEmpty { response.headers += headers }
        if showsCookie, sessionHasEnded || response.status == 401 {
            response.headers.append(("Set-Cookie", SessionCookie.none))
        }
        if let rateLimit { response.headers += rateLimit.headers }
    }
}
