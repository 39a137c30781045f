extension Endpoints {
    public static let getHealth = Endpoint<Empty, Health>(
        .get, "/health", access: .anyone, limit: .none,
        About("getHealth", "Whether the server can do its work"))

    private static let otherSite =
        "“This request came from another site”, where it asks for a cookie and no page of this server sent it."

    public static let register = Endpoint<Registration, SignedIn>(
        .post, "\(base)/auth/register", access: .anyone, limit: .address(.register), success: 201,
        About(
            "register", "Makes an account and signs it in",
            "Gives a session token: send it as `Authorization: Bearer …`. It lives for 30 days after its last use and 180 days at most. \(inCookie)",
            refuses: [
                .conflict: "The email has an account already.",
                .forbidden: "The server takes new people by invitation, and `invite` is no open invite for this email. Or: \(otherSite)",
            ]))
    public static let logIn = Endpoint<Credentials, SignedIn>(
        .post, "\(base)/auth/login", access: .anyone, limit: .address(.login),
        About(
            "logIn", "Signs an account in",
            "Gives a session token: send it as `Authorization: Bearer …`. After too many wrong passwords from one place it answers 429 for a while. \(inCookie)",
            refuses: [
                .unauthorized: "The email or the password is wrong; which one is not said.",
                .forbidden: otherSite,
            ]))
    public static let logOut = Endpoint<Empty, Empty>(
        .post, "\(base)/auth/logout", access: .user, success: 204,
        About("logOut", "Ends the session that asks"))
    public static let resetPassword = Endpoint<PasswordReset, Done>(
        .post, "\(base)/auth/reset-password", access: .admin, limit: .address(.resetPassword),
        describedBy: PasswordResetForms.self,
        About(
            "resetPassword", "Gives an account another password",
            "With `email` for the administrator, on behalf of somebody who forgot it: sessions stay valid unless `revoke_sessions` ends them. With the `token` of a mailed link for whoever has it, without an admin token: 204, and all sessions end.",
            answersNothing: "With `token`: done.",
            refuses: [
                .notFound: "No account has this email. Or the link is unknown, used or too old.",
                .conflict: "With `token`: this server sends no mail.",
            ]))

    /// Ends the caller's other sessions too.
    public static let changePassword = Endpoint<PasswordChange, Empty>(
        .post, "\(base)/auth/change-password", access: .user, success: 204,
        About(
            "changePassword", "Changes the caller’s password", "Ends the caller’s other sessions.",
            refuses: [.forbidden: "The current password is wrong."]))

    /// Invites to either email that are bound to it: those to the old one no longer fit.
    public static let changeEmail = Endpoint<EmailChange, UserAnswer>(
        .post, "\(base)/auth/change-email", access: .user,
        About(
            "changeEmail", "Changes the email that the caller signs in with",
            "Open invites for the old one no longer fit. Sessions go on, unless `revoke_sessions` ends the others.",
            refuses: [
                .forbidden: "The current password is wrong.",
                .conflict: "Another account has the email.",
            ]))

    private static let inCookie =
        "With `\"session\": \"cookie\"` the token goes into a cookie that scripts cannot read, and is null in the answer."

    static let health = [getHealth.description]
    static let authentication = [
        register.description, logIn.description, logOut.description, resetPassword.description,
        changePassword.description, changeEmail.description,
    ]
}

public struct Health: Decodable, Hashable, Sendable {
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
    /// Where the token goes; into the answer where absent.
    public var session: SessionCarrier?
    /// The token of an open invite, which is not used up. Needed where the server takes new people by invitation.
    public var invite: String?

    public init(
        name: String, email: String, password: String, timezone: String? = nil,
        dayStartTime: String? = nil, session: SessionCarrier? = nil, invite: String? = nil
    ) {
        self.name = name
        self.email = email
        self.password = password
        self.timezone = timezone
        self.dayStartTime = dayStartTime
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

public struct Done: Decodable, Hashable, Sendable {
    public var success: Bool

    public init(success: Bool = true) {
        self.success = success
    }
}

/// The answer to a registration or a login.
public struct SignedIn: Decodable, Hashable, Sendable {
    public var session: Session
    public var user: Account

    public struct Session: Decodable, Hashable, Sendable {
        /// 64 hexadecimal digits, shown this once; nil where a cookie carries it.
        public var token: String?
        public var expiresAt: Timestamp

        public init(token: String?, expiresAt: Timestamp) {
            self.token = token
            self.expiresAt = expiresAt
        }
    }

    public struct Account: Decodable, Hashable, Sendable {
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

extension Health: Described {
    static let remarks: [String: Remark] = [
        "status": Remark(
            "`unavailable` while the database is away.", example: "ok",
            ["enum": ["ok", "unavailable"]]),
        "service": Remark("Always the same.", example: "baby-basics"),
        "version": Remark("Of the server, by semantic versioning.", example: "1.0.0"),
    ]
}

extension Registration: Described {
    static let remarks: [String: Remark] = [
        "name": .name("Johnny"), "email": .email, "password": .newPassword,
        "timezone": .timeZone.defaulting(to: "America/New_York"),
        "day_start_time": .timeOfDay.defaulting(to: "07:00"), "session": sessionCarrier,
        "invite": Remark(
            "The token of an open invite, in either form; it is not used up. Needed where the server takes new people by invitation. Of a mailed invite it confirms the email that the invite is for.",
            example: "xK9mLp2qR5tN8vW3yBcd4A"),
    ]
}

extension Credentials: Described {
    static let remarks: [String: Remark] = [
        "email": .anyEmail, "password": .password, "session": sessionCarrier,
    ]
}

extension PasswordReset: Described {
    static let remarks: [String: Remark] = [
        "email": .email, "new_password": .newPassword,
        "revoke_sessions": Remark(
            schema: ["description": "Ends every session of the account.", "default": false]),
    ]
}

extension PasswordChange: Described {
    static let remarks: [String: Remark] = [
        "current_password": .password, "new_password": .newPassword,
    ]
}

extension EmailChange: Described {
    static let remarks: [String: Remark] = [
        "current_password": .password, "new_email": .email,
        "revoke_sessions": Remark(
            schema: ["description": "Ends the caller’s other sessions.", "default": false]),
    ]
}

private let sessionCarrier: Remark =
    "`cookie` sends the token in a cookie that scripts cannot read, and not in the answer."

extension Done: Described {
    static let remarks: [String: Remark] = ["success": "Always true."]
}

extension SignedIn.Session: Described {
    static let remarks: [String: Remark] = [
        "token": Remark(
            "64 hexadecimal digits, shown this once; null where a cookie carries it.",
            example: .string(Self.exampleToken),
            ["pattern": "^[0-9a-f]{64}$"]),
        "expires_at": "Moves on with each use.",
    ]

    private static let exampleToken =
        "8f14e45fceea167a5a36dedd4bea2543b1f0a7c3d2e9645817263545f6c8b9a0"
}

extension SignedIn.Account: Described {
    static let remarks: [String: Remark] = [
        "email": Remark("In lower case.", example: "johnny@example.com"),
        "name": Remark("The person’s.", example: "Johnny"),
        "timezone": Remark("IANA name.", example: "America/New_York"),
        "day_start_time": .timeOfDay,
    ]
}
