import BabyBasicsAPI
import FastCGI

extension RequestContext {
    static let endedCookie = "__Host-session=; Secure; HttpOnly; SameSite=Strict; Path=/; Max-Age=0"

    /// The token of the session cookie, looked at only where there is no Authorization header.
    var cookieToken: BearerToken? {
        get throws {
            guard request["HTTP_AUTHORIZATION"] == nil, let token = cookieText else { return nil }
            if endpoint.method != .get { try requireSameOrigin() }
            return BearerToken(header: Array("Bearer \(token)".utf8)[...])
        }
    }

    var cookieText: Substring? {
        (request["HTTP_COOKIE"] ?? "").split(separator: ";")
            .map { $0.drop { $0 == " " } }
            .first { $0.hasPrefix("__Host-session=") }?.dropFirst("__Host-session=".count)
    }

    func requireSameOrigin() throws {
        let allowed =
            request["HTTP_SEC_FETCH_SITE"].map { $0 == "same-origin" }
            ?? (request["HTTP_ORIGIN"] == services.configuration.baseURL)
        guard allowed else { throw APIError(.forbidden, "Not from this site") }
    }

    /// Whether the session that is about to be made goes into a cookie.
    func takesCookie(_ fields: Fields) throws {
        let word = try fields.all(fields.optional("session", .anything))
        guard let word else { return }
        guard word == "cookie" else { throw APIError(.validationError, "session is cookie or nothing") }
        try requireSameOrigin()
        isCookieSession = true
    }
}
