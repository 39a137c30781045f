import BabyBasicsAPI
import BabyBasicsClient

/// Sends a history, each event as the member who logged it.
struct Upload {
    let clients: [Person: APIClient]
    let child: ChildID
    let progress: Progress

    /// Small enough for a bar that moves.
    private static let batchSize = 100

    /// - Returns: how many events are on the server now.
    func send(_ events: [LoggedEvent]) async throws -> Int {
        var sent = 0
        var there = 0
        for person in Person.allCases {
            let own = events.filter { $0.author == person }.map(\.item)
            for start in stride(from: 0, to: own.count, by: Self.batchSize) {
                let batch = own[start..<min(start + Self.batchSize, own.count)]
                there += try await send(batch, as: person)
                sent += batch.count
                progress.show(sent, of: events.count, "events")
            }
        }
        return there
    }

    /// Sends a batch; in halves if it is refused for an event that somebody deleted since: that one stays deleted.
    private func send(_ batch: ArraySlice<EventBatch.Item>, as person: Person) async throws -> Int {
        guard let client = clients[person] else { throw Complaint("nobody logs this") }
        do {
            return try await client.send(
                Endpoints.createEvents, path: child, body: EventBatch(Array(batch))
            ).body.count
        } catch let failure as APIFailure where failure.code == .conflict {
            guard batch.count > 1 else { return 0 }
            let middle = batch.startIndex + batch.count / 2
            return try await send(batch[..<middle], as: person)
                + (try await send(batch[middle...], as: person))
        }
    }
}
