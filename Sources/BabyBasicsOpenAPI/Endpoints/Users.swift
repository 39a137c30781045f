import BabyBasicsAPI

extension About {
    static let users = [
        About(Endpoints.getMe, "getMe", "The caller’s account"),
        About(
            Endpoints.updateMe, "updateMe", "Changes the caller’s name, time zone or beginning of the day",
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
            "Whether the user has shown that the email is theirs. Never where the server sends no mail."
    ]) { $1 }
}

extension UserChanges: Described {
    static let remarks: [String: Remark] = [
        "name": .name("Johnny").kept, "timezone": .timeZone.kept,
        "day_start_time": .timeOfDay.kept,
    ]
}

extension AccountDeletion: Described {
    static let remarks: [String: Remark] = [
        "password": .password.described("The account’s own, once more.")
    ]
}
