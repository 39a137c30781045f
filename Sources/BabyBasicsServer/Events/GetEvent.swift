import BabyBasicsAPI
import Postgres

/// One event.
func getEvent(_ context: RequestContext, of kind: EventKind) async throws -> Reply<EventReply> {
    let event = try await context.findEvent(of: kind)
    return Reply(EventReply(event: event), revision: event.revision)
}
