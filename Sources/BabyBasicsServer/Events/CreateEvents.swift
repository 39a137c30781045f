import BabyBasicsAPI
import JSON
import Postgres

/// Logs many events at once, or none of them: what a phone kept while it was offline, or an import.
func createEvents(_ context: RequestContext) async throws -> Reply<EventBatchAnswer> {
    let outcomes = try await context.createEvents { fields in
        let elements = fields.objects("events", count: 1...500) ?? []
        return elements.enumerated().compactMap { index, element in
            element.flatMap { GivenEvent(element: $0, number: index) }
        }
    }
    return Reply(
        EventBatchReply(
            outcomes: outcomes, warnings: await context.warnings(of: outcomes.compactMap(\.event))))
}

extension GivenEvent {
    /// An element of a batch. Nil notes a problem.
    fileprivate init?(element: Fields, number: Int) {
        let names = EventKind.all.map(\.name).joined(separator: ", ")
        let kind = element.required(
            "type",
            .text("must be one of \(names)", .notListed) { name in EventKind.all.first { $0.name == name } })
        guard let fields = element.object("event"), let kind else { return nil }
        self.init(fields, of: kind, at: "events[\(number)].event.")
    }
}

private struct EventBatchReply: WrittenFor {
    typealias Answer = EventBatchAnswer

    let outcomes: [EventOutcome]
    let warnings: [Identifier<AnyEvent>: [EventWarning]]

    func write(to json: inout JSONWriter) {
        json.object {
            $0.member("events", outcomes.map { BatchItem(outcome: $0, warnings: warnings) })
            $0.member("count", outcomes.count)
        }
    }
}

/// An event in the answer to a batch.
private struct BatchItem: JSONWritable {
    let outcome: EventOutcome
    let warnings: [Identifier<AnyEvent>: [EventWarning]]

    func write(to json: inout JSONWriter) {
        switch outcome {
        case .made(let event), .existed(let event):
            TimelineEntry(event: event, warnings: warnings[event.id] ?? []).write(to: &json)
        case .deleted(let kind, let id):
            json.object {
                $0.member("type", kind.name)
                $0.member("id", id)
                $0.member("event", WrittenJSON.null)
                $0.member("deleted", true)
            }
        }
    }
}
