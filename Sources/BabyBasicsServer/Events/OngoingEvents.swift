import BabyBasicsAPI
import Postgres

// Of some kinds a child has one event at most that has not ended.

extension EventTable {
    /// Whether an event with these values is the one that goes on.
    func isOngoing(_ values: [FieldValue]) -> Bool {
        guard kind.isExclusiveWhileOngoing, let end = kind.end else { return false }
        return values[end] == .nothing
    }

    /// Says which one goes on, so that a client can show it to whoever has to end it.
    /// - Parameter place: what the names of the event's fields begin with.
    func ongoingConflict(with other: String, at place: String = "") -> ErrorBody.Detail {
        let name = kind.name == "sleep" ? "A sleep is running" : "One is going on"
        return .init(field: place + timeColumn, message: "\(name): \(other)")
    }
}

extension Database {
    /// The event of a child that goes on.
    func ongoing(in table: EventTable, of child: ChildID) async throws -> Identifier<AnyEvent>? {
        try await first(
            """
            select id from \(unescaped: table.kind.plural)
            where child_id = \(child) and \(unescaped: table.endColumn) is null and deleted_at is null
            """
        ) { try $0.next() }
    }
}
