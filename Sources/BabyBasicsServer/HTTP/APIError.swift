import BabyBasicsAPI

/// The one way for the request path and the handlers to refuse.
struct APIError: Error {
    let code: ErrorCode
    let message: String
    var details: [ErrorBody.Detail] = []
    var headers: [(name: String, value: String)] = []

    /// - Parameter message: English, for a person; the same for every cause that a stranger must not tell apart.
    init(_ code: ErrorCode, _ message: String, details: [ErrorBody.Detail] = []) {
        self.code = code
        self.message = message
        self.details = details
    }

    /// Adds a header to the answer.
    func with(_ name: String, _ value: String) -> APIError {
        var copy = self
        copy.headers.append((name, value))
        return copy
    }

    /// Says which field it is about, and why, for clients that decide by it.
    func of(_ field: String, _ message: String, _ reason: ErrorBody.Detail.Reason) -> APIError {
        var copy = self
        copy.details.append(.init(field: field, message: message, reason: reason))
        return copy
    }

    static let notFound = APIError(.notFound, "Not found")
    static let childNotFound = APIError(.notFound, "Child not found")
    static let bodyTooLarge = APIError(.payloadTooLarge, "The body is too large")
    static let notAMember = APIError(.forbidden, "Not a member of this family")
    static let notForTokens = APIError(.forbidden, "This token may not do that")
    static let invalidToken = APIError(.unauthorized, "Invalid or expired token")
        .with("WWW-Authenticate", "Bearer")

    /// Says nothing of the cause: that is in the log, under the request's id.
    static let unexplained = APIError(.internalError, "Something went wrong on our side")

    /// - Parameter seconds: when it is worth to try again.
    static func unavailable(retryAfter seconds: Int) -> APIError {
        APIError(.serviceUnavailable, "The service is busy or restarting; try again shortly")
            .with("Retry-After", String(seconds))
    }

    /// One field that is not as described.
    static func invalid(
        _ field: String, _ message: String, _ reason: ErrorBody.Detail.Reason = .format
    ) -> APIError {
        invalid([.init(field: field, message: message, reason: reason)])
    }

    static func invalid(_ details: [ErrorBody.Detail]) -> APIError {
        APIError(.validationError, "Some of the fields are not valid", details: details)
    }
}
