import BabyBasicsAPI

extension About {
    static let recovery = [
        About(
            Endpoints.forgotPassword, "forgotPassword", "Mails a link by which a new password can be chosen",
            "Whether the email has an account neither the answer nor its time tells. The link works once, for 60 minutes, until there is a newer one or another password or email. At most 3 an hour.",
            refuses: [.conflict: noMail]),
        About(
            Endpoints.verifyEmail, "verifyEmail", "Shows that an email is the account’s own",
            "With the token of the mailed link.",
            refuses: [.notFound: deadLink, .conflict: noMail]),
        About(
            Endpoints.sendVerification, "sendVerification",
            "Mails the caller a link that shows that the email is theirs",
            "It works once, for 24 hours. One is sent at registration and change of email. At most 3 an hour: 429.",
            refuses: [.conflict: "\(noMail) Or the email is the caller’s already."]),
        About(Endpoints.getServer, "getServer", "What this server is, and whom it takes"),
    ]

    private static let noMail = "This server sends no mail."
    private static let deadLink = "The link is unknown, used or too old."
}

/// Both forms of `resetPassword`: the administrator's, and that of whoever has the mailed link.
struct PasswordResetForms: Decodable, Sendable {}

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
        [
            "oneOf": [
                schemas.reference(to: PasswordReset.self, use), schemas.reference(to: LinkedPasswordReset.self, use),
            ]
        ]
    }
}

extension AboutServer.Description.Registration: SchemaDescribed {}

extension AboutServer.Description: Described {
    static let remarks: [String: Remark] = [
        "name": Remark("Of the service.", example: "Baby Basics"),
        "version": Remark("By semantic versioning.", example: "1.0.0"),
        "registration":
            "`open`, or `invite`: registering needs the token of an open invite. The first account of a server never does.",
        "mail": "Whether it sends mail: without, nobody gets back in by it.",
        "support": Remark(
            "How people reach whoever runs it, in their words; null where they have not said.",
            example: "Write to mum@example.com"),
        "push_key": Remark(
            "By which browsers know who pushes; null where nobody does.",
            example: "BPmR0kO5Yl1mWnT8cJt3xqWcQbq2S9Yv4dE7fG1hI0jK3lM6nO9pQ2rS5tU8vW1xY4zA7bC0dE3fG6hI9jK2lMn"),
        "languages": Remark(
            "Tags of what the server writes to people in, the first for whoever reads none of them.", example: ["en"],
            ["items": ["type": "string", "examples": ["en"]]]),
    ]
}
