import BabyBasicsAPI
import FoundationEssentials
import JSON
import Postgres

/// What a body says of an event that is to be made, before it is known what exists.
struct GivenEvent {
    /// What the names of its fields begin with in `details`, such as `events[3].event.`.
    let place: String
    let table: EventTable
    let fields: Fields
    let id: Identifier<AnyEvent>?

    /// An identifier that is none has been noted, and keeps no other fault of the event from being named with it.
    init(_ fields: Fields, of table: EventTable, at place: String = "") {
        (self.fields, self.table, self.place) = (fields, table, place)
        id = fields.optional("id", .identifier() as Rule<Identifier<AnyEvent>>) ?? nil
    }

    /// Nil notes problems.
    func values(now: Timestamp) -> [FieldValue]? {
        let values = fields.values(of: table.kind, now: now)
        fields.requireRecentStart(of: table.kind, values, now: now)
        return values
    }
}

/// What became of an event that was to be made.
enum EventOutcome {
    case made(StoredEvent)
    /// It was sent before, and is answered as it is now.
    case existed(StoredEvent)
    /// It was sent before, and somebody has deleted it meanwhile.
    case deleted(EventTable, Identifier<AnyEvent>)

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
    /// Nothing stands in the way as a rule, and one round trip does it. Otherwise the family is locked, what exists is looked at, and what
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
            let known = try await database.claimed(given.compactMap(\.id), of: membership.child)
            return try await createEvents(given, fields, known, membership)
        }
    }

    /// The events of the body where it says nothing of what exists; nil where anything of it has to be looked at more closely.
    private func newEvents(_ read: (Fields) -> [GivenEvent]) throws -> [NewEvent]? {
        guard (try? requireJSON(self)) != nil, let fields = try? fields() else { return nil }
        var ids: Set<Identifier<AnyEvent>> = []
        var new: [NewEvent] = []
        for event in read(fields) {
            guard let values = event.values(now: now) else { return nil }
            if let id = event.id, !ids.insert(id).inserted { return nil }
            new.append(try NewEvent(event, values, self))
        }
        guard (try? fields.refuseProblems()) != nil else { return nil }
        let ongoing = new.filter { $0.table.isOngoing($0.values) }.map(\.table.number)
        // Two that a child can have one of are in each other's way.
        return Set(ongoing).count == ongoing.count ? new : nil
    }

    private func createEvents(
        _ given: [GivenEvent], _ fields: Fields, _ known: ClaimedIdentifiers, _ membership: ChildMembership
    ) async throws -> [EventOutcome] {
        var places: [Place] = []
        var new: [NewEvent] = []
        var newPlaces: [String] = []
        var indices: [Identifier<AnyEvent>: Int] = [:]
        var conflicts: [ErrorBody.Detail] = []
        for event in given {
            if let id = event.id, let stored = known.events[id], stored.table === event.table {
                if stored.deletedAt != nil {
                    places.append(.known(.deleted(event.table, id)))
                    continue
                }
                if stored.isReplay(of: membership) {
                    places.append(.known(.existed(stored)))
                    continue
                }
            }
            let index = event.id.flatMap { indices[$0] }
            if let index, new[index].table === event.table {
                // Sent twice in one batch is sent again.
                places.append(.new(index))
                continue
            }
            let values = event.values(now: now)
            if let id = event.id, index != nil || known.taken.contains(id.uuid) {
                conflicts.append(.init(field: "\(event.place)id", message: "is taken"))
            } else if let values {
                if let id = event.id { indices[id] = new.count }
                places.append(.new(new.count))
                newPlaces.append(event.place)
                new.append(try NewEvent(event, values, self))
            }
        }
        try fields.refuseProblems()
        let ongoing = try await ongoingConflicts(new, newPlaces, of: membership.child)
        guard conflicts.isEmpty, ongoing.isEmpty else {
            let refusal = new.first { conflicts.isEmpty && $0.table.isOngoing($0.values) }
                .map { APIError.ongoing($0.table.kind) }
            throw APIError(
                .conflict, (refusal ?? .identifierTaken).message, details: conflicts + ongoing)
        }
        var made: [StoredEvent] = []
        if !new.isEmpty {
            guard let all = try await make(new) else {
                throw try await ceilingReached(by: new.count, membership.familyID)
            }
            made = all
        }
        return places.map { place in
            switch place {
            case .known(let outcome): outcome
            case .new(let index): .made(made[index])
            }
        }
    }

    private enum Place {
        case known(EventOutcome)
        case new(Int)
    }

    /// Events that would go on beside another where a child has one at most: beside what is stored, or beside an earlier one of the batch.
    private func ongoingConflicts(
        _ events: [NewEvent], _ places: [String], of child: Child
    ) async throws -> [ErrorBody.Detail] {
        var ongoing: [Int: String] = [:]
        var conflicts: [ErrorBody.Detail] = []
        for (event, place) in zip(events, places) where event.table.isOngoing(event.values) {
            let table = event.table
            if ongoing[table.number] == nil {
                ongoing[table.number] =
                    try await database.ongoing(in: table, of: child.id)?.description
            }
            if let other = ongoing[table.number] {
                conflicts.append(table.ongoingConflict(with: other, at: place))
            } else {
                ongoing[table.number] =
                    event.isClients ? event.id.description : String(place.dropLast())
            }
        }
        return conflicts
    }

    /// Which ceiling keeps the family from making more events.
    private func ceilingReached(by count: Int, _ family: FamilyID) async throws -> APIError {
        let made = try await database.first(
            "select coalesce(events_made, last_revision) from families where id = \(family)"
        ) { try $0.next(Int64.self) }
        guard let made, Int(made) + count > EventCeiling.inAll else {
            return APIError(
                .conflict,
                "A family can log 50,000 events a day; go on when the next day (UTC) has begun")
        }
        return APIError(.conflict, "A family can log 2,000,000 events in all")
    }
}

extension NewEvent {
    fileprivate init(_ event: GivenEvent, _ values: [FieldValue], _ context: RequestContext) throws {
        self.init(
            table: event.table, id: try event.id ?? context.newIdentifier(), values: values,
            isClients: event.id != nil)
    }
}

extension StoredEvent {
    /// Whether it is what the same person would make by sending again.
    fileprivate func isReplay(of membership: ChildMembership) -> Bool {
        author.userId == membership.caller.userID
    }
}

/// What the identifiers of a body belong to already. The others are the transaction's own: see `Database.claim`.
struct ClaimedIdentifiers {
    var taken: Set<UUID> = []
    /// Those of them that are events of the child, deleted ones too.
    var events: [Identifier<AnyEvent>: StoredEvent] = [:]
}

extension Database {
    fileprivate func claimed(_ ids: [Identifier<AnyEvent>], of child: Child) async throws -> ClaimedIdentifiers {
        var claimed = ClaimedIdentifiers()
        guard !ids.isEmpty else { return claimed }
        claimed.taken = try await claim(ids.map(\.uuid))
        guard !claimed.taken.isEmpty else { return claimed }
        let rows = EventTable.all.map {
            $0.rows(where: "child_id = \(child.id) and id = any (\(Array(claimed.taken)))")
        }
        for event in try await events(from: rows.joined(separator: " union all ")) {
            claimed.events[event.id] = event
        }
        return claimed
    }
}
