import BabyBasicsAPI
import Postgres

/// Logs an event.
func createEvent(_ context: RequestContext, of kind: EventKind) async throws -> Reply<EventReply> {
    let outcomes = try await context.createEvents { [GivenEvent($0, of: kind)] }
    switch outcomes[0] {
    case .made(let event): return await context.reply(event)
    case .existed(let event): return await context.reply(event, status: 200)
    case .deleted: throw APIError(.gone, "This entry was deleted")
    }
}
