import BabyBasicsAPI
import FoundationEssentials
import JSON
import Postgres

/// What a body says of an event that is to be made, before it is known what exists.
struct GivenEvent {
    /// What the names of its fields begin with in `details`, such as `events[3].event.`; empty for an event that comes alone.
    let prefix: String
    let kind: EventKind
    let fields: Fields
    let id: Identifier<AnyEvent>?

    /// A malformed identifier is noted as a problem; the event's other problems are noted, too.
    init(_ fields: Fields, of kind: EventKind, at prefix: String = "") {
        (self.fields, self.kind, self.prefix) = (fields, kind, prefix)
        id = fields.optional("id", .identifier() as Rule<Identifier<AnyEvent>>) ?? nil
    }

    /// Nil notes problems.
    func values(now: Timestamp) -> [FieldValue]? {
        // An event that comes alone happens now, unless it says when.
        let values = fields.values(of: kind, at: prefix.isEmpty ? now : nil, now: now)
        fields.requireRecentStart(of: kind, values, now: now)
        return values
    }
}

/// What became of an event that was to be made.
enum EventOutcome {
    case made(StoredEvent)
    /// It was sent before, and is answered as it is now.
    case existed(StoredEvent)
    /// It was sent before, and somebody has deleted it meanwhile.
    case deleted(EventKind, Identifier<AnyEvent>)

    var event: StoredEvent? {
        switch self {
        case .made(let event), .existed(let event): event
        case .deleted: nil
        }
    }
}

extension RequestContext {
    /// Makes the events of the body, all or none, except those that were made before: the one way to make any.
    ///
    /// As a rule nothing stands in the way, and one statement does it. Otherwise the family is locked, what exists is looked at, and what
    /// can be made is made in the same transaction.
    ///
    /// - Parameter read: the events of a body.
    /// - Throws: `APIError` that names all that stands in the way.
    func createEvents(_ read: (Fields) -> [GivenEvent]) async throws -> [EventOutcome] {
        // Whose request it is comes before what it costs to read.
        _ = try await countedUser(bearerToken())
        if let new = try newEvents(read), let made = try await make(new) {
            return made.map { .made($0) }
        }
        return try await changing {
            let membership = try await authorizeChild(self)
            let fields = try fields()
            let given = read(fields)
            let stored = try await database.events(given.compactMap(\.id), of: membership.familyID)
            return try await createEvents(given, fields, stored, membership)
        }
    }

    /// The events of a body that is as described; nil where anything of it has to be looked at more closely.
    private func newEvents(_ read: (Fields) -> [GivenEvent]) throws -> [NewEvent]? {
        guard (try? requireJSON(self)) != nil, let fields = try? fields() else { return nil }
        var ids: Set<Identifier<AnyEvent>> = []
        var new: [NewEvent] = []
        for event in read(fields) {
            guard let values = event.values(now: now) else { return nil }
            if let id = event.id, !ids.insert(id).inserted { return nil }
            new.append(try newEvent(event, values))
        }
        guard !new.isEmpty, (try? fields.refuseProblems()) != nil else { return nil }
        // Two sleeps that run are in each other's way.
        return new.count { $0.kind.isOngoing($0.values) } > 1 ? nil : new
    }

