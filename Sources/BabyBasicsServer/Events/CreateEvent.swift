import BabyBasicsAPI
import Postgres

/// Logs an event.
func createEvent<Details>(_ context: RequestContext) async throws -> Reply<EventAnswer<Details>> {
    let outcomes = try await context.createEvents { [GivenEvent($0, of: Details.kind)] }
    switch outcomes[0] {
    case .made(let event): return await context.reply(event)
    case .existed(let event): return await context.reply(event, status: 200)
    case .deleted: throw APIError(.gone, "This entry was deleted")
    }
}
