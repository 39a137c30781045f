import BabyBasicsAPI
import JSON
import Postgres

/// A page of events of all kinds, newest first.
func getTimeline(_ context: RequestContext) async throws -> Reply<Timeline> {
    let query = context.query
    let names = EventKind.all.map(\.name).joined(separator: ", ")
    let kinds = query.optional("types", "must be some of \(names), with commas between") { text in
        let wanted = Set(text.split(separator: ",", omittingEmptySubsequences: false))
        let kinds = EventKind.all.filter { wanted.contains($0.name[...]) }
        return kinds.count == wanted.count ? kinds : nil
    }
    return Reply(try await context.page(of: kinds.map { $0 ?? EventKind.all }, query))
}

extension EventPage: WrittenFor {
    typealias Answer = Timeline

    func write(to json: inout JSONWriter) {
        json.object {
            $0.member("events", events.map { TimelineEntry(event: $0) })
            $0.member("count", events.count)
            $0.member("next_cursor", next?.text)
        }
    }
}

/// An event among events of other kinds.
struct TimelineEntry: JSONWritable {
    let event: StoredEvent
    var warnings: [EventWarning] = []

    func write(to json: inout JSONWriter) {
        json.object {
            $0.member("type", event.kind.name)
            $0.member("at", event.at)
            $0.member("event", event)
            if !warnings.isEmpty { $0.member("warnings", value: warnings) }
        }
    }
}
