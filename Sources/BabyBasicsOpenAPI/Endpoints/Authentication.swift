import BabyBasicsAPI

extension About {
    static let authentication = [
        About(Endpoints.getHealth, "getHealth", "Whether the server can do its work"),
        About(
            Endpoints.register, "register", "Makes an account and signs it in",
            "Gives a session token: send it as `Authorization: Bearer …`. It lives for 30 days after its last use and 180 days at most. \(inCookie)",
            refuses: [
                .conflict: "The email has an account already.",
                .forbidden:
                    "The server takes new people by invitation, and `invite` is no open invite for this email. Or: \(otherSite)",
            ]),
        About(
            Endpoints.logIn, "logIn", "Signs an account in",
            "Gives a session token: send it as `Authorization: Bearer …`. After too many wrong passwords from one place it answers 429 for a while. \(inCookie)",
            refuses: [
                .unauthorized: "The email or the password is wrong; which one is not said.",
                .forbidden: otherSite,
            ]),
        About(Endpoints.logOut, "logOut", "Ends the session that asks"),
        About(
            Endpoints.resetPassword, "resetPassword", "Gives an account another password",
            "With `email` for the administrator, on behalf of somebody who forgot it: sessions stay valid unless `revoke_sessions` ends them. With the `token` of a mailed link for whoever has it, without an admin token: 204, and all sessions end.",
            takes: PasswordResetForms.self, answersNothing: "With `token`: done.",
            refuses: [
                .notFound: "No account has this email. Or the link is unknown, used or too old.",
                .conflict: "With a `token` that opens nothing, where the server sends no mail.",
            ]),
        About(
            Endpoints.changePassword, "changePassword", "Changes the caller’s password",
            "Ends the caller’s other sessions.",
            refuses: [.forbidden: "The current password is wrong."]),
        About(
            Endpoints.changeEmail, "changeEmail", "Changes the email that the caller signs in with",
            "Open invites for the old one no longer fit. Sessions go on, unless `revoke_sessions` ends the others.",
            refuses: [
                .forbidden: "The current password is wrong.",
                .conflict: "Another account has the email.",
            ]),
    ]

    private static let otherSite =
        "“This request came from another site”, where it asks for a cookie and no page of this server sent it."

    private static let inCookie =
        "With `\"session\": \"cookie\"` the token goes into a cookie that scripts cannot read, and is null in the answer."
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
        "day_start_time": .timeOfDay.defaulting(to: "07:00"),
        "language": .language.described(
            "In which the server writes to the account. Where absent, what `Accept-Language` asks for, or else English."
        ),
        "session": sessionCarrier,
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
