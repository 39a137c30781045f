import BabyBasicsAPI

extension About {
    static let tokens = [
        About(
            Endpoints.createToken, "createToken", "Makes a token for another program",
            "It acts for the caller in one of the caller’s families: by `read` it sees the family, its children, what was logged, dashboards and changes; by `log` it also logs, changes and deletes events. It ends with its date, the membership and the account. Its `secret` is shown this once. At most 20.",
            refuses: [
                .conflict: "The caller has 20 tokens already.",
                .validationError: "`family_id` is no family of the caller’s.",
            ]),
        About(Endpoints.listTokens, "listTokens", "The caller’s tokens, the newest first", "Without their secrets."),
        About(
            Endpoints.deleteToken, "deleteToken", "Ends one of the caller’s tokens",
            refuses: [.notFound: "The caller has no such token."]),
    ]
}

extension TokenScope: SchemaDescribed {}

extension NewProgramToken: Described {
    static let remarks: [String: Remark] = [
        "name": .name("Home Assistant"),
        "family_id": "One of the caller’s.",
        "expires_at": "In the future. Where it is absent the token does not end by itself.",
    ]
}

extension ProgramToken: Described {
    static let remarks: [String: Remark] = [
        "name": Remark("What tells it apart.", example: "Home Assistant"),
        "family_name": Remark("The family’s.", example: "Johnny’s Family"),
        "last_used_at": "To within a minute; null for never.",
        "expires_at": "Null for never.",
    ]
}

extension IssuedToken: Described {
    static let remarks = ProgramToken.remarks.merging([
        "secret": Remark(
            "For `Authorization: Bearer`. It is shown this once.",
            example: "bb_7vUuqzVd0nC3k2m4yX1sT9bQ8rZ6wL5fJ0hG2aEoPiM",
            ["pattern": "^bb_[A-Za-z0-9_\\-]{43}$"])
    ]) { $1 }
}

extension ProgramTokenList: Described {
    static let remarks: [String: Remark] = ["count": .count]
}
