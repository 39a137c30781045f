import BabyBasicsAPI
import JSON
import Postgres

/// A page of one kind, newest first.
func listEvents(_ context: RequestContext, of kind: EventKind) async throws -> Reply<EventListReply> {
    let page = try await context.page(of: [kind], context.query)
    return Reply(EventListReply(kind: kind, page: page))
}

struct EventListReply: JSONWritable {
    let kind: EventKind
    let page: EventPage

    func write(to json: inout JSONWriter) {
        json.object {
            $0.member(kind.plural, page.events)
            $0.member("count", page.events.count)
            $0.member("next_cursor", page.next?.text)
        }
    }
}
