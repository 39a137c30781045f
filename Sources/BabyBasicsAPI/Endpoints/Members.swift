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

    public static let changeMember = Endpoint<MemberChanges, MemberAnswer>(
        .patch, "\(base)/families/:familyId/members/:userId",
        access: .family(.parent(otherwise: "Only parents can change family members")),
        About(
            "changeMember", "Changes a member’s role, or until when the membership lasts",
            "In a `co_parent` family only the owner may, and every role but `parent` is refused. Whoever becomes a parent is one without an end. A parent who becomes something else ends every open invite of the family.",
            refuses: [
                .notFound: "The family has no such member.",
                .conflict:
                    "It is the last parent: make someone else a parent first. Or the owner: transfer the family first. Or a `co_parent` family has two parents already.",
            ]))
    /// The caller goes. Viewers may as well.
    public static let leaveFamily = Endpoint<Empty, Empty>(
        .post, "\(base)/families/:familyId/leave", access: .family(.member), success: 204,
        About(
            "leaveFamily", "Takes the caller out of a family",
            "When a parent goes, every open invite of the family ends. What the caller logged stays.",
            refuses: [
                .conflict:
                    "The caller is the only member: delete the family instead. Or the last parent: make someone else a parent first, or delete the family. Or the owner of a `co_parent` family: transfer it first."
            ]))

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
