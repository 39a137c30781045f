import BabyBasicsAPI
import BabyBasicsClient
import Foundation
import Testing

private let childID = ChildID(UUID())
private let familyID = FamilyID(UUID())

private let child = Child(
    id: childID, familyId: familyID, familyName: "Ours", name: "Wren",
    dateOfBirth: CalendarDate(daysSince1970: 20_000), role: .parent, revision: 42,
    createdAt: Timestamp(microsecondsSince1970: 1_000_000),
    updatedAt: Timestamp(microsecondsSince1970: 2_000_000))

/// The answer that is `child` to a client.
private let childText = """
    {"child":{"id":"\(childID)","family_id":"\(familyID)","family_name":"Ours","name":"Wren",\
    "date_of_birth":"2024-10-04","role":"parent","revision":42,\
    "created_at":"1970-01-01T00:00:01.000Z","updated_at":"1970-01-01T00:00:02.000Z"}}
    """

@Suite("Requests and their answers", .timeLimit(.minutes(10)))
struct AnswerTests {
    @Test(
        "A request says what its endpoint says, and its answer comes typed",
        arguments: Carrier.allCases)
    func getting(_ carrier: Carrier) async throws {
        let server = try ScriptedServer([
            .answer(
                200, headers: ["ETag": "\"42\"", "X-Request-Id": "abc"],
                body: childText)
        ])
        let client = APIClient(server.url, token: "secret", transport: carrier.transport)
        let answer = try await client.send(Endpoints.getChild, path: childID)
        #expect(answer.body.child == child)
        #expect(answer.status == 200)
        #expect(answer.entityTag == .revision(42))
        #expect(answer.requestID == "abc")
        let request = try #require(server.received.first)
        #expect(request.line == "GET /api/v1/children/\(childID) HTTP/1.1")
        #expect(request.headers["authorization"] == "Bearer secret")
        #expect(request.headers["content-type"] == nil)
        #expect(request.body.isEmpty)
    }

    @Test("A change carries its body and the version it is meant for", arguments: Carrier.allCases)
    func changing(_ carrier: Carrier) async throws {
        let server = try ScriptedServer([
            .answer(200, body: childText)
        ])
        let client = APIClient(server.url, token: "secret", transport: carrier.transport)
        try await client.send(
            Endpoints.updateChild, path: childID, body: ChildChanges(name: "Zoë \"Z\" \\ \n"),
            ifMatch: .revision(41))
        let request = try #require(server.received.first)
        #expect(request.line.hasPrefix("PATCH "))
        #expect(request.headers["if-match"] == "\"41\"")
        #expect(request.headers["content-type"] == "application/json")
        let sent = try JSONDecoder.contract.decode(
            ChildChanges.self, from: Data(request.body.utf8))
        #expect(sent.name == "Zoë \"Z\" \\ \n")
    }

    @Test("A large body arrives whole", arguments: Carrier.allCases)
    func large(_ carrier: Carrier) async throws {
        let server = try ScriptedServer([.answer(201, body: #"{"events":[],"count":0}"#)])
        let client = APIClient(server.url, token: "secret", transport: carrier.transport)
        let note = EventDraft(
            NoteDetails(
                content: String(repeating: "@ü", count: 2000),
                occurredAt: Timestamp(microsecondsSince1970: 0)))
        let batch = EventBatch(Array(repeating: EventBatch.Item(note), count: 150))
        try await client.send(Endpoints.createEvents, path: childID, body: batch)
        let request = try #require(server.received.first)
        #expect(request.body.utf8.count > 900_000)
        let sent = try JSONDecoder.contract.decode(EventBatch.self, from: Data(request.body.utf8))
        #expect(sent == batch)
    }

    @Test("A token goes to the endpoints that take one, and to no other")
    func tokens() async throws {
        let server = try ScriptedServer([
            .refusal(401, "UNAUTHORIZED"), .answer(200, body: #"{"success":true}"#),
            .answer(204),
        ])
        var client = APIClient(server.url, token: "secret")
        client.adminToken = "admin"
        await #expect(throws: APIFailure.self) {
            try await client.send(
                Endpoints.logIn, body: Credentials(email: "a@example.com", password: "x"))
        }
        try await client.send(
            Endpoints.resetPassword, body: PasswordReset(email: "a@example.com", newPassword: "x"))
        try await client.send(Endpoints.logOut)
        let headers = server.received.map(\.headers)
        #expect(headers.map { $0["authorization"] } == [nil, nil, "Bearer secret"])
        #expect(headers.map { $0["x-admin-token"] } == [nil, "admin", nil])
    }

    @Test("Queries are written and encoded")
    func queries() async throws {
        let server = try ScriptedServer([.answer(200, body: #"{"events":[],"count":0}"#)])
        let client = APIClient(server.url, token: "secret")
        try await client.send(
            Endpoints.getTimeline, path: childID,
            query: .timeline(
                [FeedingDetails.kind, SleepDetails.kind],
                from: Timestamp(microsecondsSince1970: 0), limit: 5, cursor: "a+b/c=&é"))
        #expect(
            server.received.first?.line
                == "GET /api/v1/children/\(childID)/timeline?types=feeding%2Csleep"
                + "&from=1970-01-01T00%3A00%3A00.000Z&limit=5&cursor=a%2Bb%2Fc%3D%26%C3%A9 HTTP/1.1"
        )
        #expect(Query.none.description == "")
        #expect(Query.changes(since: 7).description == "?since=7")
    }

    @Test("Every endpoint's path takes its parameters from left to right")
    func paths() {
        let ids: [any PathParameter] = [familyID, childID, childID]
        for endpoint in Endpoints.all {
            let path = endpoint.path(Array(ids.prefix(endpoint.parameterCount)))
            #expect(path.first == "/" && !path.contains(":"))
        }
        let user = UserID(UUID())
        #expect(
            Endpoints.removeMember.description.path([familyID, user])
                == "/api/v1/families/\(familyID)/members/\(user)")
    }

    @Test("An address that shows the token to everybody is refused before anything is sent")
    func plainHTTP() async throws {
        let sent = Transport { _, _ in HTTPAnswer(status: 200, headers: [], body: Data()) }
        for address in ["http://example.com", "http://localhost.example.com", "ftp://localhost"] {
            let client = APIClient(try #require(URL(string: address)), transport: sent)
            let failure = await #expect(throws: TransportFailure.self) {
                try await client.send(Endpoints.logOut)
            }
            #expect(failure?.reason == .badURL)
        }
    }
}
