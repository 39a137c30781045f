/// Something that was logged for a child: what every event has, and the details of its kind. On the wire both are one object.
@dynamicMemberLookup
public struct Event<Details: EventDetails>: Hashable, Sendable {
    public var id: Identifier<Event<Details>>
    public var childId: ChildID
    /// What the kind adds. `feeding.startedAt` reads `feeding.details.startedAt`.
    public var details: Details
    /// At most 2000 characters; nil rather than empty.
    public var notes: String?
    public var createdBy: Author
    /// Who changed it last; nil where nobody has.
    public var updatedBy: Author?
    public var createdAt: Timestamp
    public var updatedAt: Timestamp
    /// The number that its last change has in the family; also its entity tag.
    public var revision: Int64

    public init(
        id: Identifier<Event<Details>>, childId: ChildID, details: Details, notes: String?,
        createdBy: Author, updatedBy: Author? = nil, createdAt: Timestamp, updatedAt: Timestamp, revision: Int64
    ) {
        self.id = id
        self.childId = childId
        self.details = details
        self.notes = notes
        self.createdBy = createdBy
        self.updatedBy = updatedBy
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.revision = revision
    }

    public subscript<Value>(dynamicMember member: WritableKeyPath<Details, Value>) -> Value {
        get { details[keyPath: member] }
        set { details[keyPath: member] = newValue }
    }
}

/// Who logged an event. What a person logged outlives the account.
public struct Author: Codable, Hashable, Sendable {
    /// Nil once the account is gone.
    public var userId: UserID?
    /// Empty where nobody knows it any more.
    public var name: String

    public init(userId: UserID?, name: String) {
        self.userId = userId
        self.name = name
    }
}

extension Event: Decodable {
    private enum CodingKeys: CodingKey {
        case id, childId, notes, createdBy, updatedBy, createdAt, updatedAt, revision
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try members.decode(Identifier<Event<Details>>.self, forKey: .id),
            childId: try members.decode(ChildID.self, forKey: .childId),
            details: try Details(from: decoder),
            notes: try members.decodeIfPresent(String.self, forKey: .notes),
            createdBy: try members.decode(Author.self, forKey: .createdBy),
            updatedBy: try members.decodeIfPresent(Author.self, forKey: .updatedBy),
            createdAt: try members.decode(Timestamp.self, forKey: .createdAt),
            updatedAt: try members.decode(Timestamp.self, forKey: .updatedAt),
            revision: try members.decode(Int64.self, forKey: .revision))
    }
}
