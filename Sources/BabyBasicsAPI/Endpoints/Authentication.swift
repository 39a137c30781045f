extension Endpoints {
    public static let getHealth = Endpoint<Empty, Health>(
        .get, "/health", access: .anyone, limit: .none)

    public static let register = Endpoint<Registration, SignedIn>(
        .post, "\(base)/auth/register", access: .anyone, limit: .address(.register), success: 201)
    public static let logIn = Endpoint<Credentials, SignedIn>(
        .post, "\(base)/auth/login", access: .anyone, limit: .address(.login))
    public static let logOut = Endpoint<Empty, Empty>(
        .post, "\(base)/auth/logout", access: .user, success: 204)
    public static let resetPassword = Endpoint<PasswordReset, Done>(
        .post, "\(base)/auth/reset-password", access: .admin, limit: .address(.resetPassword))

    /// Ends the caller's other sessions too.
    public static let changePassword = Endpoint<PasswordChange, Empty>(
        .post, "\(base)/auth/change-password", access: .user, success: 204)

    /// Invites to either email that are bound to it: those to the old one no longer fit.
    public static let changeEmail = Endpoint<EmailChange, UserAnswer>(
        .post, "\(base)/auth/change-email", access: .user)

    static let health = [getHealth.description]
    static let authentication = [
        register.description, logIn.description, logOut.description, resetPassword.description,
        changePassword.description, changeEmail.description,
    ]
}

public struct Health: Codable, Hashable, Sendable {
    /// `ok`, or `unavailable` while the database is away.
    public var status: String
    public var service: String
    public var version: String

    public init(status: String, service: String, version: String) {
        self.status = status
        self.service = service
        self.version = version
    }
}

public struct Registration: Codable, Hashable, Sendable {
    /// 1 to 100 characters after trimming.
    public var name: String
    public var email: String
    /// At least 8 characters, and none of the most common passwords.
    public var password: String
    /// An IANA name; America/New_York where absent.
    public var timezone: String?
    /// `HH:MM`; 07:00 where absent.
    public var dayStartTime: String?
    /// A tag of the server's `languages`; by `Accept-Language` where absent.
    public var language: String?
    /// Where the token goes; into the answer where absent.
    public var session: SessionCarrier?
    /// The token of an open invite, which is not used up. Needed where the server takes new people by invitation.
    public var invite: String?

    public init(
        name: String, email: String, password: String, timezone: String? = nil,
        dayStartTime: String? = nil, language: String? = nil, session: SessionCarrier? = nil,
        invite: String? = nil
    ) {
        self.name = name
        self.email = email
        self.password = password
        self.timezone = timezone
        self.dayStartTime = dayStartTime
        self.language = language
        self.session = session
        self.invite = invite
    }
}

public struct Credentials: Codable, Hashable, Sendable {
    public var email: String
    public var password: String
    /// Where the token goes; into the answer where absent.
    public var session: SessionCarrier?

    public init(email: String, password: String, session: SessionCarrier? = nil) {
        self.email = email
        self.password = password
        self.session = session
    }
}

/// Where a session's token goes, other than into the answer.
public enum SessionCarrier: String, Codable, Hashable, Sendable, CaseIterable {
    /// A cookie that scripts cannot read.
    case cookie
}

public struct PasswordReset: Codable, Hashable, Sendable {
    public var email: String
    /// At least 8 characters, and none of the most common passwords.
    public var newPassword: String
    /// Ends every session of the account; they go on where absent.
    public var revokeSessions: Bool?

    public init(email: String, newPassword: String, revokeSessions: Bool? = nil) {
        self.email = email
        self.newPassword = newPassword
        self.revokeSessions = revokeSessions
    }
}

public struct PasswordChange: Codable, Hashable, Sendable {
    public var currentPassword: String
    /// At least 8 characters, and none of the most common passwords.
    public var newPassword: String

    public init(currentPassword: String, newPassword: String) {
        self.currentPassword = currentPassword
        self.newPassword = newPassword
    }
}

public struct EmailChange: Codable, Hashable, Sendable {
    public var currentPassword: String
    public var newEmail: String
    /// Ends the caller's other sessions; they go on where absent.
    public var revokeSessions: Bool?

    public init(currentPassword: String, newEmail: String, revokeSessions: Bool? = nil) {
        self.currentPassword = currentPassword
        self.newEmail = newEmail
        self.revokeSessions = revokeSessions
    }
}

public struct Done: Codable, Hashable, Sendable {
    public var success: Bool

    public init(success: Bool = true) {
        self.success = success
    }
}

/// The answer to a registration or a login.
public struct SignedIn: Codable, Hashable, Sendable {
    public var session: Session
    public var user: Account

    public struct Session: Codable, Hashable, Sendable {
        /// 64 hexadecimal digits, shown this once; nil where a cookie carries it.
        public var token: String?
        public var expiresAt: Timestamp

        public init(token: String?, expiresAt: Timestamp) {
            self.token = token
            self.expiresAt = expiresAt
        }
    }

    public struct Account: Codable, Hashable, Sendable {
        public var id: UserID
        public var email: String
        public var name: String
        public var timezone: String
        public var dayStartTime: String

        public init(id: UserID, email: String, name: String, timezone: String, dayStartTime: String) {
            self.id = id
            self.email = email
            self.name = name
            self.timezone = timezone
            self.dayStartTime = dayStartTime
        }
    }

    public init(session: Session, user: Account) {
        self.session = session
        self.user = user
    }
}
