import BabyBasicsAPI
import BabyBasicsClient
import Foundation
import Testing

private let id = ChildID(UUID())
private let familyID = FamilyID(UUID())
private let feedingID = FeedingID(UUID())
private let birth = CalendarDate(daysSince1970: 20_000)

private func note(_ id: NoteID?) -> EventBatch.Item {
    EventBatch.Item(
        EventDraft(
            id: id, NoteDetails(content: "x", occurredAt: Timestamp(microsecondsSince1970: 0))))
}

/// One of each sort of request.
private enum Call: String, CaseIterable {
    case get, put, conditionalPut, patch, delete, conditionalDelete
    case post, identifiedPost, identifiedBatch, halfIdentifiedBatch

    func send(_ client: APIClient) async throws {
        switch self {
        case .get: try await client.send(Endpoints.getChild, path: id)
        case .put:
            try await client.send(
                Endpoints.replaceChild, path: id, body: NewChild(name: "x", dateOfBirth: birth))
        case .conditionalPut:
            try await client.send(
                Endpoints.replaceChild, path: id, body: NewChild(name: "x", dateOfBirth: birth),
                ifMatch: .revision(1))
        case .patch:
            try await client.send(Endpoints.updateChild, path: id, body: ChildChanges(name: "x"))
        case .delete:
            try await client.send(
                Endpoints.deleteEvent(FeedingDetails.self), path: id, feedingID)
        case .conditionalDelete:
            try await client.send(
                Endpoints.deleteEvent(FeedingDetails.self), path: id, feedingID,
                ifMatch: .revision(1))
        case .post:
            try await client.send(
                Endpoints.createChild, path: familyID,
                body: NewChild(name: "x", dateOfBirth: birth))
        case .identifiedPost:
            try await client.send(
                Endpoints.createChild, path: familyID,
                body: NewChild(id: id, name: "x", dateOfBirth: birth))
        case .identifiedBatch:
            try await client.send(
                Endpoints.createEvents, path: id,
                body: EventBatch([note(NoteID(UUID())), note(NoteID(UUID()))]))
        case .halfIdentifiedBatch:
            try await client.send(
                Endpoints.createEvents, path: id,
                body: EventBatch([note(NoteID(UUID())), note(nil)]))
        }
    }

    /// Whether a second one changes nothing that the first one did not.
    var isRepeatable: Bool {
        [.get, .put, .delete, .identifiedPost, .identifiedBatch].contains(self)
    }
}

@Suite("Repetition", .timeLimit(.minutes(10)))
struct RepetitionTests {
    /// Always the same answer that no call takes for a success; how often it was asked for.
    private func tries(_ call: Call, _ reply: ScriptedServer.Reply) async throws -> Int {
        let server = try ScriptedServer(Array(repeating: reply, count: 9))
        let client = APIClient(server.url, token: "x", retries: TestTime().policy())
        await #expect(throws: (any Error).self) { try await call.send(client) }
        return server.received.count
    }

    @Test("After a refusal that did nothing, anything is sent again", arguments: Call.allCases)
    fileprivate func refused(_ call: Call) async throws {
        #expect(try await tries(call, .refusal(429, "RATE_LIMITED")) == 4)
    }

    @Test("After a failure that may have done it, only what is safe", arguments: Call.allCases)
    fileprivate func unknown(_ call: Call) async throws {
        let expected = call.isRepeatable ? 4 : 1
        #expect(try await tries(call, .refusal(503, "SERVICE_UNAVAILABLE")) == expected)
        #expect(try await tries(call, .answer(504, body: "<html>")) == expected)
        #expect(try await tries(call, .hangUp) == expected)
    }

    @Test("A final answer is final", arguments: [400, 401, 403, 404, 409, 410, 412, 413, 415, 500])
    func final(_ status: Int) async throws {
        #expect(try await tries(.get, .refusal(status, "NOT_FOUND")) == 1)
    }

