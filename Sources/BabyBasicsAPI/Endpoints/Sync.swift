#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Endpoints {
    /// Takes `since` (0 unless given), `limit` and `wait` in the query. 410 RESYNC_REQUIRED asks the client to forget the family and start again from 0.
    public static let listChanges = Endpoint<Empty, ChangeList>(
        .get, "\(base)/families/:familyId/changes", access: .family(.member), tokens: .read)

    static let sync = [listChanges.description]
}

/// A page of what has changed in a family, each thing once, in the order of its last change.
///
/// Whoever applies every page in turn holds what the server holds. A child's delete takes its events with it. A member's new name is a change
/// of the member alone: give it to the author of what this member logged, too.
public struct ChangeList: Decodable, Hashable, Sendable {
    public var changes: [Change]
    /// What to ask with the next time, whether or not there is more now. It is not always the last change's revision.
    public var nextSince: Int64
    /// Whether it is worth to ask again at once.
    public var hasMore: Bool

    public init(changes: [Change], nextSince: Int64, hasMore: Bool) {
        self.changes = changes
        self.nextSince = nextSince
        self.hasMore = hasMore
    }
}

/// How one thing of a family stands after its last change.
public struct Change: Hashable, Sendable {
    /// Open, so that a client meets a new kind of event without failing.
    public struct Entity: RawRepresentable, Decodable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let family = Entity(rawValue: "family")
        /// Its id is the user's.
        public static let familyMember = Entity(rawValue: "family_member")
        public static let child = Entity(rawValue: "child")
        public static let plan = Entity(rawValue: "plan")

        public static func event(_ kind: EventKind) -> Entity { Entity(rawValue: kind.name) }
    }

    public enum Operation: String, Decodable, Hashable, Sendable {
        /// Make it, or replace it.
        case upsert
        /// Forget it, if it was ever known.
        case delete
    }

    public enum Content: Sendable {
        case family(Family)
        case familyMember(Member)
        case child(SyncedChild)
        case plan(Plan)
        case event(any AnyEventValue)
    }

    public var revision: Int64
    public var entity: Entity
    public var id: UUID
    public var op: Operation
    /// Nil for what was deleted, and for an entity that this version does not know.
    public var data: Content?

    public init(revision: Int64, entity: Entity, id: UUID, op: Operation, data: Content?) {
        self.revision = revision
        self.entity = entity
        self.id = id
        self.op = op
        self.data = data
    }
}

/// A child without what depends on who reads it.
public struct SyncedChild: Codable, Hashable, Sendable {
    public var id: ChildID
    public var familyId: FamilyID
    public var familyName: String
    public var name: String
    public var dateOfBirth: CalendarDate
    public var revision: Int64
    public var createdAt: Timestamp
    public var updatedAt: Timestamp

    public init(
        id: ChildID, familyId: FamilyID, familyName: String, name: String,
        dateOfBirth: CalendarDate, revision: Int64, createdAt: Timestamp, updatedAt: Timestamp
    ) {
        self.id = id
        self.familyId = familyId
        self.familyName = familyName
        self.name = name
        self.dateOfBirth = dateOfBirth
        self.revision = revision
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}
