extension Endpoints {
    public static let createFamily = Endpoint<NewFamily, FamilyAnswer>(
        .post, "\(base)/families", access: .user, success: 201)
    public static let listFamilies = Endpoint<Empty, FamilyList>(
        .get, "\(base)/families", access: .user)
    public static let getFamily = Endpoint<Empty, FamilyDetailsAnswer>(
        .get, "\(base)/families/:familyId", access: .family(.member), tokens: .read)
    public static let updateFamily = Endpoint<FamilyChanges, FamilyAnswer>(
        .patch, "\(base)/families/:familyId",
        access: .family(.parent(otherwise: "Only parents can update family settings")))
    public static let transferFamily = Endpoint<NewOwner, FamilyAnswer>(
        .post, "\(base)/families/:familyId/transfer",
        access: .family(.parent(otherwise: "Only the owner can transfer a family")))
    public static let deleteFamily = Endpoint<Empty, Empty>(
        .delete, "\(base)/families/:familyId",
        access: .family(.parent(otherwise: "Only parents can delete a family")), success: 204)

    static let families = [
        createFamily.description, listFamilies.description, getFamily.description,
        updateFamily.description, transferFamily.description, deleteFamily.description,
    ]
}

public enum Role: String, Codable, Hashable, Sendable, CaseIterable {
    case parent
    case caregiver
    /// Reads what a caregiver reads, and changes nothing.
    case viewer
}

/// How a family shares: who invites whom, how many, for how long.
public enum SharingPolicy: String, Codable, Hashable, Sendable, CaseIterable {
    case standard
    case coParent = "co_parent"
}

public struct NewFamily: Codable, Hashable, Sendable {
    /// Made by the client, so that sending again is safe.
    public var id: FamilyID?
    /// 1 to 100 characters after trimming.
    public var name: String
    public var sharingPolicy: SharingPolicy?

    public init(id: FamilyID? = nil, name: String, sharingPolicy: SharingPolicy? = nil) {
        self.id = id
        self.name = name
        self.sharingPolicy = sharingPolicy
    }
}

public struct FamilyChanges: Codable, Hashable, Sendable {
    public var name: String?

    public init(name: String? = nil) {
        self.name = name
    }
}

/// Who a family passes to.
public struct NewOwner: Codable, Hashable, Sendable {
    /// A parent of the family.
    public var userId: UserID

    public init(userId: UserID) {
        self.userId = userId
    }
}

public struct Family: Codable, Hashable, Sendable {
    public var id: FamilyID
    public var name: String
    public var sharingPolicy: SharingPolicy
    /// Nil only where an account was deleted by hand.
    public var ownerId: UserID?
    public var revision: Int64
    public var createdAt: Timestamp
    public var updatedAt: Timestamp

    public init(
        id: FamilyID, name: String, sharingPolicy: SharingPolicy, ownerId: UserID?,
        revision: Int64, createdAt: Timestamp, updatedAt: Timestamp
    ) {
        self.id = id
        self.name = name
        self.sharingPolicy = sharingPolicy
        self.ownerId = ownerId
        self.revision = revision
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}

public struct FamilyAnswer: Codable, Hashable, Sendable {
    public var family: Family

    public init(family: Family) {
        self.family = family
    }
}

/// A family in the list of one user's families.
public struct FamilySummary: Codable, Hashable, Sendable {
    public var id: FamilyID
    public var name: String
    public var sharingPolicy: SharingPolicy
    public var ownerId: UserID?
    /// The caller's.
    public var role: Role
    public var childrenCount: Int
    public var membersCount: Int
    public var revision: Int64
    public var createdAt: Timestamp
    public var updatedAt: Timestamp

    public init(
        id: FamilyID, name: String, sharingPolicy: SharingPolicy, ownerId: UserID?, role: Role,
        childrenCount: Int, membersCount: Int, revision: Int64, createdAt: Timestamp,
        updatedAt: Timestamp
    ) {
        self.id = id
        self.name = name
        self.sharingPolicy = sharingPolicy
        self.ownerId = ownerId
        self.role = role
        self.childrenCount = childrenCount
        self.membersCount = membersCount
        self.revision = revision
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}

public struct FamilyList: Codable, Hashable, Sendable {
    public var families: [FamilySummary]
    public var count: Int

    public init(families: [FamilySummary]) {
        self.families = families
        count = families.count
    }
}

/// A family with everyone in it.
public struct FamilyDetails: Codable, Hashable, Sendable {
    public var id: FamilyID
    public var name: String
    public var sharingPolicy: SharingPolicy
    public var ownerId: UserID?
    /// The caller's.
    public var role: Role
    public var members: [Member]
    public var children: [ChildSummary]
    public var revision: Int64
    public var createdAt: Timestamp
    public var updatedAt: Timestamp

    public init(family: Family, role: Role, members: [Member], children: [ChildSummary]) {
        id = family.id
        name = family.name
        sharingPolicy = family.sharingPolicy
        ownerId = family.ownerId
        self.role = role
        self.members = members
        self.children = children
        revision = family.revision
        createdAt = family.createdAt
        updatedAt = family.updatedAt
    }
}

public struct FamilyDetailsAnswer: Codable, Hashable, Sendable {
    public var family: FamilyDetails

    public init(family: FamilyDetails) {
        self.family = family
    }
}

/// A child as its family's page shows it.
public struct ChildSummary: Codable, Hashable, Sendable {
    public var id: ChildID
    public var name: String
    public var dateOfBirth: CalendarDate

    public init(id: ChildID, name: String, dateOfBirth: CalendarDate) {
        self.id = id
        self.name = name
        self.dateOfBirth = dateOfBirth
    }
}
