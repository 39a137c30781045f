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
    /// When the user is not to be told anything; nil for never.
    public var quiet: QuietHours?
    /// Whether sentences on a locked phone name medicines and temperatures.
    public var showDetails: Bool
    /// In which the server writes to the user: a tag of its `languages`.
    public var language: String
    public var createdAt: Timestamp
    public var updatedAt: Timestamp

    public init(
        id: UserID, email: String, emailVerified: Bool = false, name: String, timezone: String,
        dayStartTime: String, quiet: QuietHours? = nil, showDetails: Bool = false, language: String = "en",
        createdAt: Timestamp, updatedAt: Timestamp
    ) {
        self.id = id
        self.email = email
        self.emailVerified = emailVerified
        self.name = name
        self.timezone = timezone
        self.dayStartTime = dayStartTime
        self.quiet = quiet
        self.showDetails = showDetails
        self.language = language
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

/// In the user's zone, from one time of day to another one, which may be of the next day.
public struct QuietHours: Codable, Hashable, Sendable {
    /// `HH:MM`.
    public var from: String
    /// `HH:MM`.
    public var to: String

    public init(from: String, to: String) {
        self.from = from
        self.to = to
    }
}

public struct UserChanges: Hashable, Sendable {
    public var name: String?
    public var timezone: String?
    public var dayStartTime: String?
    /// Nil leaves them as they are.
    public var quiet: Quiet?
    public var showDetails: Bool?
    /// A tag of the server's `languages`.
    public var language: String?

    public enum Quiet: Hashable, Sendable {
        case never
        case hours(QuietHours)
    }

    public init(
        name: String? = nil, timezone: String? = nil, dayStartTime: String? = nil, quiet: Quiet? = nil,
        showDetails: Bool? = nil, language: String? = nil
    ) {
        self.name = name
        self.timezone = timezone
        self.dayStartTime = dayStartTime
        self.quiet = quiet
        self.showDetails = showDetails
        self.language = language
    }
}

extension UserChanges: Codable {
    private enum CodingKeys: CodingKey { case name, timezone, dayStartTime, quiet, showDetails, language }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        name = try members.decodeIfPresent(String.self, forKey: .name)
        timezone = try members.decodeIfPresent(String.self, forKey: .timezone)
        dayStartTime = try members.decodeIfPresent(String.self, forKey: .dayStartTime)
        showDetails = try members.decodeIfPresent(Bool.self, forKey: .showDetails)
        language = try members.decodeIfPresent(String.self, forKey: .language)
        let hours = try members.decodeIfPresent(QuietHours.self, forKey: .quiet)
        if members.contains(.quiet) { quiet = hours.map(Quiet.hours) ?? .never }
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(name, forKey: .name)
        try members.encodeIfPresent(timezone, forKey: .timezone)
        try members.encodeIfPresent(dayStartTime, forKey: .dayStartTime)
        try members.encodeIfPresent(showDetails, forKey: .showDetails)
        try members.encodeIfPresent(language, forKey: .language)
        switch quiet {
        case nil: break
        case .never: try members.encodeNil(forKey: .quiet)
        case .hours(let hours): try members.encode(hours, forKey: .quiet)
        }
    }
}

public struct AccountDeletion: Codable, Hashable, Sendable {
    /// The account's own, once more.
    public var password: String

    public init(password: String) {
        self.password = password
    }
}
