extension Endpoints {
    public static let listMembers = Endpoint<Empty, MemberList>(
        .get, "\(base)/families/:familyId/members", access: .family(.member))
    public static let removeMember = Endpoint<Empty, Empty>(
        .delete, "\(base)/families/:familyId/members/:userId",
        access: .family(.parent(otherwise: "Only parents can remove family members")),
        success: 204)

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
