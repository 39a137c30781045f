import BabyBasicsAPI

extension OpenAPI {
    /// The answers that mean the same everywhere, by error code: `Conflict` is 409.
    static func responses(error: JSON) -> JSON {
        ErrorCode.allCases.reduce(into: [:]) { responses, code in
            var headers = code.headers
            headers["X-Request-Id"] = header("XRequestId")
            headers["Cache-Control"] = header("CacheControl")
            let example: JSON = [
                "error": [
                    "code": .string(code.rawValue), "message": .string(code.exampleMessage),
                    "details": code == .validationError
                        ? [["field": "name", "message": "is required", "reason": "required"]] : [],
                ]
            ]
            let only: JSON = ["const": .string(code.rawValue)]
            let narrowed: JSON = [
                "properties": ["error": ["properties": ["code": only]]]
            ]
            responses[code.responseName] = [
                "description": .string("\(code.rawValue): \(code.meaning)"),
                "headers": headers,
                "content": [
                    "application/json": [
                        "schema": ["allOf": [error, narrowed]], "example": example,
                    ]
                ],
            ]
        }
    }

    static func header(_ name: String) -> JSON { ["$ref": "#/components/headers/\(name)"] }

    static let headers: JSON = [
        "XRequestId": [
            "description": "Names this answer; also in the logs.", "required": true,
            "schema": [
                "type": "string", "pattern": "^[0-9a-f]{32}$",
                "examples": ["5c2d3f1e7a9b4c6d8e0f1a2b3c4d5e6f"],
            ],
        ],
        "CacheControl": [
            "description": "Nothing of the API may be kept.", "required": true,
            "schema": ["type": "string", "const": "no-store"],
        ],
        "ETag": [
            "description": "The thing’s revision, for `If-Match`.", "required": true,
            "schema": ["type": "string", "pattern": "^\"[0-9]+\"$", "examples": ["\"42\""]],
        ],
        "RetryAfter": [
            "description": "Seconds until it is worth to try again.", "required": true,
            "schema": ["type": "integer", "minimum": 1, "examples": [30]],
        ],
        "RateLimitLimit": limit("How many requests the counter allows.", 100),
        "RateLimitRemaining": limit("How many are left.", 99),
        "RateLimitReset": limit("Seconds until there are more.", 60),
        "WWWAuthenticate": [
            "description": "Where a session token is asked for.",
            "schema": ["type": "string", "const": "Bearer"],
        ],
        "Allow": [
            "description": "The methods that the path has.", "required": true,
            "schema": ["type": "string", "examples": ["GET, HEAD, POST"]],
        ],
    ]

    /// What the answers of an endpoint with a limit show.
    static let limitHeaders: JSON = [
        "RateLimit-Limit": header("RateLimitLimit"),
        "RateLimit-Remaining": header("RateLimitRemaining"),
        "RateLimit-Reset": header("RateLimitReset"),
    ]

    private static func limit(_ description: String, _ example: Int) -> JSON {
        [
            "description": .string(description), "required": true,
            "schema": ["type": "integer", "minimum": 0, "examples": [.integer(example)]],
        ]
    }
}

extension ErrorCode {
    /// `Conflict`
    var responseName: String {
        rawValue.split(separator: "_").map { $0.prefix(1) + $0.dropFirst().lowercased() }.joined()
    }

    fileprivate var headers: JSON {
        switch self {
        case .unauthorized: ["WWW-Authenticate": OpenAPI.header("WWWAuthenticate")]
        case .methodNotAllowed: ["Allow": OpenAPI.header("Allow")]
        case .rateLimited, .serviceUnavailable: ["Retry-After": OpenAPI.header("RetryAfter")]
        default: [:]
        }
    }

    var meaning: String {
        switch self {
        case .validationError:
            "body, query or header are not as described; every bad field is in `details`."
        case .unauthorized: "no, a malformed, an unknown or an expired token."
        case .forbidden: "not a member of the family, or the role does not allow it."
        case .notFound: "there is no such thing, or not for the caller."
        case .methodNotAllowed: "the path has other methods; they are in `Allow`."
        case .conflict: "it contradicts what is there."
        case .resyncRequired: "too long ago: begin again with 0."
        case .gone: "it was deleted, and sending it again does not bring it back."
        case .preconditionFailed: "it was changed since the version that `If-Match` names."
        case .payloadTooLarge: "the body is longer than the endpoint takes."
        case .unsupportedMediaType: "the body is not `application/json`, nor in a PATCH `application/merge-patch+json`."
        case .rateLimited: "too many requests; try again after `Retry-After` seconds."
        case .internalError: "a fault on the server’s side. The cause is in its log."
        case .serviceUnavailable:
            "busy or restarting, or the database is away; try again after `Retry-After` seconds."
        }
    }

    fileprivate var exampleMessage: String {
        switch self {
        case .validationError: "Some of the fields are not valid"
        case .unauthorized: "Invalid or expired token"
        case .forbidden: "Not a member of this family"
        case .notFound: "Not found"
        case .methodNotAllowed: "Method not allowed"
        case .conflict: "This id belongs to something else"
        case .resyncRequired: "Changes since then are not all known any more; start again from 0"
        case .gone: "This entry was deleted"
        case .preconditionFailed: "It was changed meanwhile; read it again"
        case .payloadTooLarge: "The body is too large"
        case .unsupportedMediaType: "The body must be application/json"
        case .rateLimited: "Too many requests; try again in 30 s"
        case .internalError: "Something went wrong on our side"
        case .serviceUnavailable: "The service is busy or restarting; try again shortly"
        }
    }
}
