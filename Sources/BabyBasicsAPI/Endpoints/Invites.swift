extension Endpoints {
    public static let createInvite = Endpoint<NewInvite, InviteAnswer>(
        .post, "\(base)/families/:familyId/invites",
        access: .family(.parent(otherwise: "Only parents can invite family members")),
        success: 201,
        About(
            "createInvite", "Makes a link that lets one person join",
            "An open invite of the same role, email, label and `access_until` is answered again, with the same id and link. It lives for 7 days, in a `co_parent` family for 72 hours.",
            refuses: [
                .conflict:
                    "A `co_parent` family has two parents already, or a family too many open invites or members. With `send`: this server sends no mail."
            ]))
    public static let acceptInvite = Endpoint<InviteToken, Joined>(
        .post, "\(base)/invites/accept", access: .user, limit: .address(.acceptInvite),
        success: 201,
        About(
            "acceptInvite", "Joins a family with the token of an invite",
            "Accepted again by whoever used this link and is a member: 200 with the same body.",
            answersAgain: true,
            refuses: [
                .validationError: "The caller made the invite.",
                .notFound:
                    "No open invite has this token, or it is for another email, or for one that the caller has not confirmed, where the server sends mail.",
                .conflict:
                    "The caller is a member already, or a `co_parent` family has two parents. The link stays unused.",
            ]))
    public static let previewInvite = Endpoint<InviteToken, InvitePreviewAnswer>(
        .post, "\(base)/invites/preview", access: .anyone, limit: .address(.previewInvite),
        About(
            "previewInvite", "Shows who invites to which family", "Uses nothing up.",
            refuses: [.notFound: "No open invite has this token."]))

    public static let listInvites = Endpoint<Empty, InviteList>(
        .get, "\(base)/families/:familyId/invites",
        access: .family(.parent(otherwise: "Only parents can see invites")),
        About(
            "listInvites", "The open invites of a family, oldest first",
            "Without their tokens, which were shown once."))
    public static let revokeInvite = Endpoint<Empty, Empty>(
        .delete, "\(base)/families/:familyId/invites/:inviteId",
        access: .family(.parent(otherwise: "Only parents can revoke invites")), success: 204,
        About(
            "revokeInvite", "Ends an open invite",
            refuses: [.notFound: "The family has no such open invite."]))

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

public struct Invite: Decodable, Hashable, Sendable {
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

public struct InviteAnswer: Decodable, Hashable, Sendable {
    public var invite: Invite

    public init(invite: Invite) {
        self.invite = invite
    }
}

/// An invite that can still be accepted, as parents see it later: without its token.
public struct OpenInvite: Decodable, Hashable, Sendable {
    public var id: InviteID
    public var role: Role
    public var createdBy: Creator
    public var createdAt: Timestamp
    public var expiresAt: Timestamp
    public var inviteeEmail: String?
    public var label: String?
    /// When the membership will end; nil for never.
    public var accessUntil: Timestamp?

    public struct Creator: Decodable, Hashable, Sendable {
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

public struct InviteList: Decodable, Hashable, Sendable {
    public var invites: [OpenInvite]
    public var count: Int

    public init(invites: [OpenInvite]) {
        self.invites = invites
        count = invites.count
    }
}

extension NewInvite: Described {
    static let remarks: [String: Remark] = [
        "role": "In a `co_parent` family `parent` alone.",
        "invitee_email": .email.described("Only the account with this email may accept."),
        "label": Remark(
            "Tells invites apart for the parents; whoever is invited never sees it. At most 50 characters after trimming; an empty one is none.",
            example: "Grandma Ruth", ["pattern": .string(Pattern.label(max: 50))]),
        "access_until": .accessUntil,
        "send": Remark(
            schema: [
                "description":
                    "Mails the invitee a link of its own, which also confirms the email. Needs `invitee_email` and a server that sends mail. At most 3 an hour to one address, 20 of one person.",
                "default": false,
            ]),
    ]
}

extension Invite: Described {
    static let remarks: [String: Remark] = [
        "join_url": Remark(
            "Holds the token.", example: "https://babybasics.example/join/xK9mLp2qR5tN8vW3yBcd4A"),
        "deep_link": Remark(
            "The same token for the app’s own scheme, in a `co_parent` family alone.",
            example: "babybasics://invite/c4af662e-9dae-479b-4df2-f5b7c8171de0"
        ).orAbsent,
        "invitee_email": Remark(
            "Who alone may accept; null for anybody.", example: "maria@example.com"),
        "label": Remark("For the parents alone.", example: "Grandma Ruth"),
        "access_until": "When the membership will end; null for never.",
    ]
}

extension OpenInvite: Described {
    static let remarks = Invite.remarks.filter {
        ["invitee_email", "label", "access_until"].contains($0.key)
    }
}

extension OpenInvite.Creator: Described {
    static let remarks: [String: Remark] = Author.remarks
}

extension InviteList: Described {
    static let remarks: [String: Remark] = ["count": .count]
}
