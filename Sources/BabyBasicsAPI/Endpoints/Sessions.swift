extension Endpoints {
    public static let listSessions = Endpoint<Empty, SessionList>(
        .get, "\(base)/auth/sessions", access: .user)
    public static let endSession = Endpoint<Empty, Empty>(
        .delete, "\(base)/auth/sessions/:sessionId", access: .user, success: 204)

    static let sessions = [listSessions.description, endSession.description]
}

/// One of the caller's own sessions.
public struct OpenSession: Codable, Hashable, Sendable {
    public var id: Identifier<SignedIn.Session>
    public var createdAt: Timestamp
    /// To within a minute.
    public var lastUsedAt: Timestamp
    public var expiresAt: Timestamp
    /// What the client called itself when it signed in.
    public var userAgent: String?
    /// Whether it is the session that asks.
    public var current: Bool

    public init(
        id: Identifier<SignedIn.Session>, createdAt: Timestamp, lastUsedAt: Timestamp,
        expiresAt: Timestamp, userAgent: String?, current: Bool
    ) {
        self.id = id
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
        self.expiresAt = expiresAt
        self.userAgent = userAgent
        self.current = current
    }
}

public struct SessionList: Codable, Hashable, Sendable {
    public var sessions: [OpenSession]
    public var count: Int

    public init(sessions: [OpenSession]) {
        self.sessions = sessions
        count = sessions.count
    }
}
