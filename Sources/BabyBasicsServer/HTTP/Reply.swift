public import BabyBasicsAPI
public import FastCGI
public import JSON

/// What a handler answers: a body of the endpoint's type and, where it is one versioned thing, its revision.
struct Reply<Body> {
    var body: Body
    /// Nil stands for the endpoint's own success status.
    var status: Int?
    /// Becomes the ETag.
    var revision: Int64?

    init(_ body: Body, status: Int? = nil, revision: Int64? = nil) {
        self.body = body
        self.status = status
        self.revision = revision
    }
}

extension Reply where Body == Empty {
    static var nothing: Reply<Empty> { Reply(Empty()) }
}

extension Reply where Body: JSONWritable {
    func response(success: Int) -> Response {
        var response = Response(status: status ?? success)
        // With those of the rate limit: an array that grows is copied.
        response.headers.reserveCapacity(5)
        if let revision { response.headers.append(("ETag", "\"\(revision)\"")) }
        guard Body.self != Empty.self, response.status != 204 else { return response }
        response.headers.append(("Content-Type", "application/json"))
        response.body = (body as? WrittenJSON ?? WrittenJSON(body.write)).bytes
        return response
    }
}

extension APIError {
    var response: Response {
        var json = JSONWriter()
        json.object {
            $0.member(
                "error",
                object: {
                    $0.member("code", code.rawValue)
                    $0.member("message", message)
                    $0.member("details", details)
                })
        }
        return Response(
            status: code.status, headers: headers + [("Content-Type", "application/json")],
            body: json.bytes)
    }
}

extension Server {
    /// The answer to a request whose body did not arrive as announced.
    public static func refuse(_ refusal: Refusal) -> Response {
        switch refusal {
        case .malformedBody: APIError(.validationError, "The body did not arrive whole").response
        case .bodyTooLarge: APIError.bodyTooLarge.response
        }
    }
}

extension ErrorBody.Detail: JSONWritable {
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("field", field)
            $0.member("message", message)
            $0.member("reason", reason.rawValue)
        }
    }
}
