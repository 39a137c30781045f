import BabyBasicsAPI

extension EndpointDescription {
    /// `/children/{childId}` for `/children/:childId`.
    var documentedPath: String {
        path.split(separator: "/").map { $0.first == ":" ? "/{\($0.dropFirst())}" : "/\($0)" }
            .joined()
    }

    var parameterNames: [String] {
        path.split(separator: "/").filter { $0.first == ":" }.map { String($0.dropFirst()) }
    }

    var about: About {
        guard let about = About.of(self) else { preconditionFailure("nothing is told of \(method) \(path)") }
        return about
    }

    /// The endpoint as the document shows it.
    func operation(tag: String, _ schemas: inout Schemas) -> JSON {
        var operation: JSON = [
            "operationId": .string(about.name), "tags": [.string(tag)],
            "summary": .string(about.summary),
            "description": .string(
                [about.detail, whoMay + whichTokens, limits].filter { !$0.isEmpty }.joined(separator: "\n\n")),
            "security": security,
        ]
        let parameters = parameters
        if !parameters.isEmpty { operation["parameters"] = .array(parameters) }
        if takesBody { operation["requestBody"] = requestBody(&schemas) }
        operation["responses"] = responses(&schemas)
        return operation
    }

    private var security: JSON {
        switch access {
        case .anyone: []
        case .admin: [["administrator": []], [:]]
        case .user, .family, .child: tokens == nil ? Self.people : Self.peopleAndPrograms
        }
    }

    private static let people: JSON = [["session": []], ["cookie": []]]
    private static let peopleAndPrograms: JSON = [["session": []], ["cookie": []], ["token": []]]

    /// Whether a cookie may authorise a change, which is then taken from the server's own pages alone.
    private var changesByCookie: Bool {
        switch access {
        case .anyone, .admin: false
        case .user, .family, .child: method != .get
        }
    }

    private var whoMay: String {
        switch access {
        case .anyone: "For anybody."
        case .admin: "For the administrator, or whoever has a mailed link."
        case .user: "For any signed-in user."
        case .family(.member): "For the family’s members."
        case .child(.member): "For the members of the child’s family."
        case .family(.contributor): "For the family’s members, without viewers."
        case .child(.contributor): "For the members of the child’s family, without viewers."
        case .family(.parent): "For the family’s parents."
        case .child(.parent): "For the parents of the child’s family."
        }
    }

    private var whichTokens: String {
        switch tokens {
        case nil: ""
        case .read?: " Open to tokens."
        case .log?: " Open to tokens that may log."
        }
    }

    private var limits: String {
        var limits: [String] = []
        if case .address = limit { limits.append("5 requests in any 60 s and client address.") }
        if maximumBodyBytes != Self.usualBodyBytes {
            limits.append("A body of at most \(maximumBodyBytes / 1024) KiB.")
        }
        return limits.joined(separator: " ")
    }

    private var parameters: [JSON] {
        let inPath = parameterNames.map { name -> JSON in
            [
                "name": .string(name), "in": "path", "required": true,
                "schema": Identifier<EndpointDescription>.schema,
            ]
        }
        let inQuery = about.query.map { parameter -> JSON in
            var json: JSON = [
                "name": .string(parameter.name), "in": "query",
                "description": .string(parameter.description), "schema": parameter.schema,
            ]
            if parameter.isList { json = json.merging(["style": "form", "explode": false]) }
            return json
        }
        let ifMatch: [JSON] =
            about.version == .checked ? [["$ref": "#/components/parameters/IfMatch"]] : []
        return inPath + inQuery + ifMatch
    }

    private func requestBody(_ schemas: inout Schemas) -> JSON {
        let schema = schemas.reference(to: about.request, method == .put ? .replacement : .request)
        let content: JSON = ["schema": schema, "example": schemas.example(of: schema)]
        return [
            "required": true,
            "content": method == .patch
                ? ["application/json": content, "application/merge-patch+json": content]
                : ["application/json": content],
        ]
    }

    private func responses(_ schemas: inout Schemas) -> JSON {
        var responses: JSON = [:]
        let success = success(&schemas)
        if about.answersAgain {
            responses["200"] = success.merging([
                "description": "It was made before, by the same request."
            ])
        }
        responses[String(self.success)] = success.merging(
            links.isEmpty ? [:] : ["links": .object(links)])
        if let cause = about.answersNothing {
            var nothing = success
            nothing["content"] = nil
            responses["204"] = nothing.merging(["description": .string(cause)])
        }
        for code in ErrorCode.allCases where refusals[code] != nil {
            var response: JSON = ["$ref": "#/components/responses/\(code.responseName)"]
            if case .own(let cause) = refusals[code] {
                response["description"] = .string("\(code.rawValue): \(cause)")
            }
            responses[String(code.status)] = response
        }
        // nginx’s own, when no worker answers.
        for status in ["502", "504"] {
            responses[status] = ["$ref": "#/components/responses/ServiceUnavailable"]
        }
        if path == Endpoints.getHealth.description.path {
            responses["503"] = success.merging([
                "description": "The database is away.",
                "headers": (success["headers"] ?? [:]).merging([
                    "Retry-After": OpenAPI.header("RetryAfter")
                ]),
            ])
        }
        return responses
    }

