import BabyBasicsAPI
import Foundation

// What the server tells, read so that words and fields of a later server are kept as they are: one that this version
// does not know must not make a whole page unreadable.

/// A change of a family's feed.
struct FeedChange: Sendable {
    var revision: Int64
    var entity: Change.Entity
    var id: UUID
    var content: Content

    enum Content: Sendable {
        case family(ServerFamily)
        case member(ServerMember)
        case child(ServerChild)
        case event(ServerEvent)
        case deletion
        /// A thing of a kind that this version does not know.
        case unknown
    }

    /// Whether the thing is there after this change.
    var isPresent: Bool { if case .deletion = content { false } else { true } }
}

extension FeedChange: Codable {
    private enum CodingKeys: CodingKey { case revision, entity, id, op, data }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        revision = try members.decode(Int64.self, forKey: .revision)
        entity = try members.decode(Change.Entity.self, forKey: .entity)
        id = try members.decode(UUID.self, forKey: .id)
        let operation = try members.decode(String.self, forKey: .op)
        switch entity {
        case _ where operation == Change.Operation.delete.rawValue: content = .deletion
        case .family: content = .family(try members.decode(ServerFamily.self, forKey: .data))
        case .familyMember: content = .member(try members.decode(ServerMember.self, forKey: .data))
        case .child: content = .child(try members.decode(ServerChild.self, forKey: .data))
        default:
            guard PlanKind.isEntry(entity.rawValue) else {
                content = .unknown
                return
            }
            var event = try members.decode(ServerEvent.self, forKey: .data)
            event.kind = entity.rawValue
            content = .event(event)
        }
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(revision, forKey: .revision)
        try members.encode(entity.rawValue, forKey: .entity)
        try members.encode(id, forKey: .id)
        let operation = isPresent ? Change.Operation.upsert : .delete
        try members.encode(operation.rawValue, forKey: .op)
        switch content {
        case .family(let family): try members.encode(family, forKey: .data)
        case .member(let member): try members.encode(member, forKey: .data)
        case .child(let child): try members.encode(child, forKey: .data)
        case .event(let event): try members.encode(event, forKey: .data)
        case .deletion, .unknown: try members.encodeNil(forKey: .data)
        }
    }
}

/// A family, in the feed and in the list of the account's families, which tells the account's role besides.
struct ServerFamily: Codable, Sendable {
    var id: FamilyID
    var name: String
    var policy: FamilyPolicy
    var ownerID: UserID?
    var role: MemberRole?
    var revision: Int64
    var createdAt: Timestamp
    var updatedAt: Timestamp

    private enum CodingKeys: String, CodingKey {
        case id, name, role, revision
        case policy = "sharing_policy"
        case ownerID = "owner_id"
        case createdAt = "created_at"
        case updatedAt = "updated_at"
    }
}

struct ServerMember: Codable, Sendable {
    var id: UserID
    var name: String
    var email: String
    var role: MemberRole
    var isOwner: Bool
    var accessUntil: Timestamp?
    var joinedAt: Timestamp
    var revision: Int64

    private enum CodingKeys: String, CodingKey {
        case name, email, role, revision
        case id = "user_id"
        case isOwner = "is_owner"
        case accessUntil = "access_until"
        case joinedAt = "joined_at"
    }
}

struct ServerChild: Codable, Sendable {
    var id: ChildID
    var familyID: FamilyID
    var name: String
    var dateOfBirth: CalendarDate
    var createdAt: Timestamp
    var revision: Int64

    private enum CodingKeys: String, CodingKey {
        case id, name, revision
        case familyID = "family_id"
        case dateOfBirth = "date_of_birth"
        case createdAt = "created_at"
    }
}
