extension Endpoints {
    public static let listMembers = Endpoint<Empty, MemberList>(
        .get, "\(base)/families/:familyId/members", access: .family(.member))
    public static let removeMember = Endpoint<Empty, Empty>(
        .delete, "\(base)/families/:familyId/members/:userId",
        access: .family(.parent(otherwise: "Only parents can remove family members")),
        success: 204)

    public static let changeMember = Endpoint<MemberChanges, MemberAnswer>(
        .patch, "\(base)/families/:familyId/members/:userId",
        access: .family(.parent(otherwise: "Only parents can change family members")))
    /// The caller goes. Viewers may as well.
    public static let leaveFamily = Endpoint<Empty, Empty>(
        .post, "\(base)/families/:familyId/leave", access: .family(.member), success: 204)

    static let members = [
        listMembers.description, changeMember.description, removeMember.description,
        leaveFamily.description,
    ]
}

public struct Member: Codable, Hashable, Sendable {
    public var userId: UserID
    public var name: String
    public var email: String
    public var role: Role
    public var isOwner: Bool
    /// From when on the member is none any more; nil for never. Whoever shows members leaves out those whose time is over.
    public var accessUntil: Timestamp?
    public var revision: Int64
    public var joinedAt: Timestamp

    public init(
        userId: UserID, name: String, email: String, role: Role, isOwner: Bool,
        accessUntil: Timestamp? = nil, revision: Int64, joinedAt: Timestamp
    ) {
        self.userId = userId
        self.name = name
        self.email = email
        self.role = role
        self.isOwner = isOwner
        self.accessUntil = accessUntil
        self.revision = revision
        self.joinedAt = joinedAt
    }
}

public struct MemberAnswer: Codable, Hashable, Sendable {
    public var member: Member

    public init(member: Member) {
        self.member = member
    }
}

/// What changes of a member; what is nil stays.
public struct MemberChanges: Hashable, Sendable {
    public var role: Role?
    public var access: Access?

    /// How long a member stays one.
    public enum Access: Hashable, Sendable {
        case unlimited
        /// Caregivers and viewers alone: in the future, and at most 366 days ahead.
        case until(Timestamp)
    }

    public init(role: Role? = nil, access: Access? = nil) {
        self.role = role
        self.access = access
    }
}

extension MemberChanges: Codable {
    private enum CodingKeys: CodingKey { case role, accessUntil }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        role = try members.decodeIfPresent(Role.self, forKey: .role)
        guard members.contains(.accessUntil) else { return }
        let until = try members.decodeIfPresent(Timestamp.self, forKey: .accessUntil)
        access = until.map(Access.until) ?? .unlimited
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(role, forKey: .role)
        switch access {
        case nil: break
        case .unlimited: try members.encodeNil(forKey: .accessUntil)
        case .until(let time): try members.encode(time, forKey: .accessUntil)
        }
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