    private func createEvents(
        _ given: [GivenEvent], _ fields: Fields,
        _ stored: (known: [Identifier<AnyEvent>: StoredEvent], unknown: Set<Identifier<AnyEvent>>),
        _ membership: ChildMembership
    ) async throws -> [EventOutcome] {
        var items: [Item] = []
        var new: [(event: NewEvent, given: GivenEvent)] = []
        var indices: [Identifier<AnyEvent>: Int] = [:]
        var conflicts: [ErrorBody.Detail] = []
        for event in given {
            let known = event.id.flatMap { stored.known[$0] }
            if let outcome = known.flatMap({ $0.outcome(of: event, by: membership) }) {
                items.append(.known(outcome))
                continue
            }
            let index = event.id.flatMap { indices[$0] }
            if let index, new[index].event.kind === event.kind {
                // Sent twice in one batch is sent again.
                items.append(.new(index))
                continue
            }
            let values = event.values(now: now)
            if known != nil || index != nil || event.id.map({ stored.unknown.contains($0) }) == true {
                conflicts.append(.init(field: "\(event.prefix)id", message: "is taken", reason: .taken))
            } else if let values {
                if let id = event.id { indices[id] = new.count }
                items.append(.new(new.count))
                new.append((try newEvent(event, values), event))
            }
        }
        try fields.refuseProblems()
        let ongoing = try await ongoingConflicts(new, membership)
        guard conflicts.isEmpty, ongoing.isEmpty else {
            let refusal: APIError = conflicts.isEmpty ? .ongoing(SleepDetails.kind) : .identifierTaken
            throw APIError(.conflict, refusal.message, details: conflicts + ongoing)
        }
        var made: [StoredEvent] = []
        if !new.isEmpty {
            guard let all = try await make(new.map(\.event)) else {
                throw try await ceilingReached(by: new.count, membership.familyID)
            }
            made = all
        }
        return items.map { item in
            switch item {
            case .known(let outcome): outcome
            case .new(let index): .made(made[index])
            }
        }
    }

    private enum Item {
        case known(EventOutcome)
        case new(Int)
    }

    private func newEvent(_ event: GivenEvent, _ values: [FieldValue]) throws -> NewEvent {
        NewEvent(kind: event.kind, id: try event.id ?? newIdentifier(), values: values)
    }

    /// Sleeps that would run beside another one: beside what is stored, or beside an earlier one of the batch.
    private func ongoingConflicts(
        _ events: [(event: NewEvent, given: GivenEvent)], _ membership: ChildMembership
    ) async throws -> [ErrorBody.Detail] {
        let running = events.filter { $0.event.kind.isOngoing($0.event.values) }
        guard let first = running.first else { return [] }
        let stored = try await database.ongoingSleep(of: membership.child.id, in: membership.familyID)
        let other =
            stored?.description ?? first.given.id?.description ?? String(first.given.prefix.dropLast())
        return running.dropFirst(stored == nil ? 1 : 0).map {
            $0.event.kind.ongoingConflict(with: other, at: $0.given.prefix)
        }
    }

    /// Which ceiling keeps the family from making more events.
    private func ceilingReached(by count: Int, _ family: FamilyID) async throws -> APIError {
        let made = try await database.first("select events_made from feeds where family_id = \(family)") {
            try $0.next(Int64.self)
        }
        guard let made, Int(made) + count > EventCeiling.inAll else {
            return APIError(
                .conflict,
                "A family can log 50,000 events a day; go on when the next day (UTC) has begun")
        }
        return APIError(.conflict, "A family can log 2,000,000 events in all")
    }
}

extension StoredEvent {
    /// What an event that has this identifier comes to; nil where the identifier is taken.
    fileprivate func outcome(of given: GivenEvent, by membership: ChildMembership) -> EventOutcome? {
        guard kind === given.kind, childID == membership.child.id else { return nil }
        if deletedAt != nil { return .deleted(kind, id) }
        return createdBy.userId == membership.caller.userID ? .existed(self) : nil
    }
}

extension Database {
    /// Those of the family's events, deleted ones too, that have one of these identifiers, and the identifiers of those whose kind this
    /// release does not know.
    fileprivate func events(
        _ ids: [Identifier<AnyEvent>], of family: FamilyID
    ) async throws -> (known: [Identifier<AnyEvent>: StoredEvent], unknown: Set<Identifier<AnyEvent>>) {
        guard !ids.isEmpty else { return ([:], []) }
        var unknown: Set<Identifier<AnyEvent>> = []
        let rows = try await rows(
            """
            select \(unescaped: EventRow.columns) from events e
            where e.family_id = \(family) and e.id = any (\(ids.map(\.uuid)))
            """
        ) { row -> StoredEvent? in
            let number = Int(try row.next(Int16.self))
            if number < EventKind.all.count { return try StoredEvent(number: number, &row) }
            unknown.insert(try row.next())
            row.skip(EventRow.columnCount - 2)
            return nil
        }
        var events = rows.compactMap { $0 }
        try await name(&events, by: Authors())
        return (Dictionary(events.map { ($0.id, $0) }) { first, _ in first }, unknown)
    }
}
