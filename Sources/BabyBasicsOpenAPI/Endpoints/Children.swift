import BabyBasicsAPI

extension About {
    static let children = [
        About(
            Endpoints.createChild, "createChild", "Adds a child to a family", version: .answered, answersAgain: true,
            refuses: [.conflict: "The id belongs to something else."]),
        About(Endpoints.listChildren, "listChildren", "The children of all the caller’s families"),
        About(Endpoints.getChild, "getChild", "One child", version: .answered),
        About(
            Endpoints.replaceChild, "replaceChild", "Replaces all that can be changed of a child", staysInFamily,
            version: .checked),
        About(
            Endpoints.updateChild, "updateChild", "Changes what the body names of a child", staysInFamily,
            version: .checked),
        About(
            Endpoints.deleteChild, "deleteChild", "Deletes a child and all that was logged for it", version: .checked),
    ]

    private static let staysInFamily = "A child stays in its family: the `family_id` of another one is refused."
}

extension NewChild: Described {
    static let remarks: [String: Remark] = [
        "id": .clientID, "name": .name("Baby Bretz"), "date_of_birth": .dateOfBirth,
    ]
}

extension ChildChanges: Described {
    static let remarks: [String: Remark] = [
        "name": .name("Baby Bretz").kept, "date_of_birth": .dateOfBirth.kept,
    ]
}

extension Child: Described {
    static let remarks = SyncedChild.remarks.merging([
        "role": "The caller’s, in the child’s family."
    ]) {
        $1
    }
}

extension ChildList: Described {
    static let remarks: [String: Remark] = ["count": .count]
}
