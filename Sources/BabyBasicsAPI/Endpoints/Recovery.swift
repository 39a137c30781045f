// What leads back into an account, and what an address is proven by.

extension Endpoints {
    public static let forgotPassword = Endpoint<EmailOfAccount, Accepted>(
        .post, "\(base)/auth/forgot-password", access: .anyone, limit: .address(.forgotPassword), success: 202)
    public static let verifyEmail = Endpoint<MailedLink, Empty>(
        .post, "\(base)/auth/verify-email", access: .anyone, limit: .address(.verifyEmail), success: 204)
    public static let sendVerification = Endpoint<Empty, Accepted>(
        .post, "\(base)/auth/send-verification", access: .user, success: 202)
    /// The other form of `resetPassword`, for clients: for whoever has the mailed link.
    public static let resetPasswordByLink = Endpoint<LinkedPasswordReset, Empty>(
        .post, "\(base)/auth/reset-password", access: .anyone, limit: .address(.resetPassword), success: 204)

    public static let getServer = Endpoint<Empty, AboutServer>(
        .get, "\(base)/server", access: .anyone, limit: .none)

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
public struct Accepted: Codable, Hashable, Sendable {
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

public struct AboutServer: Codable, Hashable, Sendable {
    public var server: Description

    public struct Description: Codable, Hashable, Sendable {
        public var name: String
        public var version: String
        public var registration: Registration
        /// Whether it sends mail.
        public var mail: Bool
        /// How people reach whoever runs it, in their words; nil where they have not said.
        public var support: String?
        /// By which browsers know who pushes; nil where nobody does.
        public var pushKey: String?
        /// Tags, the first of which is what whoever understands none of them gets.
        public var languages: [String]

        public enum Registration: String, Codable, Hashable, Sendable, CaseIterable {
            case open
            case invite

            /// A later server may take people in a way that nobody knows yet: whoever tries is told.
            public init(from decoder: any Decoder) throws {
                self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .open
            }
        }

        public init(
            name: String, version: String, registration: Registration, mail: Bool, support: String?, pushKey: String?,
            languages: [String]
        ) {
            self.name = name
            self.version = version
            self.registration = registration
            self.mail = mail
            self.support = support
            self.pushKey = pushKey
            self.languages = languages
        }
    }

    public init(server: Description) {
        self.server = server
    }
}
