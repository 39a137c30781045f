import BabyBasicsAPI
import JSON
import Postgres

/// A page of one kind, newest first.
func listEvents(_ context: RequestContext, in table: EventTable) async throws -> Reply<EventListReply> {
    let page = try await context.page(of: [table], context.query)
    return Reply(EventListReply(kind: table.kind, page: page))
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
