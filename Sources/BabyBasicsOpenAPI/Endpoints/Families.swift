import BabyBasicsAPI

extension About {
    static let families = [
        About(
            Endpoints.createFamily, "createFamily", "Makes a family", "The caller is its owner and first parent.",
            version: .answered, answersAgain: true,
            refuses: [.conflict: "The id belongs to something else."]),
        About(Endpoints.listFamilies, "listFamilies", "The caller’s families, oldest first"),
        About(Endpoints.getFamily, "getFamily", "A family with its members and children", version: .answered),
        About(Endpoints.updateFamily, "updateFamily", "Renames a family", version: .checked),
        About(
            Endpoints.transferFamily, "transferFamily", "Makes another parent the owner of a family",
            "For its owner alone. Nobody’s role changes.", version: .checked,
            refuses: [
                .forbidden: "The caller is not the owner.",
                .notFound: "The family has no such member.",
                .conflict: "The member is no parent: only a parent can own a family.",
            ]),
        About(
            Endpoints.deleteFamily, "deleteFamily", "Deletes a family and everything in it",
            "In a `co_parent` family only the owner may.", version: .checked),
    ]
}

extension NewFamily: Described {
    static let remarks: [String: Remark] = [
        "id": .clientID, "name": .name("Johnny’s Family"),
        "sharing_policy": policy.defaulting(to: "standard"),
    ]

    static let policy: Remark =
        "`standard`: any parent invites and removes. `co_parent`: two parents at most, and the owner alone invites and removes."
}

extension FamilyChanges: Described {
    static let remarks: [String: Remark] = ["name": .name("The Smiths").kept]
}

extension NewOwner: Described {
    static let remarks: [String: Remark] = ["user_id": "A parent of the family."]
}

extension Family: Described {
    static let remarks: [String: Remark] = [
        "name": Remark("The family’s.", example: "Johnny’s Family"),
        "sharing_policy": NewFamily.policy,
        "owner_id": "Who made it, or whom it passed to.",
        "revision": .revision,
    ]
}

extension FamilySummary: Described {
    static let remarks = Family.remarks.merging(["role": "The caller’s."]) { $1 }
}

extension FamilyList: Described {
    static let remarks: [String: Remark] = ["count": .count]
}

extension FamilyDetails: Described {
    static let remarks = FamilySummary.remarks
}

extension ChildSummary: Described {
    static let remarks: [String: Remark] = ["name": Remark("The child’s.", example: "Baby Bretz")]
}
