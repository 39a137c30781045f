import BabyBasicsAPI

extension About {
    static let sync = [
        About(
            Endpoints.listChanges, "listChanges", "What has changed in a family since a revision",
            "Begin with `since=0` and go on with `next_since`: whoever applies every page in turn holds what the server holds. Each thing appears once, as it is now. A child’s delete takes its events with it; a member’s new name is a change of the member alone. With `wait` the answer comes as soon as there is something new, or empty when the time is over, when too many of the caller’s requests wait, or when the server restarts: ask again.",
            query: [.since, .limitOfChanges, .wait],
            refuses: [
                .resyncRequired:
                    "What changed since then is not all known any more: forget the family and begin with 0."
            ])
    ]
}

extension SyncedChild: Described {
    static let remarks: [String: Remark] = [
        "family_name": Remark("The family’s.", example: "Johnny’s Family"),
        "name": Remark("The child’s.", example: "Baby Bretz"),
        "date_of_birth": Remark("Or the due date.", example: "2026-03-15"),
        "revision": .revision,
    ]
}

extension ChangeList: Described {
    static let remarks: [String: Remark] = [
        "next_since": "What to ask with the next time, whether or not there is more now.",
        "has_more": "Whether it is worth to ask again at once.",
    ]
}
