import BabyBasicsAPI

extension About {
    static let audit = [
        About(
            Endpoints.listAuditEntries, "listAuditEntries", "Who did what in a family, newest first",
            query: QueryParameter.page)
    ]
}

extension AuditEntry: Described {
    static let remarks: [String: Remark] = [
        "user": "Who did it; null for the administrator and for what the server did by itself.",
        "token": Remark(
            "The name of the other program’s token that it was done by; left out where a person did it.",
            example: "Home Assistant"
        ).orAbsent,
        "entity_type": Remark(
            "`family`, `family_member`, `share_link`, `child`, `plan`, `token`, `webhook` or a kind of event.",
            example: "family"),
        "entity_id": "Of a member it is the user’s.",
        "action": Remark(
            "What was done.", example: "update", ["enum": ["create", "update", "delete"]]),
        "changes": "Old and new values of what changed, by name.",
    ]
}

extension AuditList: Described {
    static let remarks: [String: Remark] = ["count": .count, "next_cursor": .nextCursor]
}
