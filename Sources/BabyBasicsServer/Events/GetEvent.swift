import BabyBasicsAPI
import Postgres

/// One event.
func getEvent(
    _ context: RequestContext, _ membership: ChildMembership, in table: EventTable
) async throws -> Reply<EventReply> {
    let event = try await context.event(of: membership, in: table)
    return Reply(EventReply(event: event), revision: event.revision)
}

extension RequestContext {
    /// The event that the path names.
    /// - Throws: `APIError` 404 for one of another child, and for a deleted one unless those count.
    func event(
        of membership: ChildMembership, in table: EventTable, deletedToo: Bool = false
    ) async throws -> StoredEvent {
        let id = try identifier(1, of: AnyEvent.self)
        let event = try await database.event(id, of: membership.child.id, in: table)
        guard let event, deletedToo || event.deletedAt == nil else { throw APIError.notFound }
        return event
    }
}