    @Test("A second DELETE that finds nothing did what was asked; a first one did not")
    func deletion() async throws {
        let gone = ScriptedServer.Reply.refusal(404, "NOT_FOUND")
        for (script, isDone) in [
            ([.hangUp, gone], true), ([.refusal(503, "SERVICE_UNAVAILABLE"), gone], true),
            ([gone], false), ([.refusal(429, "RATE_LIMITED"), gone], false),
        ] as [([ScriptedServer.Reply], Bool)] {
            let server = try ScriptedServer(script)
            let client = APIClient(server.url, token: "x", retries: TestTime().policy())
            if isDone {
                try await Call.delete.send(client)
            } else {
                let failure = await #expect(throws: APIFailure.self) {
                    try await Call.delete.send(client)
                }
                #expect(failure?.code == .notFound)
            }
            #expect(server.received.count == script.count)
        }
    }

    @Test("A repeated request is the same request, and its answer the answer")
    func success() async throws {
        let server = try ScriptedServer([
            .hangUp, .refusal(503, "SERVICE_UNAVAILABLE"),
            .answer(200, body: #"{"events":[],"count":0}"#),
        ])
        let client = APIClient(server.url, token: "x", retries: TestTime().policy())
        try await Call.identifiedBatch.send(client)
        #expect(Set(server.received.map(\.body)).count == 1)
        #expect(Set(server.received.map(\.line)).count == 1)
    }

    @Test("Pauses double up to the longest, and chance takes from nothing to all of them")
    func backoff() async throws {
        for (random, expected) in [
            (1.0, [250, 500, 1000, 2000, 4000, 8000, 8000]),
            (0.5, [125, 250, 500, 1000, 2000, 4000, 4000]),
            (0, [0, 0, 0, 0, 0, 0, 0]),
        ] {
            let server = try ScriptedServer(Array(repeating: .hangUp, count: 9))
            let time = TestTime()
            let client = APIClient(server.url, retries: time.policy(random: random, tries: 8))
            await #expect(throws: TransportFailure.self) { try await Call.get.send(client) }
            #expect(time.pauses == expected.map { .milliseconds($0) })
        }
    }

    @Test("What the server asks for is waited in full", arguments: [429, 503])
    func retryAfter(_ status: Int) async throws {
        let server = try ScriptedServer(
            Array(
                repeating: .refusal(status, "RATE_LIMITED", headers: ["Retry-After": "7"]), count: 9
            ))
        let time = TestTime()
        let client = APIClient(server.url, retries: time.policy(random: 1))
        await #expect(throws: APIFailure.self) { try await Call.get.send(client) }
        #expect(time.pauses == [.milliseconds(7250), .milliseconds(7500), .milliseconds(8000)])
    }

    @Test("What would take longer than the total time fails at once, and says how long")
    func totalTime() async throws {
        let server = try ScriptedServer([
            .refusal(429, "RATE_LIMITED", headers: ["Retry-After": "20"]),
            .refusal(429, "RATE_LIMITED", headers: ["Retry-After": "20"]),
        ])
        let time = TestTime()
        let client = APIClient(server.url, retries: time.policy())
        let failure = await #expect(throws: APIFailure.self) { try await Call.get.send(client) }
        #expect(failure?.retryAfter == .seconds(20))
        #expect(time.pauses == [.seconds(20)])
        #expect(server.received.count == 2)
    }

    @Test("A cancelled task sleeps no longer, and sends nothing more")
    func cancellation() async throws {
        let server = try ScriptedServer([
            .refusal(429, "RATE_LIMITED", headers: ["Retry-After": "25"])
        ])
        let (pauses, continuation) = AsyncStream.makeStream(of: Duration.self)
        let client = APIClient(
            server.url,
            retries: RetryPolicy(totalTime: .seconds(300), onPause: { pause, _ in continuation.yield(pause) }))
        let task = Task {
            defer { continuation.finish() }
            try await Call.get.send(client)
        }
        let pause = try #require(await pauses.first { _ in true })
        #expect(pause >= .seconds(25))
        let start = ContinuousClock.now
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(start.duration(to: .now) < .seconds(5))
        #expect(server.received.count == 1)
    }

    @Test("Where nobody listens, anything is tried again")
    func noConnection() async throws {
        let url = try ScriptedServer([]).url
        try await Task.sleep(for: .milliseconds(200))
        let time = TestTime()
        let client = APIClient(url, token: "x", retries: time.policy())
        await #expect(throws: TransportFailure.self) { try await Call.post.send(client) }
        #expect(time.pauses.count == 3)
    }
}
