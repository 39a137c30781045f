import BabyBasicsAPI

extension InviteToken: Described {
    static let remarks: [String: Remark] = [
        "token": Remark(
            "The 22 base64url characters of the link, or the UUID of the deep link. Anything else is no open invite’s.",
            example: "xK9mLp2qR5tN8vW3yBcd4A")
    ]
}

extension NamedPerson: Described {
    static let remarks: [String: Remark] = ["name": Remark("The person’s.", example: "Johnny")]
}

extension Joined.JoinedFamily: Described {
    static let remarks: [String: Remark] = Family.remarks.filter { $0.key == "name" }
}

extension InvitePreview: Described {
    static let remarks: [String: Remark] = [
        "access_until": "When the membership will end; null for never."
    ]
}

extension InvitePreview.NamedFamily: Described {
    static let remarks: [String: Remark] = Family.remarks.filter { $0.key == "name" }
}
