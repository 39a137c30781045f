import BabyBasicsAPI

extension About {
    static let members = [
        About(Endpoints.listMembers, "listMembers", "Who belongs to a family"),
        About(
            Endpoints.removeMember, "removeMember", "Takes somebody out of a family",
            "When a parent goes, every open invite of the family ends. In a `co_parent` family only the owner may, and nobody removes the owner.",
            refuses: [
                .validationError: "It is the caller.", .notFound: "The family has no such member.",
            ]),
        About(
            Endpoints.changeMember, "changeMember", "Changes a member’s role, or until when the membership lasts",
            "In a `co_parent` family only the owner may, and every role but `parent` is refused. Whoever becomes a parent is one without an end. A parent who becomes something else ends every open invite of the family.",
            refuses: [
                .notFound: "The family has no such member.",
                .conflict:
                    "It is the last parent: make someone else a parent first. Or the owner: transfer the family first. Or a `co_parent` family has two parents already.",
            ]),
        About(
            Endpoints.leaveFamily, "leaveFamily", "Takes the caller out of a family",
            "When a parent goes, every open invite of the family ends. What the caller logged stays.",
            refuses: [
                .conflict:
                    "The caller is the only member: delete the family instead. Or the last parent: make someone else a parent first, or delete the family. Or the owner of a `co_parent` family: transfer it first."
            ]),
    ]
}

extension MemberChanges: Described {
    static let remarks: [String: Remark] = [
        "role": ("In a `co_parent` family `parent` alone." as Remark).kept,
        "access_until": Remark.accessUntil.described(
            "From then on the member is none any more; null takes the end away. Of caregivers and viewers alone; in the future, and at most 366 days ahead."
        ),
    ]
}

extension Member: Described {
    static let remarks: [String: Remark] = [
        "name": Remark("The person’s.", example: "Maria"),
        "email": Remark("In lower case.", example: "maria@example.com"),
        "is_owner": "Whether the family is this member’s.",
        "access_until": "From then on the member is none any more; null for never.",
        "revision": "The number that the membership’s last change has in the family.",
    ]
}

extension MemberList: Described {
    static let remarks: [String: Remark] = ["count": .count]
}
