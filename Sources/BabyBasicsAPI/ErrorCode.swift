/// The codes of the error envelope. One table gives each its status.
public enum ErrorCode: String, Codable, Sendable, CaseIterable {
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
public struct ErrorBody: Codable, Hashable, Sendable {
    public var error: Content

    public struct Content: Codable, Hashable, Sendable {
        public var code: ErrorCode
        /// English, for a person.
        public var message: String
        /// What to point at; empty where there is nothing.
        public var details: [Detail]
    }

    public struct Detail: Codable, Hashable, Sendable {
        /// A member of the body, a query parameter, or the id of a thing.
        public var field: String
        /// English, for a person; it may change.
        public var message: String
        /// What clients decide by, and translate.
        public var reason: Reason

        public init(field: String, message: String, reason: Reason) {
            self.field = field
            self.message = message
            self.reason = reason
        }
    }

    public init(code: ErrorCode, message: String, details: [Detail] = []) {
        error = Content(code: code, message: message, details: details)
    }
}

extension ErrorBody.Detail {
    /// Why a field was refused. Open, so that a client meets a new reason without failing.
    public struct Reason: RawRepresentable, Codable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// It is not there.
        public static let required = Reason(rawValue: "required")
        /// It is no string, no number, no object.
        public static let type = Reason(rawValue: "type")
        /// It cannot be read: no time, no email, a character that is refused.
        public static let format = Reason(rawValue: "format")
        public static let tooShort = Reason(rawValue: "too_short")
        public static let tooLong = Reason(rawValue: "too_long")
        public static let tooSmall = Reason(rawValue: "too_small")
        public static let tooLarge = Reason(rawValue: "too_large")
        /// It is none of the words that there are.
        public static let notListed = Reason(rawValue: "not_listed")
        public static let inFuture = Reason(rawValue: "in_future")
        public static let tooOld = Reason(rawValue: "too_old")
        /// It ends before it starts.
        public static let order = Reason(rawValue: "order")
        /// It does not go with the rest of the body, or with the family.
        public static let notAllowed = Reason(rawValue: "not_allowed")
        /// It belongs to something else.
        public static let taken = Reason(rawValue: "taken")
        /// Another one has not ended.
        public static let running = Reason(rawValue: "running")
        /// It is one of the most common passwords.
        public static let common = Reason(rawValue: "common")
        /// Nothing of it can be seen.
        public static let blank = Reason(rawValue: "blank")
        /// It is there more than once.
        public static let duplicate = Reason(rawValue: "duplicate")
        /// There is no such thing, or not for the caller.
        public static let unknown = Reason(rawValue: "unknown")

        public static let all: [Reason] = [
            .required, .type, .format, .tooShort, .tooLong, .tooSmall, .tooLarge, .notListed, .inFuture, .tooOld,
            .order, .notAllowed, .taken, .running, .common, .blank, .duplicate, .unknown,
        ]
    }
}
