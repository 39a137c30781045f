import BabyBasicsAPI
import Postgres

/// One event.
func getEvent<Details>(_ context: RequestContext) async throws -> Reply<EventAnswer<Details>> {
    let event = try await context.findEvent(of: Details.kind)
    return Reply(EventReply<Details>(event: event), revision: event.revision)
}
