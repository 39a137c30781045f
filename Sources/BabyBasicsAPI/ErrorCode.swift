/// The codes of the error envelope. One table gives each its status.
public enum ErrorCode: String, Decodable, Sendable, CaseIterable {
    case validationError = "VALIDATION_ERROR"
    case unauthorized = "UNAUTHORIZED"
    case forbidden = "FORBIDDEN"
    case notFound = "NOT_FOUND"
    case methodNotAllowed = "METHOD_NOT_ALLOWED"
    case conflict = "CONFLICT"
    case resyncRequired = "RESYNC_REQUIRED"
    case gone = "GONE"
    case preconditionFailed = "PRECONDITION_FAILED"
    case payloadTooLarge = "PAYLOAD_TOO_LARGE"
    case unsupportedMediaType = "UNSUPPORTED_MEDIA_TYPE"
    case rateLimited = "RATE_LIMITED"
    case internalError = "INTERNAL_ERROR"
    case serviceUnavailable = "SERVICE_UNAVAILABLE"

    /// The HTTP status that goes with the code.
    public var status: Int {
        switch self {
        case .validationError: 400
        case .unauthorized: 401
        case .forbidden: 403
        case .notFound: 404
        case .methodNotAllowed: 405
        case .conflict: 409
        case .resyncRequired, .gone: 410
        case .preconditionFailed: 412
        case .payloadTooLarge: 413
        case .unsupportedMediaType: 415
        case .rateLimited: 429
        case .internalError: 500
        case .serviceUnavailable: 503
        }
    }
}

/// The body of every answer that is not a success: `{"error":{"code","message","details"}}`.
public struct ErrorBody: Decodable, Hashable, Sendable {
    public var error: Content

    public struct Content: Decodable, Hashable, Sendable {
        public var code: ErrorCode
        /// English, for a person.
        public var message: String
        /// What to point at; empty where there is nothing.
        public var details: [Detail]
    }

    public struct Detail: Decodable, Hashable, Sendable {
        /// A member of the body, a query parameter, or the id of a thing.
        public var field: String
        public var message: String

        public init(field: String, message: String) {
            self.field = field
            self.message = message
        }
    }

    public init(code: ErrorCode, message: String, details: [Detail] = []) {
        error = Content(code: code, message: message, details: details)
    }
}

extension ErrorBody.Content: Described {
    static let remarks: [String: Remark] = [
        "message": Remark("English, for a person.", example: "Some of the fields are not valid"),
        "details": "What to point at; empty where there is nothing.",
    ]
}

extension ErrorBody.Detail: Described {
    static let remarks: [String: Remark] = [
        "field": Remark(
            "A member of the body, a query parameter, a header, or the id of a thing.",
            example: "name"),
        "message": Remark("English, for a person.", example: "is required"),
    ]
}
