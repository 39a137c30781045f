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
        case plan(Plan)
        case event(StoredEvent)
    }
}

extension ChangeRow {
    init(_ event: StoredEvent) {
        self.init(
            revision: event.revision, entity: .event(event.kind), id: event.id.uuid,
            data: event.deletedAt == nil ? .event(event) : nil)
    }

    /// Reads what follows the kind of a row that is no event.
    init(_ kind: EventRow.Other, _ row: inout Row) throws {
        let other = try OtherRow(&row)
        let entity: Change.Entity
        let data: Data?
        switch kind {
        case .family: (entity, data) = (.family, .family(try other.family))
        case .member: (entity, data) = (.familyMember, .familyMember(try other.member))
        case .child: (entity, data) = (.child, .child(try other.child))
        case .plan: (entity, data) = (.plan, try other.plan.map(Data.plan))
        case .tombstone: (entity, data) = (Change.Entity(rawValue: try other.type.known), nil)
        case .author: throw APIError.unexplained
        }
        self.init(revision: other.revision, entity: entity, id: other.id, data: data)
    }
}

/// A row of `EventRow.columns` that is no event; see `FeedStatement` for what stands where.
private struct OtherRow {
    let id: UUID
    let parent: UUID?
    private(set) var name: String?
    private(set) var type: String?
    private(set) var content: String?
    private(set) var dose: String?
    private(set) var color: String?
    private(set) var notes: String?
    private(set) var leftMinutes: Tenths?
    private(set) var rightMinutes: Tenths?
    private(set) var endedAt: Timestamp?
    let createdAt: Timestamp
    let updatedAt: Timestamp
    let revision: Int64

    init(_ row: inout Row) throws {
        id = try row.next()
        parent = try row.next()
        for column in EventColumns.all {
            switch column.name {
            case "name": name = try row.next()
            case "type": type = try row.next()
            case "content": content = try row.next()
            case "dose": dose = try row.next()
            case "color": color = try row.next()
            case "notes": notes = try row.next()
            case "left_minutes": leftMinutes = try row.next()
            case "right_minutes": rightMinutes = try row.next()
            case "ended_at": endedAt = try row.next()
            default: row.skip()
            }
        }
        row.skip(2)
        createdAt = try row.next()
        updatedAt = try row.next()
        revision = try row.next()
    }

    var family: Family {
        get throws {
            Family(
                id: FamilyID(id), name: try name.known, sharingPolicy: try SharingPolicy(rawValue: type.known).known,
                ownerId: parent.map(UserID.init), revision: revision, createdAt: createdAt, updatedAt: updatedAt)
        }
    }

    var member: Member {
        get throws {
            Member(
                userId: UserID(id), name: try name.known, email: try content.known,
                role: try Role(rawValue: type.known).known, isOwner: parent == id, accessUntil: endedAt,
                revision: revision, joinedAt: createdAt)
        }
    }

    var child: SyncedChild {
        get throws {
            SyncedChild(
                id: ChildID(id), familyId: FamilyID(try parent.known), familyName: try content.known,
                name: try name.known, dateOfBirth: try CalendarDate(type.known).known, revision: revision,
                createdAt: createdAt, updatedAt: updatedAt)
        }
    }
}

extension OtherRow {
    /// Nil of one that was deleted.
    fileprivate var plan: Plan? {
        get throws {
            guard endedAt == nil else { return nil }
            return Plan(
                id: PlanID(id), childId: ChildID(try parent.known), name: try name.known, dose: dose,
                everyHours: leftMinutes.map { $0.tenths / 10 },
                times: content?.split(separator: ",").map(String.init).orNothing,
                maxPerDay: rightMinutes.map { $0.tenths / 10 }, startsOn: try CalendarDate(type.known).known,
                endsOn: color.flatMap { CalendarDate($0) }, notes: notes, revision: revision, createdAt: createdAt,
                updatedAt: updatedAt)
        }
    }
}

extension Optional {
    /// What the database always has.
    fileprivate var known: Wrapped {
        get throws {
            guard let self else { throw APIError.unexplained }
            return self
        }
    }
}
