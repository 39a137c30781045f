import BabyBasicsAPI
import Postgres

/// One event.
func getEvent(_ context: RequestContext, in table: EventTable) async throws -> Reply<EventReply> {
    let event = try await context.findEvent(in: table).event
    return Reply(EventReply(event: event), revision: event.revision)
}
