import BabyBasicsAPI
import Foundation
import Testing

@testable import BabyBasicsOpenAPI

/// That the document says what the endpoint table and the types say. Whether the server keeps to it is for schemathesis to find out.
@Suite("OpenAPI document")
struct OpenAPITests {
    /// Those that have no handler yet are described as well.
    private static let endpoints = Endpoints.all + Endpoints.awaited
    private static let contract = OpenAPI.contract(
        version: "1.0.0", features: Endpoints.features + [("Awaited", Endpoints.awaited)])
    private var document: JSON { Self.contract.document }
    private var schemas: Schemas { Self.contract.schemas }

    private func operation(_ endpoint: EndpointDescription) throws -> JSON {
        try #require(
            document["paths"]?[endpoint.documentedPath]?[endpoint.method.rawValue.lowercased()])
    }

    private func endpoint(_ name: String) throws -> EndpointDescription {
        try #require(Self.endpoints.first { $0.about.name == name })
    }

    @Test("It has every endpoint of the table and nothing else")
    func operations() {
        let documented = document["paths"]?.members.flatMap { path in
            path.value.members.map { "\($0.name.uppercased()) \(path.name)" }
        }
        let table = Self.endpoints.map { endpoint in
            let path = endpoint.path.split(separator: "/").map { segment in
                segment.hasPrefix(":") ? "{\(segment.dropFirst())}" : String(segment)
            }
            return "\(endpoint.method.rawValue) /\(path.joined(separator: "/"))"
        }
        #expect(documented?.sorted() == table.sorted())
        #expect(Set(table).count == table.count)
    }

    @Test("Every endpoint says what it is, under a name of its own")
    func names() {
        let names = Self.endpoints.map(\.about.name)
        #expect(Set(names).count == names.count)
        for endpoint in Self.endpoints {
            #expect(!endpoint.about.name.isEmpty, "\(endpoint.method) \(endpoint.path)")
            #expect(!endpoint.about.summary.isEmpty, "\(endpoint.method) \(endpoint.path)")
        }
    }

    @Test("Every type of a body has a schema", arguments: endpoints.map(\.about.name))
    func described(_ name: String) throws {
        #expect(schemas.failures.isEmpty)
        let endpoint = try endpoint(name)
        let operation = try operation(endpoint)
        #expect((operation["requestBody"] != nil) == endpoint.takesBody)
        let success = operation["responses"]?[String(endpoint.success)]
        #expect((success?["content"] != nil) == endpoint.answersBody)
    }

    /// What a request's type takes for itself it writes again: no member of the schema is unknown to it, and it has none besides.
    @Test(
        "Examples are what the types read, and requests write again",
        arguments: endpoints.map(\.about.name))
    func examples(_ name: String) throws {
        let endpoint = try endpoint(name)
        let operation = try operation(endpoint)
        if endpoint.takesBody {
            let content = operation["requestBody"]?["content"]?["application/json"]
            try expectRead(endpoint.request, try #require(content?["example"]))
        }
        if endpoint.answersBody {
            let success = operation["responses"]?[String(endpoint.success)]
            let content = success?["content"]?["application/json"]
            let example = try #require(content?["example"])
            #expect(throws: Never.self) { try read(endpoint.response, example) }
        }
    }

    @Test("What the schemas require the types cannot do without, and the other way round")
    func required() throws {
        var checked = 0
        for endpoint in Self.endpoints where endpoint.takesBody {
            guard endpoint.about.request as Any.Type == endpoint.request as Any.Type else { continue }
            let content = try operation(endpoint)["requestBody"]?["content"]?["application/json"]
            let schema = resolve(try #require(content?["schema"]))
            for variant in schema["oneOf"]?.elements ?? [schema] {
                checked += try expectRequired(variant, endpoint.request)
            }
        }
        for endpoint in Self.endpoints where endpoint.answersBody {
            let success = try operation(endpoint)["responses"]?[String(endpoint.success)]
            let content = success?["content"]?["application/json"]
            let schema = resolve(try #require(content?["schema"]))
            checked += try expectRequired(schema, endpoint.response)
        }
        #expect(checked > 100)
    }

    @Test("Remarks are of members that there are, and text has an example")
    func remarks() throws {
        var types: [any Decodable.Type] = [
            Author.self, EventWarning.self, SignedIn.Session.self, SignedIn.Account.self,
            OpenSession.self, User.self, Family.self, FamilySummary.self, FamilyDetails.self,
            ChildSummary.self, Member.self, Child.self, SyncedChild.self, Invite.self,
            OpenInvite.self, OpenInvite.Creator.self, NamedPerson.self, Joined.JoinedFamily.self,
            InvitePreview.NamedFamily.self, AuditEntry.self, Dashboard.self, Dashboard.Day.self,
            Dashboard.Feedings.self, Dashboard.Diapers.self, Dashboard.Sleep.self,
            Dashboard.Ongoing.self, ErrorBody.Content.self, ErrorBody.Detail.self,
        ]
        for endpoint in Self.endpoints {
            types += [endpoint.request, endpoint.response] as [any Decodable.Type]
        }
        types += EventKind.allDetails as [any Decodable.Type]
        for type in types where type != EventChanges.self {
            let members = try MemberRecorder.members(of: type)
            let names = Set(members.map(\.name))
            let remarks = (type as? any Described.Type)?.remarks ?? [:]
            #expect(names.isSuperset(of: remarks.keys), "\(type)")
        }
        let plain = document.description.components(separatedBy: "\"text\"").count - 1
        #expect(plain == 0, "a member of type String has no remark with an example")
    }

    @Test("Query parameters are those that clients can write")
    func query() throws {
        func names(_ query: Query) -> Set<String> { Set(query.items.map(\.name)) }
        let time = Timestamp(microsecondsSince1970: 0)
        let date = CalendarDate(daysSince1970: 0)
        let expected: [String: Set<String>] = [
            "listFeedings": names(.events(from: time, to: time, limit: 1, cursor: "c")),
            "getTimeline": names(.timeline([], from: time, to: time, limit: 1, cursor: "c")),
            "listAuditEntries": names(.page(limit: 1, cursor: "c")),
            "getDashboard": names(.dashboard(date: date)),
            "listChanges": names(.changes(since: 1, limit: 1, wait: 1)),
        ]
        for endpoint in Self.endpoints {
            let documented = Set(
                try operation(endpoint)["parameters"]?.elements.filter { $0["in"] == "query" }
                    .compactMap { $0["name"]?.text } ?? [])
            let ofEvents = EventKind.all.contains {
                endpoint.about.name == "list" + $0.plural.capitalizedFirst
            }
            let wanted = expected[ofEvents ? "listFeedings" : endpoint.about.name] ?? []
            #expect(documented == wanted, "\(endpoint.about.name)")
        }
    }

    @Test("Every reference leads somewhere, and every component is referred to")
    func references() {
        let text = document.description
        var referred: Set<String> = []
        for piece in text.components(separatedBy: "\"$ref\": \"#/components/").dropFirst() {
            referred.insert(String(piece.prefix { $0 != "\"" }))
        }
        let kinds = ["schemas", "responses", "headers", "parameters"]
        let there = kinds.flatMap { kind in
            document["components"]?[kind]?.members.map { "\(kind)/\($0.name)" } ?? []
        }
        // The router's own 405 belongs to no operation: no documented method is wrong.
        #expect(Set(there).subtracting(referred) == ["responses/MethodNotAllowed"])
        #expect(referred.subtracting(there).isEmpty)
    }

    @Test("A cookie may authorise what a token may, and what changes something says whose pages may send it")
    func cookies() throws {
        #expect(document["components"]?["securitySchemes"]?["cookie"]?["in"] == "cookie")
        let message = "This request came from another site"
        for endpoint in Self.endpoints {
            let operation = try operation(endpoint)
            let schemes = operation["security"]?.elements.flatMap { $0.members.map(\.name) } ?? []
            #expect(schemes.contains("cookie") == schemes.contains("session"), "\(endpoint.about.name)")
            let asksForOne = ["register", "logIn"].contains(endpoint.about.name)
            let mayRefuse = schemes.contains("cookie") && endpoint.method != .get || asksForOne
            let refusal = operation["responses"]?["403"]?["description"]?.text ?? ""
            #expect(refusal.contains(message) == mayRefuse, "\(endpoint.about.name): \(refusal)")
        }
    }

    @Test("What is a merge patch may say so, and nothing else")
    func mergePatches() throws {
        for endpoint in Self.endpoints where endpoint.takesBody {
            let content = try operation(endpoint)["requestBody"]?["content"]
            let patch = content?["application/merge-patch+json"]
            #expect((patch != nil) == (endpoint.method == .patch), "\(endpoint.about.name)")
            if patch != nil { #expect(patch == content?["application/json"]) }
        }
    }

    @Test("What is created links to every endpoint that its id leads to")
    func links() throws {
        func links(_ name: String) throws -> Set<String> {
            let success = try operation(endpoint(name))["responses"]?["201"]
            return Set(success?["links"]?.members.map(\.name) ?? [])
        }
        #expect(
            try links("createSleep") == [
                "getSleep", "replaceSleep", "updateSleep", "deleteSleep", "restoreSleep",
            ])
        #expect(try links("createInvite") == ["revokeInvite"])
        #expect(
            try links("createFamily").isSuperset(of: ["createChild", "getFamily", "createInvite"]))
        #expect(
            try links("createChild").isSuperset(of: ["createNote", "getTimeline", "createEvents"]))
    }
}

