extension Endpoints {
    public static let createInvite = Endpoint<NewInvite, InviteAnswer>(
        .post, "\(base)/families/:familyId/invites",
        access: .family(.parent(otherwise: "Only parents can invite family members")),
        success: 201)
    public static let acceptInvite = Endpoint<InviteToken, Joined>(
        .post, "\(base)/invites/accept", access: .user, limit: .address(.acceptInvite),
        success: 201)
    public static let previewInvite = Endpoint<InviteToken, InvitePreviewAnswer>(
        .post, "\(base)/invites/preview", access: .anyone, limit: .address(.previewInvite))

    public static let listInvites = Endpoint<Empty, InviteList>(
        .get, "\(base)/families/:familyId/invites",
        access: .family(.parent(otherwise: "Only parents can see invites")))
    public static let revokeInvite = Endpoint<Empty, Empty>(
        .delete, "\(base)/families/:familyId/invites/:inviteId",
        access: .family(.parent(otherwise: "Only parents can revoke invites")), success: 204)

    static let invites = [
        createInvite.description, acceptInvite.description, previewInvite.description,
        listInvites.description, revokeInvite.description,
    ]
}

public struct NewInvite: Codable, Hashable, Sendable {
    public var role: Role
    /// Only the account with this email may accept.
    public var inviteeEmail: String?
    /// Tells invites apart for the parents: one line of at most 50 characters.
    public var label: String?
    /// When the membership ends; of caregivers and viewers alone.
    public var accessUntil: Timestamp?
    /// Whether the link is mailed to `inviteeEmail`.
    public var send: Bool?

    public init(
        role: Role, inviteeEmail: String? = nil, label: String? = nil, accessUntil: Timestamp? = nil, send: Bool? = nil
    ) {
        self.role = role
        self.inviteeEmail = inviteeEmail
        self.label = label
        self.accessUntil = accessUntil
        self.send = send
    }
}

public struct Invite: Codable, Hashable, Sendable {
    public var id: InviteID
    /// Holds the token.
    public var joinUrl: String
    /// The same token for the app's own scheme, where the family's policy has one.
    public var deepLink: String?
    public var role: Role
    public var inviteeEmail: String?
    public var label: String?
    /// When the membership will end; nil for never.
    public var accessUntil: Timestamp?
    public var expiresAt: Timestamp
    public var createdAt: Timestamp

    public init(
        id: InviteID, joinUrl: String, deepLink: String?, role: Role, inviteeEmail: String?,
        label: String? = nil, accessUntil: Timestamp? = nil, expiresAt: Timestamp,
        createdAt: Timestamp
    ) {
        self.id = id
        self.joinUrl = joinUrl
        self.deepLink = deepLink
        self.role = role
        self.inviteeEmail = inviteeEmail
        self.label = label
        self.accessUntil = accessUntil
        self.expiresAt = expiresAt
        self.createdAt = createdAt
    }
}

public struct InviteAnswer: Codable, Hashable, Sendable {
    public var invite: Invite

    public init(invite: Invite) {
        self.invite = invite
    }
}

/// An invite that can still be accepted, as parents see it later: without its token.
public struct OpenInvite: Codable, Hashable, Sendable {
    public var id: InviteID
    public var role: Role
    public var createdBy: Creator
    public var createdAt: Timestamp
    public var expiresAt: Timestamp
    public var inviteeEmail: String?
    public var label: String?
    /// When the membership will end; nil for never.
    public var accessUntil: Timestamp?

    public struct Creator: Codable, Hashable, Sendable {
        /// Nil for somebody whose account is gone.
        public var userId: UserID?
        public var name: String

        public init(userId: UserID?, name: String) {
            self.userId = userId
            self.name = name
        }
    }

    public init(
        id: InviteID, role: Role, createdBy: Creator, createdAt: Timestamp, expiresAt: Timestamp,
        inviteeEmail: String?, label: String? = nil, accessUntil: Timestamp? = nil
    ) {
        self.id = id
        self.role = role
        self.createdBy = createdBy
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.inviteeEmail = inviteeEmail
        self.label = label
        self.accessUntil = accessUntil
    }
}

public struct InviteList: Codable, Hashable, Sendable {
    public var invites: [OpenInvite]
    public var count: Int

    public init(invites: [OpenInvite]) {
        self.invites = invites
        count = invites.count
    }
}
