extension Endpoints {
    public static let createChild = Endpoint<NewChild, ChildAnswer>(
        .post, "\(base)/families/:familyId/children",
        access: .family(.parent(otherwise: "Only parents can add children")), success: 201)
    public static let listChildren = Endpoint<Empty, ChildList>(
        .get, "\(base)/children", access: .user)
    public static let getChild = Endpoint<Empty, ChildAnswer>(
        .get, "\(base)/children/:childId", access: .child(.member), tokens: .read)
    public static let replaceChild = Endpoint<NewChild, ChildAnswer>(
        .put, "\(base)/children/:childId", access: .child(.parent(otherwise: editingMessage)))
    public static let updateChild = Endpoint<ChildChanges, ChildAnswer>(
        .patch, "\(base)/children/:childId", access: .child(.parent(otherwise: editingMessage)))
    public static let deleteChild = Endpoint<Empty, Empty>(
        .delete, "\(base)/children/:childId",
        access: .child(.parent(otherwise: "Only parents can delete children")), success: 204)

    private static let editingMessage = "Only parents can edit children"

    static let children = [
        createChild.description, listChildren.description, getChild.description,
        replaceChild.description, updateChild.description, deleteChild.description,
    ]
}

public struct NewChild: Codable, Hashable, Sendable {
    /// Made by the client, so that sending again is safe.
    public var id: ChildID?
    /// 1 to 100 characters after trimming.
    public var name: String
    /// 1900-01-01 to a year from today: a due date counts.
    public var dateOfBirth: CalendarDate

    public init(id: ChildID? = nil, name: String, dateOfBirth: CalendarDate) {
        self.id = id
        self.name = name
        self.dateOfBirth = dateOfBirth
    }
}

public struct ChildChanges: Codable, Hashable, Sendable {
    public var name: String?
    public var dateOfBirth: CalendarDate?

    public init(name: String? = nil, dateOfBirth: CalendarDate? = nil) {
        self.name = name
        self.dateOfBirth = dateOfBirth
    }
}

public struct Child: Codable, Hashable, Sendable {
    public var id: ChildID
    public var familyId: FamilyID
    public var familyName: String
    public var name: String
    public var dateOfBirth: CalendarDate
    /// The caller's, in the child's family.
    public var role: Role
    public var revision: Int64
    public var createdAt: Timestamp
    public var updatedAt: Timestamp

    public init(
        id: ChildID, familyId: FamilyID, familyName: String, name: String,
        dateOfBirth: CalendarDate, role: Role, revision: Int64, createdAt: Timestamp,
        updatedAt: Timestamp
    ) {
        self.id = id
        self.familyId = familyId
        self.familyName = familyName
        self.name = name
        self.dateOfBirth = dateOfBirth
        self.role = role
        self.revision = revision
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}

public struct ChildAnswer: Codable, Hashable, Sendable {
    public var child: Child

    public init(child: Child) {
        self.child = child
    }
}

public struct ChildList: Codable, Hashable, Sendable {
    public var children: [Child]
    public var count: Int

    public init(children: [Child]) {
        self.children = children
        count = children.count
    }
}
