// What whoever holds an invite sends, and is shown.

public struct InviteToken: Codable, Hashable, Sendable {
    /// 22 base64url characters, or the same 16 bytes written as a UUID.
    public var token: String

    public init(token: String) {
        self.token = token
    }
}

public struct NamedPerson: Codable, Hashable, Sendable {
    public var name: String

    public init(name: String) {
        self.name = name
    }
}

/// The answer to an accepted invite.
public struct Joined: Codable, Hashable, Sendable {
    public var family: JoinedFamily
    public var invitedBy: NamedPerson

    public struct JoinedFamily: Codable, Hashable, Sendable {
        public var id: FamilyID
        public var name: String
        public var role: Role

        public init(id: FamilyID, name: String, role: Role) {
            self.id = id
            self.name = name
            self.role = role
        }
    }

    public init(family: JoinedFamily, invitedBy: NamedPerson) {
        self.family = family
        self.invitedBy = invitedBy
    }
}

/// What a person is shown before joining: no email, no identifier.
public struct InvitePreview: Codable, Hashable, Sendable {
    public var family: NamedFamily
    public var invitedBy: NamedPerson
    public var role: Role
    /// When the membership will end; nil for never.
    public var accessUntil: Timestamp?
    public var expiresAt: Timestamp

    public struct NamedFamily: Codable, Hashable, Sendable {
        public var name: String

        public init(name: String) {
            self.name = name
        }
    }

    public init(
        family: NamedFamily, invitedBy: NamedPerson, role: Role, accessUntil: Timestamp? = nil,
        expiresAt: Timestamp
    ) {
        self.family = family
        self.invitedBy = invitedBy
        self.role = role
        self.accessUntil = accessUntil
        self.expiresAt = expiresAt
    }
}

public struct InvitePreviewAnswer: Codable, Hashable, Sendable {
    public var invite: InvitePreview

    public init(invite: InvitePreview) {
        self.invite = invite
    }
}
