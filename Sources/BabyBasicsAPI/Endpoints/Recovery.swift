// What leads back into an account, and what an address is proven by.

extension Endpoints {
    private static let noMail = "This server sends no mail."
    private static let deadLink = "The link is unknown, used or too old."

    public static let forgotPassword = Endpoint<EmailOfAccount, Accepted>(
        .post, "\(base)/auth/forgot-password", access: .anyone, limit: .address(.forgotPassword), success: 202,
        About(
            "forgotPassword", "Mails a link by which a new password can be chosen",
            "Whether the email has an account neither the answer nor its time tells. The link works once, for 60 minutes, until there is a newer one or another password or email. At most 3 an hour.",
            refuses: [.conflict: noMail]))
    public static let verifyEmail = Endpoint<MailedLink, Empty>(
        .post, "\(base)/auth/verify-email", access: .anyone, limit: .address(.verifyEmail), success: 204,
        About(
            "verifyEmail", "Shows that an email is the account’s own", "With the token of the mailed link.",
            refuses: [.notFound: deadLink, .conflict: noMail]))
    public static let sendVerification = Endpoint<Empty, Accepted>(
        .post, "\(base)/auth/send-verification", access: .user, success: 202,
        About(
            "sendVerification", "Mails the caller a link that shows that the email is theirs",
            "It works once, for 24 hours. One is sent at registration and change of email. At most 3 an hour: 429.",
            refuses: [.conflict: "\(noMail) Or the email is the caller’s already."]))
    /// The other form of `resetPassword`, for clients: for whoever has the mailed link.
    public static let resetPasswordByLink = Endpoint<LinkedPasswordReset, Empty>(
        .post, "\(base)/auth/reset-password", access: .anyone, limit: .address(.resetPassword), success: 204)

    public static let getServer = Endpoint<Empty, AboutServer>(
        .get, "\(base)/server", access: .anyone, limit: .none,
        About("getServer", "What this server is, and whom it takes"))

    static let recovery = [
        forgotPassword.description, verifyEmail.description, sendVerification.description,
    ]
    static let server = [getServer.description]
}

public struct EmailOfAccount: Codable, Hashable, Sendable {
    public var email: String

    public init(email: String) {
        self.email = email
    }
}

/// That it will be done.
public struct Accepted: Decodable, Hashable, Sendable {
    public init() {}
}

public struct MailedLink: Codable, Hashable, Sendable {
    /// 43 base64url characters.
    public var token: String

    public init(token: String) {
        self.token = token
    }
}

public struct LinkedPasswordReset: Codable, Hashable, Sendable {
    /// 43 base64url characters.
    public var token: String
    /// At least 8 characters, and none of the most common passwords.
    public var newPassword: String

    public init(token: String, newPassword: String) {
        self.token = token
        self.newPassword = newPassword
    }
}

/// Both forms of `resetPassword`: the administrator's, and that of whoever has the mailed link.
struct PasswordResetForms: Decodable, Sendable {}

public struct AboutServer: Decodable, Hashable, Sendable {
    public var server: Description

    public struct Description: Decodable, Hashable, Sendable {
        public var name: String
        public var version: String
        public var registration: Registration
        /// Whether it sends mail.
        public var mail: Bool
        /// By which browsers know who pushes; nil where nobody does.
        public var pushKey: String?
        /// Tags, the first of which is what whoever understands none of them gets.
        public var languages: [String]

        public enum Registration: String, Decodable, Hashable, Sendable, CaseIterable {
            case open
            case invite
        }

        public init(
            name: String, version: String, registration: Registration, mail: Bool, pushKey: String?,
            languages: [String]
        ) {
            self.name = name
            self.version = version
            self.registration = registration
            self.mail = mail
            self.pushKey = pushKey
            self.languages = languages
        }
    }

    public init(server: Description) {
        self.server = server
    }
}

extension EmailOfAccount: Described {
    static let remarks: [String: Remark] = ["email": .email]
}

private let mailedToken = Remark(
    "The 43 base64url characters of the mailed link. Anything else is no link’s.",
    example: "mT9kX2vQ7bL4nR8wY1cZ5dF3gH6jK0pS2uA4eI7oM9s")

extension MailedLink: Described {
    static let remarks: [String: Remark] = ["token": mailedToken]
}

extension LinkedPasswordReset: Described {
    static let remarks: [String: Remark] = ["token": mailedToken, "new_password": .newPassword]
}

extension PasswordResetForms: SchemaComposed {
    static func schema(_ use: SchemaUse, _ schemas: inout Schemas) -> JSON {
        ["oneOf": [schemas.reference(to: PasswordReset.self, use), schemas.reference(to: LinkedPasswordReset.self, use)]]
    }
}

extension AboutServer.Description.Registration: SchemaDescribed {}

extension AboutServer.Description: Described {
    static let remarks: [String: Remark] = [
        "name": Remark("Of the service.", example: "Baby Basics"),
        "version": Remark("By semantic versioning.", example: "1.0.0"),
        "registration": "`open`, or `invite`: registering needs the token of an open invite.",
        "mail": "Whether it sends mail: without, nobody gets back in by it.",
        "push_key": Remark(
            "By which browsers know who pushes; null where nobody does.",
            example: "BPmR0kO5Yl1mWnT8cJt3xqWcQbq2S9Yv4dE7fG1hI0jK3lM6nO9pQ2rS5tU8vW1xY4zA7bC0dE3fG6hI9jK2lMn"),
        "languages": Remark(
            "Tags of what the server writes to people in.", example: ["en"],
            ["items": ["type": "string", "examples": ["en"]]]),
    ]
}
