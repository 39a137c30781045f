import Postgres
import TestSupport
import Testing

@testable import BabyBasicsServer

@Suite("The language of an account")
struct AccountLanguageTests {
    let server: TestServer

    init() throws { server = try TestServer() }

    /// What an account speaks that registered so.
    private func registered(_ body: [String: JSON] = [:], accepting header: String? = nil) throws -> JSON {
        let own: [String: JSON] = ["name": "Rosa", "email": "rosa@example.com", "password": .string(testPassword)]
        let answer = server.send(
            "POST", "auth/register", .object(own.merging(body) { $1 }),
            headers: header.map { ["HTTP_ACCEPT_LANGUAGE": $0] } ?? [:])
        guard answer.status == 201 else { return .string("\(answer.status) \(answer.fields)") }
        let token = try answer.json["session"]["token"].string.required()
        let id = try answer.json["user"]["id"].string.required()
        let user = TestUser(id: id, name: "Rosa", email: "rosa@example.com", token: token)
        return server.send("GET", "users/me", as: user).json["user"]["language"]
    }

    @Test(
        "At registration what the app says, else what the browser asks for, else English",
        arguments: [
            (nil, nil, "en"), ("pt-BR", nil, "pt-BR"), ("pl", "de", "pl"), (nil, "de-CH, fr;q=0.9", "de"),
            (nil, "fi, he;q=0.5, de;q=0.4", "he"), (nil, "fi", "en"), (nil, "de;q=7", "en"), (nil, "de, !", "en"),
            (nil, "pt", "pt-BR"), (nil, "", "en"), (nil, "*", "en"),
        ] as [(String?, String?, String)])
    func registration(_ said: String?, _ accepted: String?, _ expected: String) throws {
        #expect(try registered(said.map { ["language": .string($0)] } ?? [:], accepting: accepted) == .string(expected))
    }

    @Test(
        "One without words is refused with the reason, at registration and later",
        arguments: ["fi", "DE", "pt", "", "en-GB"])
    func refused(_ tag: String) throws {
        #expect(try registered(["language": .string(tag)], accepting: "de") == #"400 ["language"]"#)
        let johnny = try server.user("Johnny")
        let answer = server.send("PATCH", "users/me", as: johnny, ["language": .string(tag), "name": "John"])
        #expect((answer.status, answer.fields) == (400, ["language"]))
        #expect(answer.json["error"]["details"][0]["reason"] == "not_listed")
        #expect(server.send("GET", "users/me", as: johnny).json["user"]["name"] == "Johnny")
    }

    @Test("It is changed and kept, cannot be taken away, and stands in the audit log")
    func changed() throws {
        let johnny = try server.user("Johnny")
        #expect(server.send("GET", "users/me", as: johnny).json["user"]["language"] == "en")
        #expect(server.send("PATCH", "users/me", as: johnny, ["language": "he"]).json["user"]["language"] == "he")
        #expect(server.send("PATCH", "users/me", as: johnny, ["name": "John"]).json["user"]["language"] == "he")
        #expect(server.send("GET", "users/me", as: johnny).json["user"]["language"] == "he")
        #expect(server.send("PATCH", "users/me", as: johnny, ["language": nil]).fields == ["language"])
        #expect(server.send("PATCH", "users/me", as: johnny, ["language": 5]).fields == ["language"])
        let changes = try server.userChanges()
        #expect(changes.first == #"{"language": {"new": "he", "old": "en"}}"#)
    }

    @Test("Every language that the server says it has can be chosen, and its messages stay English")
    func listed() throws {
        let johnny = try server.user("Johnny")
        let tags = server.send("GET", "server").json["server"]["languages"].array
        #expect(tags == ["en", "de", "es", "fr", "it", "pt-BR", "nl", "pl", "ar", "he"])
        for tag in tags {
            #expect(server.send("PATCH", "users/me", as: johnny, ["language": tag]).json["user"]["language"] == tag)
            #expect(
                server.send("PATCH", "users/me", as: johnny, ["timezone": 5]).message
                    == "Some of the fields are not valid")
        }
    }

    @Test("Nothing of it is left of an account that was deleted")
    func deleted() throws {
        let johnny = try server.account("Johnny")
        _ = server.send("PATCH", "users/me", as: johnny, ["language": "he"])
        #expect(server.deleteAccount(johnny).status == 204)
        #expect(try server.database.texts("select language from users") == ["en"])
    }
}
