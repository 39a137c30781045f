import BabyBasicsAPI

extension About {
    static let users = [
        About(Endpoints.getMe, "getMe", "The caller’s account"),
        About(
            Endpoints.updateMe, "updateMe",
            "Changes the caller’s name, time zone, beginning of the day, quiet hours, language, or what sentences show",
            "What is absent stays as it is."),
        About(
            Endpoints.deleteMe, "deleteMe", "Deletes the caller’s account",
            "Families without another member go with it. What the caller logged for others stays, under the name alone.",
            refuses: [
                .forbidden: "The password is wrong.",
                .conflict:
                    "The caller is the only parent of families that others belong to. They are in `details`: `field` is the family’s id, `message` its name.",
            ]),
    ]
}

extension User: Described {
    static let remarks: [String: Remark] = SignedIn.Account.remarks.merging([
        "email_verified":
            "Whether the user has shown that the email is theirs. Never where the server sends no mail.",
        "quiet": "When the user is not to be told anything; null for never.",
        "show_details": .showDetails,
        "language": Remark("In which the server writes to the user: a tag of its `languages`.", example: "en"),
    ]) { $1 }
}

extension UserChanges: Described {
    static let remarks: [String: Remark] = [
        "name": .name("Johnny").kept, "timezone": .timeZone.kept,
        "day_start_time": .timeOfDay.kept, "show_details": .showDetails.kept,
        "language": .language.kept,
        "quiet":
            "When the caller is not to be told anything: it comes at the end, if it still holds. Null takes them away.",
    ]
}

extension Remark {
    fileprivate static let showDetails: Remark = "Whether what a locked phone shows names medicines and temperatures."
}

extension QuietHours: Described {
    static let remarks: [String: Remark] = [
        "from": .quietTime("22:00"), "to": .quietTime("06:00").describedToo("Not the same as `from`."),
    ]
}

extension Remark {
    fileprivate static func quietTime(_ example: JSON) -> Remark {
        Remark(
            "`HH:MM` in the user’s time zone.", example: example, ["pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$"])
    }

    fileprivate func describedToo(_ more: String) -> Remark {
        described("`HH:MM` in the user’s time zone. \(more)")
    }
}

extension AccountDeletion: Described {
    static let remarks: [String: Remark] = [
        "password": .password.described("The account’s own, once more.")
    ]
}
