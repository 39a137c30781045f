import BabyBasicsAPI

/// What a reader is told of an endpoint besides what the endpoint itself is. The OpenAPI document is made of both.
final class About: Sendable {
    private let endpoint: EndpointDescription
    /// Its name in clients; the Swift constant's.
    let name: String
    /// A few words.
    let summary: String
    /// Markdown.
    let detail: String
    let request: any (Decodable & Sendable).Type
    let query: [QueryParameter]
    let version: Version
    /// Whether what was made before by the same request is answered with 200.
    let answersAgain: Bool
    /// When it answers 204 in place of its own success; nil for never.
    let answersNothing: String?
    /// Causes of refusal that do not follow from the endpoint's access, limits and types.
    let refusals: [Refusal]

    struct Refusal: Sendable {
        let code: ErrorCode
        let cause: String
    }

    /// What an endpoint has to do with entity tags.
    enum Version: Sendable {
        case none
        /// Answers with an `ETag`.
        case answered
        /// Takes `If-Match` too, and where it has a body answers with the new `ETag`.
        case checked
    }

    /// - Parameter type: stands for the request's type where that one is open.
    init<Request, Response>(
        _ endpoint: Endpoint<Request, Response>, _ name: String, _ summary: String, _ detail: String = "",
        takes type: (any (Decodable & Sendable).Type)? = nil, query: [QueryParameter] = [],
        version: Version = .none, answersAgain: Bool = false, answersNothing: String? = nil,
        refuses refusals: KeyValuePairs<ErrorCode, String> = [:]
    ) {
        self.endpoint = endpoint.description
        self.name = name
        self.summary = summary
        self.detail = detail
        request = type ?? endpoint.description.request as any (Decodable & Sendable).Type
        self.query = query
        self.version = version
        self.answersAgain = answersAgain
        self.answersNothing = answersNothing
        self.refusals = refusals.map { Refusal(code: $0.key, cause: $0.value) }
    }
}

extension About {
    private static let all: [String: About] = {
        let features = [
            authentication, recovery, sessions, users, tokens, devices, families, members, invites, children, tracking,
            plans,
            dashboard, sync, reminders, notifications, audit, webhooks,
        ]
        return Dictionary(uniqueKeysWithValues: features.joined().map { (key($0.endpoint), $0) })
    }()

    /// Nil of an endpoint that nothing is told of: a test finds it.
    static func of(_ endpoint: EndpointDescription) -> About? { all[key(endpoint)] }

    private static func key(_ endpoint: EndpointDescription) -> String {
        "\(endpoint.method.rawValue) \(endpoint.path)"
    }
}

/// One parameter of a query. The names are those of `Query`.
struct QueryParameter: Sendable {
    let name: String
    let description: String
    let schema: JSON
    /// A list is written with commas between.
    var isList = false

    static let limit = limit(maximum: 200)
    static let limitOfChanges = limit(maximum: 1000)

    private static func limit(maximum: Int) -> QueryParameter {
        QueryParameter(
            name: "limit", description: "How many at most.",
            schema: [
                "type": "integer", "minimum": 1, "maximum": .integer(maximum), "default": 50, "examples": [50],
            ])
    }

    static let cursor = QueryParameter(
        name: "cursor", description: "The `next_cursor` of the page before.",
        schema: [
            "type": "string", "format": "cursor", "pattern": "^[A-Za-z0-9_\\-]{32}$",
            "examples": ["AAZLh0ICxAABmcOlfXp8PppRL2uKHU5w"],
        ])
    static let from = QueryParameter(
        name: "from", description: "The earliest time, which still counts.",
        schema: Timestamp.schema)
    static let to = QueryParameter(
        name: "to", description: "The time from which on nothing counts.", schema: Timestamp.schema)
    static let types = QueryParameter(
        name: "types", description: "The kinds of events; all of them where absent.",
        schema: [
            "type": "array", "minItems": 1, "uniqueItems": true,
            "items": ["type": "string", "enum": .strings(EventKind.all.map(\.name))],
            "examples": [["feeding", "sleep"]],
        ], isList: true)
    static let date = QueryParameter(
        name: "date", description: "1900-01-01 to 2100-12-31; the caller’s today where absent.",
        schema: CalendarDate.schema)
    static let since = QueryParameter(
        name: "since", description: "0, or a `next_since` of this family.",
        schema: [
            "type": "integer", "format": "int64", "minimum": 0, "maximum": .integer(Int.max),
            "default": 0, "examples": [0],
        ])

    static let wait = QueryParameter(
        name: "wait",
        description:
            "How many seconds the answer may be held while nothing is newer than `since`. A client’s own time-out should be longer.",
        schema: [
            "type": "integer", "minimum": 0, "maximum": 55, "default": 0, "examples": [25],
        ])

    static let page = [limit, cursor]
    static let events = [from, to, limit, cursor]
}
