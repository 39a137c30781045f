extension Endpoints {
    public static let getMe = Endpoint<Empty, UserAnswer>(
        .get, "\(base)/users/me", access: .user)
    public static let updateMe = Endpoint<UserChanges, UserAnswer>(
        .patch, "\(base)/users/me", access: .user)
    public static let deleteMe = Endpoint<AccountDeletion, Empty>(
        .delete, "\(base)/users/me", access: .user, success: 204)

    static let users = [getMe.description, updateMe.description, deleteMe.description]
}

public struct User: Codable, Hashable, Sendable {
    public var id: UserID
    public var email: String
    /// Whether the user has shown that the email is theirs. Never where the server sends no mail.
    public var emailVerified: Bool
    public var name: String
    /// IANA name.
    public var timezone: String
    /// `HH:MM`, when this user's day begins.
    public var dayStartTime: String
    public var createdAt: Timestamp
    public var updatedAt: Timestamp

    public init(
        id: UserID, email: String, emailVerified: Bool = false, name: String, timezone: String,
        dayStartTime: String, createdAt: Timestamp, updatedAt: Timestamp
    ) {
        self.id = id
        self.email = email
        self.emailVerified = emailVerified
        self.name = name
        self.timezone = timezone
        self.dayStartTime = dayStartTime
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}

public struct UserAnswer: Codable, Hashable, Sendable {
    public var user: User

    public init(user: User) {
        self.user = user
    }
}

public struct UserChanges: Codable, Hashable, Sendable {
    public var name: String?
    public var timezone: String?
    public var dayStartTime: String?

    public init(name: String? = nil, timezone: String? = nil, dayStartTime: String? = nil) {
        self.name = name
        self.timezone = timezone
        self.dayStartTime = dayStartTime
    }
}

public struct AccountDeletion: Codable, Hashable, Sendable {
    /// The account's own, once more.
    public var password: String

    public init(password: String) {
        self.password = password
    }
}
