import BabyBasicsAPI

extension About {
    static let sessions = [
        About(Endpoints.listSessions, "listSessions", "The caller’s open sessions"),
        About(
            Endpoints.endSession, "endSession", "Ends one of the caller’s sessions",
            refuses: [.notFound: "The caller has no such session."]),
    ]
}

extension OpenSession: Described {
    static let remarks: [String: Remark] = [
        "last_used_at": "To within a minute.",
        "user_agent": Remark(
            "What the client called itself when it signed in.", example: "BabyBasics/1.0 iOS/18.0"),
        "current": "Whether it is the session that asks.",
    ]
}

extension SessionList: Described {
    static let remarks: [String: Remark] = ["count": .count]
}