    private func success(_ schemas: inout Schemas) -> JSON {
        var headers: JSON = [
            "X-Request-Id": OpenAPI.header("XRequestId"),
            "Cache-Control": OpenAPI.header("CacheControl"),
        ]
        if limit != .none { headers = headers.merging(OpenAPI.limitHeaders) }
        if about.version != .none, answersBody { headers["ETag"] = OpenAPI.header("ETag") }
        var response: JSON = [
            "description": answersBody ? "As asked." : "Done.", "headers": headers,
        ]
        if answersBody {
            let schema = schemas.reference(to: self.response, .answer)
            response["content"] = [
                "application/json": ["schema": schema, "example": schemas.example(of: schema)]
            ]
        }
        return response
    }

    /// Why an error is answered: for what it means everywhere, or as the endpoint says.
    private enum Cause {
        case usual
        case own(String)

        func text(of code: ErrorCode) -> String {
            switch self {
            case .usual: code.meaning
            case .own(let cause): cause
            }
        }
    }

    /// Every error that the endpoint can answer.
    private var refusals: [ErrorCode: Cause] {
        var refusals: [ErrorCode: Cause] = [
            .validationError: .usual, .internalError: .usual,
            .serviceUnavailable: .usual,
        ]
        func add(_ codes: ErrorCode...) {
            for code in codes { refusals[code] = .usual }
        }
        if access != .anyone { add(.unauthorized) }
        if limit != .none { add(.rateLimited) }
        if takesBody { add(.payloadTooLarge, .unsupportedMediaType) }
        if parameterCount > 0 { add(.notFound) }
        if about.version == .checked { add(.preconditionFailed) }
        switch access {
        case .family: add(.forbidden)
        case .child(.contributor): refusals[.forbidden] = .own(Self.viewersOnlyLook + ".")
        case .child(.parent(let otherwise)): refusals[.forbidden] = .own(otherwise + ".")
        default: break
        }
        for refusal in about.refusals {
            let usual = refusal.code == .validationError ? " Or a field is not as described." : ""
            refusals[refusal.code] = .own(refusal.cause + usual)
        }
        if changesByCookie {
            let causes = [refusals[.forbidden]?.text(of: .forbidden), Self.fromAnotherSite].compactMap { $0 }
            refusals[.forbidden] = .own(causes.joined(separator: " "))
        }
        return refusals
    }

    private static let fromAnotherSite =
        "With a cookie: “This request came from another site”, where no page of this server sent it."

    /// From what a creation answers to every endpoint whose path names it.
    private var links: [JSON.Member] {
        guard success == 201, let thing = about.name.thingCreated else { return [] }
        let parameter = parameterNames + [thing.parameter]
        return Endpoints.all.filter { endpoint in
            endpoint.parameterNames == parameter.suffix(endpoint.parameterCount)
                && endpoint.parameterNames.last == thing.parameter
                && thing.leads(to: endpoint.path)
        }.map { endpoint in
            let values = endpoint.parameterNames.map { name in
                JSON.Member(
                    name: name,
                    value: .string(
                        name == thing.parameter
                            ? "$response.body#/\(thing.member)/id" : "$request.path.\(name)"))
            }
            return .init(
                name: endpoint.about.name,
                value: ["operationId": .string(endpoint.about.name), "parameters": .object(values)])
        }
    }
}

/// What an endpoint creates, and the path parameter that names it.
private struct CreatedThing {
    let member: String
    let parameter: String
    /// What the paths that name it hold before it; nil for any.
    let collection: String

    func leads(to path: String) -> Bool { path.contains("/\(collection)/:\(parameter)") }
}

extension String {
    fileprivate var thingCreated: CreatedThing? {
        let things =
            [
                CreatedThing(member: "family", parameter: "familyId", collection: "families"),
                CreatedThing(member: "child", parameter: "childId", collection: "children"),
                CreatedThing(member: "plan", parameter: "planId", collection: "plans"),
                CreatedThing(member: "reminder", parameter: "reminderId", collection: "reminders"),
                CreatedThing(member: "invite", parameter: "inviteId", collection: "invites"),
                CreatedThing(member: "token", parameter: "tokenId", collection: "tokens"),
                CreatedThing(member: "webhook", parameter: "webhookId", collection: "webhooks"),
            ]
            + EventKind.all.map {
                CreatedThing(member: $0.name, parameter: "eventId", collection: $0.plural)
            }
        return things.first { self == "create" + $0.member.capitalizedFirst }
    }
}
