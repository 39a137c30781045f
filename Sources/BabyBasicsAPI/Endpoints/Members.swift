extension Endpoints {
    public static let listMembers = Endpoint<Empty, MemberList>(
        .get, "\(base)/families/:familyId/members", access: .family(.member),
        About("listMembers", "Who belongs to a family"))
    public static let removeMember = Endpoint<Empty, Empty>(
        .delete, "\(base)/families/:familyId/members/:userId",
        access: .family(.parent(otherwise: "Only parents can remove family members")),
        success: 204,
        About(
            "removeMember", "Takes somebody out of a family",
            "When a parent goes, every open invite of the family ends. In a `co_parent` family only the owner may, and nobody removes the owner.",
            refuses: [
                .validationError: "It is the caller.", .notFound: "The family has no such member.",
            ]))

    static let members = [listMembers.description, removeMember.description]
}

public struct Member: Codable, Hashable, Sendable {
    public var userId: UserID
    public var name: String
    public var email: String
    public var role: Role
    public var isOwner: Bool
    public var revision: Int64
    public var joinedAt: Timestamp

    public init(
        userId: UserID, name: String, email: String, role: Role, isOwner: Bool, revision: Int64,
        joinedAt: Timestamp
    ) {
        self.userId = userId
        self.name = name
        self.email = email
        self.role = role
        self.isOwner = isOwner
        self.revision = revision
        self.joinedAt = joinedAt
    }
}

public struct MemberList: Codable, Hashable, Sendable {
    public var members: [Member]
    public var count: Int

    public init(members: [Member]) {
        self.members = members
        count = members.count
    }
}

extension Member: Described {
    static let remarks: [String: Remark] = [
        "name": Remark("The person’s.", example: "Maria"),
        "email": Remark("In lower case.", example: "maria@example.com"),
        "is_owner": "Whether the family is this member’s.",
        "revision": "The number that the membership’s last change has in the family.",
    ]
}

extension MemberList: Described {
    static let remarks: [String: Remark] = ["count": .count]
}
