public import BabyBasicsAPI

/// A family as this device knows it.
public struct StoredFamily: Hashable, Sendable, Identifiable {
    /// The family's id.
    public var id: FamilyID
    /// Its name.
    public var name: String
    /// How it shares.
    public var sharingPolicy: FamilyPolicy
    /// Its owner.
    public var ownerID: UserID?
    /// This account's role in it, a word of the contract.
    public var role: MemberRole
    /// When it was made: the oldest is the one to fall back on.
    public var createdAt: Timestamp
    /// Whether all of it was read once.
    public var isComplete: Bool

    /// A family as a value, for previews and tests of views.
    public init(
        id: FamilyID, name: String, sharingPolicy: FamilyPolicy = .standard,
        ownerID: UserID? = nil, role: MemberRole, createdAt: Timestamp, isComplete: Bool = true
    ) {
        self.id = id
        self.name = name
        self.sharingPolicy = sharingPolicy
        self.ownerID = ownerID
        self.role = role
        self.createdAt = createdAt
        self.isComplete = isComplete
    }
}

/// A member's role. Open: a role of a later server may change nothing.
public struct MemberRole: RawRepresentable, Codable, Hashable, Sendable {
    /// The word of the contract.
    public let rawValue: String

    /// A role by its word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Manages the family.
    public static let parent = MemberRole(rawValue: "parent")
    /// Logs and edits.
    public static let caregiver = MemberRole(rawValue: "caregiver")
    /// Looks on.
    public static let viewer = MemberRole(rawValue: "viewer")

    /// Whether entries can be logged, edited and deleted.
    public var canLog: Bool { self == .parent || self == .caregiver }
}

/// How a family shares. Open, so that a policy of a later server is kept as it is.
public struct FamilyPolicy: RawRepresentable, Codable, Hashable, Sendable {
    /// The word of the contract.
    public let rawValue: String

    /// A policy by its word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Parents invite parents, caregivers and viewers.
    public static let standard = FamilyPolicy(rawValue: "standard")
    /// Two parents, one of whom owns the family.
    public static let coParent = FamilyPolicy(rawValue: "co_parent")
}

/// A member of a family.
public struct StoredMember: Hashable, Sendable, Identifiable {
    /// The account.
    public var id: UserID
    /// The family it is about.
    public var familyID: FamilyID
    /// The person's name.
    public var name: String
    /// The account's email.
    public var email: String
    /// The person's role.
    public var role: MemberRole
    /// Whether the family is this member's.
    public var isOwner: Bool
    /// When the membership ends by itself; nil for never.
    public var accessUntil: Timestamp?
    /// Since when.
    public var joinedAt: Timestamp

    /// A member as a value, for previews and tests of views.
    public init(
        id: UserID, familyID: FamilyID, name: String, email: String, role: MemberRole,
        isOwner: Bool, accessUntil: Timestamp? = nil, joinedAt: Timestamp
    ) {
        self.id = id
        self.familyID = familyID
        self.name = name
        self.email = email
        self.role = role
        self.isOwner = isOwner
        self.accessUntil = accessUntil
        self.joinedAt = joinedAt
    }
}

/// A child as this device knows it.
public struct StoredChild: Hashable, Sendable, Identifiable {
    /// The child's id.
    public var id: ChildID
    /// The family it belongs to.
    public var familyID: FamilyID
    /// Its name.
    public var name: String
    /// Its date of birth, or the day it is due.
    public var dateOfBirth: CalendarDate

    /// A child as a value, for previews and tests of views.
    public init(id: ChildID, familyID: FamilyID, name: String, dateOfBirth: CalendarDate) {
        self.id = id
        self.familyID = familyID
        self.name = name
        self.dateOfBirth = dateOfBirth
    }
}

/// The account's own settings.
public struct Profile: Codable, Hashable, Sendable {
    /// The account.
    public var id: UserID
    /// Where it signs in.
    public var email: String
    /// The person's name.
    public var name: String
    /// An IANA name: where the person's days are.
    public var timezone: String
    /// `HH:MM`: when they begin.
    public var dayStartTime: String
    /// The tag of the language that the person is spoken to in; nil where that is not known yet.
    public var language: String?

    /// A profile as a value.
    public init(
        id: UserID, email: String, name: String, timezone: String, dayStartTime: String, language: String? = nil
    ) {
        self.id = id
        self.email = email
        self.name = name
        self.timezone = timezone
        self.dayStartTime = dayStartTime
        self.language = language
    }

    /// The first word of the name, as a person is greeted.
    public var firstName: String {
        name.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? name
    }
}
