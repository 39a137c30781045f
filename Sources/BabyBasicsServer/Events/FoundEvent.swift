import BabyBasicsAPI
import Postgres

/// The event `$5` of the kind `$6`, be it deleted, and the names of its authors.
private let eventOfChild = Question.ofChild(
    columns: "e.*",
    from: """
        left join lateral (
            (select \(EventRow.columns) from events e
            where e.family_id = $3 and e.id = $5 and e.child_id = c.id and e.kind = $6)
            union all \(Authors.rows(of: "c.family_id", at: "$2"))
        ) e on true
        """)

extension RequestContext {
    /// Finds the event that the path names.
    ///
    /// - Parameter deletedToo: whether a deleted one counts.
    /// - Throws: `APIError` 401, 429, 415, 403 or 404.
    func findEvent(of kind: EventKind, deletedToo: Bool = false) async throws -> StoredEvent {
        var authors = Authors()
        let rows = try await ask(eventOfChild) {
            $0.append(Identifier<AnyEvent>(parameters[1]))
            $0.append(Int16(kind.number))
        } _: { row -> StoredEvent? in
            let kind = try row.next(Int16.self)
            if kind >= 0 { return try StoredEvent(number: Int(kind), &row) }
            try authors.add(&row)
            return nil
        }
        var events = rows.compactMap { $0 }.filter { deletedToo || $0.deletedAt == nil }
        try await database.name(&events, by: authors)
        guard let event = events.first else { throw APIError.notFound }
        return event
    }
}
