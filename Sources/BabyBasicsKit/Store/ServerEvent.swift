import BabyBasicsAPI
import Foundation

/// An event as the server has it, of any kind, with `child_id` among its fields: a move is a change like any other.
struct ServerEvent: Hashable, Codable, Sendable {
    var id: UUID
    var kind: String
    var fields: Fields
    var authorID: UserID?
    var authorName: String
    var createdAt: Timestamp
    var updatedAt: Timestamp
    var revision: Int64

    init(_ event: any AnyEventValue) throws {
        guard let detailed = event as? any Detailed else { throw UnreadableColumn(name: "event") }
        id = event.anyID.uuid
        kind = type(of: event).kind.name
        fields = try Fields(detailed.anyDetails, notes: event.notes)
        fields["child_id"] = .text(event.childId.description)
        authorID = event.createdBy.userId
        authorName = event.createdBy.name
        createdAt = event.createdAt
        updatedAt = event.updatedAt
        revision = event.revision
    }
}

private protocol Detailed {
    var anyDetails: any EventDetails { get }
}

extension Event: Detailed {
    fileprivate var anyDetails: any EventDetails { details }
}

/// A change of the feed, as it is applied, and kept while a family is read anew.
enum FeedChange: Codable, Sendable {
    case family(FeedFamily)
    case member(FeedMember)
    case child(FeedChild)
    case event(ServerEvent)
    case deletion(entity: String, id: UUID, revision: Int64)

    struct FeedFamily: Codable, Sendable {
        var id: FamilyID
        var name: String
        var policy: SharingPolicy
        var owner: UserID?
        var revision: Int64
        var updatedAt: Timestamp
    }

    struct FeedMember: Codable, Sendable {
        var id: UserID
        var name: String
        var email: String
        var role: String
        var isOwner: Bool
        var accessUntil: Timestamp?
        var joinedAt: Timestamp
        var revision: Int64
    }

    struct FeedChild: Codable, Sendable {
        var id: ChildID
        var family: FamilyID
        var name: String
        var dateOfBirth: CalendarDate
        var createdAt: Timestamp
        var revision: Int64
    }

    /// Nil for a thing of a kind that this version does not know.
    init?(_ change: Change) throws {
        guard change.op == .upsert else {
            self = .deletion(
                entity: change.entity.rawValue, id: change.id, revision: change.revision)
            return
        }
        switch change.data {
        case nil: return nil
        case .event(let event): self = .event(try ServerEvent(event))
        case .family(let family):
            self = .family(
                FeedFamily(
                    id: family.id, name: family.name, policy: family.sharingPolicy,
                    owner: family.ownerId, revision: family.revision,
                    updatedAt: family.updatedAt))
        case .familyMember(let member): self = .member(FeedMember(member))
        case .child(let child):
            self = .child(
                FeedChild(
                    id: child.id, family: child.familyId, name: child.name,
                    dateOfBirth: child.dateOfBirth, createdAt: child.createdAt,
                    revision: child.revision))
        }
    }

    /// The id of what is here by this change; nil for what is gone.
    var presentID: String? {
        switch self {
        case .family(let family): family.id.description
        case .member(let member): member.id.description
        case .child(let child): child.id.description
        case .event(let event): event.id.text
        case .deletion: nil
        }
    }
}

extension FeedChange.FeedMember {
    init(_ member: Member) {
        self.init(
            id: member.userId, name: member.name, email: member.email,
            role: member.role.rawValue, isOwner: member.isOwner,
            accessUntil: member.accessUntil, joinedAt: member.joinedAt,
            revision: member.revision)
    }
}
