import BabyBasicsAPI
import BabyBasicsClient
import Foundation
import Testing

@Suite("Failures", .timeLimit(.minutes(10)))
struct FailureTests {
    private func failure<Failure: Error>(
        _ reply: ScriptedServer.Reply, as type: Failure.Type, _ carrier: Carrier = .urlSession
    ) async throws -> Failure {
        let server = try ScriptedServer([reply])
        let client = APIClient(server.url, retries: .never, transport: carrier.transport)
        return try #require(
            await #expect(throws: Failure.self) { try await client.send(Endpoints.listChildren) })
    }

    @Test("A refusal comes with all that the server says of it", arguments: Carrier.allCases)
    func refusal(_ carrier: Carrier) async throws {
        let failure = try await failure(
            .refusal(
                400, "VALIDATION_ERROR", details: #"{"field":"name","message":"is required","reason":"required"}"#,
                headers: ["X-Request-Id": "abc"]),
            as: APIFailure.self, carrier)
        #expect(failure.status == 400)
        #expect(failure.code == .validationError)
        #expect(failure.message == "No")
        #expect(failure.details == [ErrorBody.Detail(field: "name", message: "is required", reason: .required)])
        #expect(failure.requestID == "abc")
        #expect(failure.retryAfter == nil)
    }

    @Test("A code of a later contract is a refusal all the same")
    func unknownCode() async throws {
        let failure = try await failure(.refusal(451, "SEALED"), as: APIFailure.self)
        #expect(failure.status == 451 && failure.code == nil)
    }

    @Test("Retry-After is read in either form, and whatever is neither is none")
    func retryAfter() async throws {
        // Dates are counted from the policy's own clock.
        for (text, expected) in [
            ("7", Duration.seconds(7)), ("0", .zero),
            ("Sat, 21 Nov 2026 00:00:09 GMT", .seconds(9)),
            ("Fri, 20 Nov 2026 00:00:00 GMT", .zero), ("soon", nil), ("-1", nil),
            ("99999999999999999999", nil),
        ] as [(String, Duration?)] {
            let server = try ScriptedServer([
                .refusal(503, "SERVICE_UNAVAILABLE", headers: ["Retry-After": text])
            ])
            let client = APIClient(server.url, retries: TestTime().policy(tries: 1))
            let failure = await #expect(throws: APIFailure.self) {
                try await client.send(Endpoints.listChildren)
            }
            #expect(failure?.retryAfter == expected, "\(text)")
        }
    }

    @Test(
        "What is not of the contract is told apart",
        arguments: [
            .answer(502, body: "<h1>Bad gateway</h1>"), .answer(200, body: "[]"),
            .answer(200, body: #"{"children":["#),
        ] as [ScriptedServer.Reply])
    func unreadable(_ reply: ScriptedServer.Reply) async throws {
        let failure = try await failure(reply, as: UnreadableAnswer.self)
        #expect(!failure.reason.isEmpty)
    }

    @Test("Nobody is followed elsewhere", arguments: Carrier.allCases)
    func redirections(_ carrier: Carrier) async throws {
        let elsewhere = try ScriptedServer([.answer(200, body: #"{"children":[],"count":0}"#)])
        let failure = try await failure(
            .answer(307, headers: ["Location": elsewhere.url.absoluteString + "/x"]),
            as: UnreadableAnswer.self, carrier)
        #expect(failure.status == 307)
        #expect(elsewhere.received.isEmpty)
    }

    @Test("A connection that breaks off, and one that was never made", arguments: Carrier.allCases)
    func connections(_ carrier: Carrier) async throws {
        let lost = try await failure(.hangUp, as: TransportFailure.self, carrier)
        #expect(lost.reason == .connectionLost)
        let url = try ScriptedServer([]).url
        try await Task.sleep(for: .milliseconds(200))
        let client = APIClient(url, retries: .never, transport: carrier.transport)
        let none = await #expect(throws: TransportFailure.self) {
            try await client.send(Endpoints.listChildren)
        }
        #expect(none?.reason == .cannotConnect)
    }

    @Test("A server that says nothing", arguments: Carrier.allCases)
    func timeout(_ carrier: Carrier) async throws {
        let server = try ScriptedServer([.silence])
        let client = APIClient(
            server.url, retries: TestTime().policy(tries: 1, timeout: .seconds(1)),
            transport: carrier.transport)
        let failure = await #expect(throws: TransportFailure.self) {
            try await client.send(Endpoints.listChildren)
        }
        #expect(failure?.reason == .timedOut)
    }

    @Test("A cancelled task does not wait for the server", arguments: Carrier.allCases)
    func cancellation(_ carrier: Carrier) async throws {
        let server = try ScriptedServer([.silence])
        let client = APIClient(server.url, transport: carrier.transport)
        let task = Task { try await client.send(Endpoints.listChildren).body }
        while server.received.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
        let start = ContinuousClock.now
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(start.duration(to: .now) < .seconds(15), "the server would be waited for twice as long")
        #expect(server.received.count == 1)
    }
}
