/// One operation of the API: everything that a client and the server must agree on.
public struct Endpoint<Request: Codable & Sendable, Response: Decodable & Sendable>: Sendable {
    public let description: EndpointDescription

    init(
        _ method: Method, _ path: String, access: Access, tokens: TokenScope? = nil, limit: RateLimit = .user,
        success: Int = 200, maximumBodyBytes: Int = EndpointDescription.usualBodyBytes
    ) {
        description = EndpointDescription(
            method: method, path: path, access: access, tokens: tokens, limit: limit, success: success,
            takesBody: Request.self != Empty.self, answersBody: Response.self != Empty.self,
            maximumBodyBytes: maximumBodyBytes, request: Request.self, response: Response.self)
    }
}

/// An endpoint without its types: what routing, access and limits need.
public struct EndpointDescription: Sendable {
    public let method: Method
    /// The whole path; a segment that begins with a colon stands for any one segment.
    public let path: String
    public let access: Access
    /// What another program's token must be allowed to do for it; nil for an endpoint that is closed to all of them.
    public let tokens: TokenScope?
    public let limit: RateLimit
    /// The status of a first success.
    public let success: Int
    public let takesBody: Bool
    public let answersBody: Bool
    /// A larger body is answered 413.
    public let maximumBodyBytes: Int
    package let request: any (Codable & Sendable).Type
    package let response: any (Decodable & Sendable).Type

    /// What most endpoints take: 64 KiB.
    public static let usualBodyBytes = 65_536
}

public enum Method: String, Hashable, Sendable, CaseIterable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
}

/// Who may call an endpoint. The request path enforces it before the handler runs.
public enum Access: Hashable, Sendable {
    /// Anybody.
    case anyone
    /// Whoever knows the admin token. Or anybody whose body shows the token of a mailed link, which the handler looks at.
    case admin
    /// Any signed-in user.
    case user
    /// A member of the family that the first path parameter names; strangers get 403 whether or not it exists.
    case family(Requirement)
    /// A member of the family of the child that the first path parameter names; strangers get 404.
    case child(Requirement)

    public enum Requirement: Hashable, Sendable {
        /// Viewers too.
        case member
        /// Whoever may change something: everybody but viewers.
        case contributor
        /// Parents only; others get 403 with this message.
        case parent(otherwise: String)
    }
}

extension EndpointDescription {
    /// Whether another program may call it by a token of this scope.
    public func isOpen(toTokens scope: TokenScope) -> Bool {
        switch tokens {
        case nil: false
        case .read?: true
        case .log?: scope == .log
        }
    }

    /// What a member of this role is told with a 403; nil for one who may call the endpoint.
    ///
    /// A viewer hears the same on whatever changes something: why parents alone may do it says nothing to somebody who only looks.
    public func refusal(of role: Role) -> String? {
        switch access {
        case .anyone, .admin, .user, .family(.member), .child(.member): nil
        case .family(.contributor), .child(.contributor):
            role == .viewer ? Self.viewersOnlyLook : nil
        case .family(.parent(let otherwise)), .child(.parent(let otherwise)):
            switch role {
            case .parent: nil
            case .caregiver: otherwise
            case .viewer: method == .get ? otherwise : Self.viewersOnlyLook
            }
        }
    }

    package static let viewersOnlyLook = "Viewers can only look"
}

/// Which counter an endpoint's requests are counted in.
public enum RateLimit: Hashable, Sendable {
    case none
    /// 100 a minute and user, all such endpoints together; each token of another program has a counter of its own.
    case user
    /// 5 in any 60 s and client address, each bucket on its own.
    case address(Bucket)

    public enum Bucket: String, Hashable, Sendable, CaseIterable {
        case register
        case login
        case resetPassword = "reset-password"
        case forgotPassword = "forgot-password"
        case verifyEmail = "verify-email"
        case acceptInvite = "accept-invite"
        case previewInvite = "preview-invite"
    }
}

/// The body of an endpoint that takes or answers none.
public struct Empty: Codable, Hashable, Sendable {
    public init() {}
}

/// Every endpoint there is, by feature.
public enum Endpoints {
    package static let base = "/api/v1"

    public static let all: [EndpointDescription] = features.flatMap(\.endpoints)

    package static let features: [(name: String, endpoints: [EndpointDescription])] = [
        ("Health", health), ("Server", server), ("Authentication", authentication + recovery), ("Sessions", sessions),
        ("Users", users), ("Tokens", tokens), ("Devices", devices), ("Families", families), ("Members", members),
        ("Invites", invites),
        ("Children", children), ("Tracking", tracking), ("Plans", plans), ("Dashboard", dashboard), ("Sync", sync),
        ("Reminders", reminders), ("Notifications", notifications), ("Audit", audit), ("Webhooks", webhooks),
    ]

    /// Described, but without a handler yet: whoever writes one moves its endpoint to its feature's list.
    public static let awaited: [EndpointDescription] = []
}
