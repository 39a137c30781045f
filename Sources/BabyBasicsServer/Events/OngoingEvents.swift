import BabyBasicsAPI
import Postgres

// Of some kinds a child has one event at most that has not ended: of sleeps.

extension EventKind {
    /// Whether an event with these values is the one that a child may have.
    func isOngoing(_ values: [FieldValue]) -> Bool {
        guard isExclusiveWhileOngoing, let end else { return false }
        return values[end] == .nothing
    }

    /// The condition of the unique index `events_ongoing_sleep`.
    static func isOngoingSleep(_ event: String) -> String {
        "\(event).kind = \(SleepDetails.kind.number) and \(event).ended_at is null and \(event).deleted_at is null"
    }

    /// Says which one goes on, so that a client can show it to whoever has to end it.
    /// - Parameter prefix: what the names of the event's fields begin with.
    func ongoingConflict(with other: String, at prefix: String = "") -> ErrorBody.Detail {
        .init(field: prefix + fields[time].name, message: "A \(name) is running: \(other)", reason: .running)
    }
}

extension Database {
    /// The sleep of a child that goes on.
    func ongoingSleep(of child: ChildID, in family: FamilyID) async throws -> Identifier<AnyEvent>? {
        try await first(
            """
            select id from events e
            where e.family_id = \(family) and e.child_id = \(child) and \(unescaped: EventKind.isOngoingSleep("e"))
            """
        ) { try $0.next() }
    }
}
