import BabyBasicsAPI
import FoundationEssentials
import Postgres

/// One change, ready for the wire.
struct ChangeRow {
    let revision: Int64
    let entity: Change.Entity
    let id: UUID
    /// Nil for what was deleted.
    let data: Data?

    enum Data {
        case family(Family)
        case familyMember(Member)
        case child(SyncedChild)
        case event(StoredEvent)
    }
}

extension ChangeRow {
    /// What `FeedStatement` selects of a change; nil where the row has none.
    init?(_ row: inout Row) throws {
        guard let number = try row.next(Int16?.self) else { return nil }
        if number >= 0 {
            self.init(try StoredEvent(&row))
            return
        }
        guard let sort = FeedStatement.Sort(rawValue: number) else { throw APIError.unexplained }
        let thing = try FeedThing(&row)
        switch sort {
        case .family: try self.init(family: thing)
        case .member: try self.init(member: thing)
        case .child: try self.init(child: thing)
        case .tombstone:
            self.init(
                revision: thing.revision, entity: Change.Entity(rawValue: try thing.text(0)), id: thing.id,
                data: nil)
        }
    }

    private init(_ event: StoredEvent) {
        self.init(
            revision: event.revision, entity: .event(event.kind), id: event.id.uuid,
            data: event.deletedAt == nil ? .event(event) : nil)
    }

    private init(family thing: FeedThing) throws {
        guard let policy = SharingPolicy(rawValue: try thing.text(1)) else { throw APIError.unexplained }
        let family = Family(
            id: FamilyID(thing.id), name: try thing.text(0), sharingPolicy: policy,
            ownerId: thing.other.map(UserID.init), revision: thing.revision,
            createdAt: thing.createdAt, updatedAt: thing.updatedAt)
        self.init(revision: thing.revision, entity: .family, id: thing.id, data: .family(family))
    }

    private init(member thing: FeedThing) throws {
        guard let role = Role(rawValue: try thing.text(2)) else { throw APIError.unexplained }
        let member = Member(
            userId: UserID(thing.id), name: try thing.text(0), email: try thing.text(1), role: role,
            isOwner: thing.other == thing.id, accessUntil: thing.times[0],
            revision: thing.revision, joinedAt: thing.createdAt)
        self.init(revision: thing.revision, entity: .familyMember, id: thing.id, data: .familyMember(member))
    }

    private init(child thing: FeedThing) throws {
        guard let date = CalendarDate(try thing.text(1)), let family = thing.other else {
            throw APIError.unexplained
        }
        let child = SyncedChild(
            id: ChildID(thing.id), familyId: FamilyID(family), familyName: try thing.text(2),
            name: try thing.text(0), dateOfBirth: date, revision: thing.revision,
            createdAt: thing.createdAt, updatedAt: thing.updatedAt)
        self.init(revision: thing.revision, entity: .child, id: thing.id, data: .child(child))
    }
}

/// What is no event, in the shape of one.
private struct FeedThing {
    let id: UUID
    let other: UUID?
    let times: [Timestamp?]
    private let texts: [String?]
    let createdAt: Timestamp
    let updatedAt: Timestamp
    let revision: Int64

    /// Reads `Shape.columns`.
    init(_ row: inout Row) throws {
        row.skip()
        id = try row.next()
        other = try row.next()
        var times: [Timestamp?] = []
        var texts: [String?] = []
        for place in Shape.places {
            switch place.storage {
            case .time: times.append(try row.next())
            case .text: texts.append(try row.next())
            case .number: row.skip()
            }
        }
        (self.times, self.texts) = (times, texts)
        createdAt = try row.next()
        updatedAt = try row.next()
        revision = try row.next()
        row.skip(3)
    }

    func text(_ index: Int) throws -> String {
        guard let text = texts[index] else { throw APIError.unexplained }
        return text
    }
}