extension OpenAPITests {
    private func resolve(_ schema: JSON) -> JSON {
        guard let name = schema["$ref"]?.text?.split(separator: "/").last else { return schema }
        return schemas.components.first { $0.name == name }?.value ?? nil
    }

    @discardableResult
    private func read<Value: Decodable>(_ type: Value.Type, _ json: JSON) throws -> Value {
        try JSONDecoder.contract.decode(type, from: Data(json.description.utf8))
    }

    private func expectRead<Value: Codable>(_ type: Value.Type, _ example: JSON) throws {
        let data = try JSONEncoder.contract.encode(try read(type, example))
        let again = JSON(try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed))
        #expect(again.sorted == example.sorted, "\(type)")
    }

    /// - Returns: how many members were left out to see.
    private func expectRequired<Value: Decodable>(_ schema: JSON, _ type: Value.Type) throws -> Int {
        let example = schemas.example(of: schema)
        #expect(throws: Never.self, "\(type)") { try read(type, example) }
        let properties = schema["properties"]?.members ?? []
        for property in properties {
            var without = example
            without[property.name] = nil
            let isRequired = schema["required"]?.elements.contains(.string(property.name)) == true
            let isNullable =
                property.value["type"]?.elements.contains("null") == true
                || property.value["type"] == "null" || property.value["anyOf"] != nil
            // Which field belongs to which type the Swift type leaves open.
            if isRequired, !isNullable, property.name != "side" {
                #expect(throws: DecodingError.self, "\(type) without \(property.name)") {
                    try read(type, without)
                }
            } else {
                #expect(throws: Never.self, "\(type) without \(property.name)") {
                    try read(type, without)
                }
            }
        }
        return properties.count
    }
}
