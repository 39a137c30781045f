import BabyBasicsAPI

/// The whole contract as an OpenAPI 3.1 document, made of the endpoint table and of the types of its bodies.
public enum OpenAPI {
    /// The document's text: JSON, indented.
    /// - Parameter version: of the server that it describes.
    public static func document(version: String) -> String {
        contract(version: version).document.description + "\n"
    }

    /// The document, and the schemas that it was made with.
    static func contract(
        version: String,
        features: [(name: String, endpoints: [EndpointDescription])] = Endpoints.features
    ) -> (document: JSON, schemas: Schemas) {
        var schemas = Schemas()
        var paths: JSON = [:]
        for (feature, endpoints) in features {
            for endpoint in endpoints {
                let path = endpoint.documentedPath
                let operation = endpoint.operation(tag: feature, &schemas)
                var item = paths[path] ?? [:]
                item[endpoint.method.rawValue.lowercased()] = operation
                paths[path] = item
            }
        }
        let error = schemas.reference(to: ErrorBody.self, .answer)
        let document: JSON = [
            "openapi": "3.1.0",
            "info": [
                "title": "Baby Basics", "version": .string(version), "description": conventions,
            ],
            "servers": [["url": "/"]],
            "tags": .array(features.map { ["name": .string($0.name)] }),
            "paths": paths,
            "components": [
                "securitySchemes": securitySchemes,
                "parameters": parameters,
                "headers": headers,
                "responses": responses(error: error),
                "schemas": .object(schemas.components),
            ],
        ]
        return (document, schemas)
    }

    private static let conventions: JSON = """
        Families, sharing and baby tracking.

        - JSON in UTF-8, `snake_case`. Ids are lower-case UUIDs. Times are RFC 3339 in UTC with milliseconds; requests may carry any offset. \
        Dates are `YYYY-MM-DD`. Unknown members of a request and unknown query parameters are ignored.
        - Every error, whoever makes it, is `{"error":{"code","message","details":[{"field","message"}]}}`. `details` is empty where there is \
        nothing to point at. A wrong method is answered 405 METHOD_NOT_ALLOWED with `Allow`; HEAD is GET without a body.
        - Which error comes first: 413, unknown route 404, wrong method 405, the address’s limit 429, 401, the user’s limit 429, 415, \
        403 or 404 of the thing, 400, 412, 409.
        - Limits: 100 requests a minute and user, over all sessions; the few endpoints that say so 5 in any 60 s and client address instead \
        (IPv4 address, IPv6 /64), each with a counter of its own. Routes that check the caller’s own \
        password count 5 a minute besides. Bodies end at 64 KiB unless an endpoint says otherwise, and are not compressed.
        - Strangers learn nothing: routes under a family answer 403 to every non-member, whether or not it exists, and routes under a child 404.
        - A POST that creates a family, a child or an event may carry an `id` made by the client: sent again, it answers 200 with what exists, \
        and 410 GONE where the event was deleted meanwhile.
        - Other programs have tokens, which act for a member in one family. Operations that don’t say that they are open to them answer \
        403 “This token may not do that”; each token has 100 requests a minute of its own.
        - Viewers of a family read what caregivers read. Whatever changes something answers them 403.
        - Whatever has a `revision` has it as its `ETag`; `If-Match` makes a change safe against another parent’s.
        """

    private static let securitySchemes: JSON = [
        "session": [
            "type": "http", "scheme": "bearer",
            "description": "The token that registering and logging in answer.",
        ],
        "token": [
            "type": "http", "scheme": "bearer",
            "description":
                "Another program’s, `bb_…`, made by `POST /users/me/tokens`. It acts for whoever made it, in one family.",
        ],
        "cookie": [
            "type": "apiKey", "in": "cookie", "name": "__Host-session",
            "description":
                "For a browser: set by registering and logging in with `\"session\": \"cookie\"`. It is not looked at beside an `Authorization` header. What changes something needs `Sec-Fetch-Site: same-origin` with it, or, where the browser does not send that, the server’s own `Origin`; 403 otherwise.",
        ],
        "administrator": [
            "type": "apiKey", "in": "header", "name": "X-Admin-Token",
            "description": "The token that the deployment was set up with.",
        ],
    ]

    /// `*`, or tags with commas between (RFC 9110, 13.1.1).
    private static let entityTags: String = {
        let tag = "(W/)?\"[!#-~]*\""
        return "^(|\\*|\(tag)([ \\t]*,[ \\t]*\(tag))*)$"
    }()

    private static let parameters: JSON = [
        "IfMatch": [
            "name": "If-Match", "in": "header",
            "description":
                "Do it only if the thing’s ETag is still one of these; 412 otherwise. `*` is any; a weak tag never fits; empty is as good as absent.",
            "schema": [
                "type": "string", "pattern": .string(entityTags), "examples": ["\"42\""],
            ],
        ]
    ]
}
