import BabyBasicsAPI
import JSON
import Postgres

/// A page of one kind, newest first.
func listEvents<Details>(_ context: RequestContext) async throws -> Reply<EventList<Details>> {
    Reply(EventListReply<Details>(page: try await context.page(of: [Details.kind], context.query)))
}

private struct EventListReply<Details: EventDetails>: WrittenFor {
    typealias Answer = EventList<Details>

    let page: EventPage

    func write(to json: inout JSONWriter) {
        json.object {
            $0.member(Details.kind.plural, page.events)
            $0.member("count", page.events.count)
            $0.member("next_cursor", page.next?.text)
        }
    }
}
