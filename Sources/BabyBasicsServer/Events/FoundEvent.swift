import BabyBasicsAPI
import Postgres

/// One event, and what a member's request for it has established.
struct FoundEvent {
    let event: StoredEvent
    let familyID: FamilyID
}

extension RequestContext {
    /// Finds the event that the path names, and the caller's place in its family, by one statement.
    ///
    /// - Parameter deletedToo: whether a deleted one counts.
    /// - Throws: `APIError` 401, 429, 415, 403 or 404.
    func findEvent(in table: EventTable, deletedToo: Bool = false) async throws -> FoundEvent {
        let rows = try await rows(table.finding) {
            $0.append(Identifier<Child>(parameters[0]))
            $0.append(Identifier<AnyEvent>(parameters[1]))
        } _: { row in
            (place: try FoundPlace(&row), event: try row.next(Bool.self) ? StoredEvent(&row) : nil)
        }
        try requireJSON(self)
        guard let place = rows[0].place else { throw APIError.childNotFound }
        try require(endpoint, allows: place.role)
        // Who became a member after the lock was asked for has not locked the family.
        if database.isInTransaction, !place.hasLocked { throw APIError.unavailable(retryAfter: 1) }
        guard let event = rows[0].event, deletedToo || event.deletedAt == nil else {
            throw APIError.notFound
        }
        lastRevision = place.lastRevision
        return FoundEvent(event: event, familyID: place.familyID)
    }
}

/// The caller's place in a child's family.
private struct FoundPlace {
    let role: Role
    let familyID: FamilyID
    let lastRevision: Int64
    let hasLocked: Bool

    static let columns = "m.role, f.id, f.last_revision, pg_current_xact_id_if_assigned() is not null"

    /// Nil for a stranger.
    init?(_ row: inout Row) throws {
        guard let role = try row.next(Role?.self) else {
            row.skip(3)
            return nil
        }
        self.role = role
        familyID = try row.next()
        lastRevision = try row.next()
        hasLocked = try row.next()
    }
}

extension EventTable {
    /// Finds the event `$4` of the child `$3`, be it deleted.
    var finding: AuthenticatedQuery { Self.findings[number] }

    private static let findings = all.map { table in
        AuthenticatedQuery(
            columns: "\(FoundPlace.columns), e.id is not null, \(Shape.columns)",
            from: """
                \(CallersChild.join)
                left join lateral \(table.rows(where: "id = $4 and child_id = c.id").text) e on true
                left join users u on u.id = e.created_by
                """)
    }
}
