import BabyBasicsAPI
public import FastCGI
import JSON

/// What a handler answers: a body of its endpoint's type and, where it is one versioned thing, its revision.
struct Reply<Answer> {
    /// Nil where there is no body.
    private let write: ((inout JSONWriter) -> Void)?
    /// Nil stands for the endpoint's own success status.
    private let status: Int?
    /// Becomes the ETag.
    private let revision: Int64?

    init(_ body: Answer, status: Int? = nil, revision: Int64? = nil) where Answer: Encodable {
        (write, self.status, self.revision) = ({ $0.value(body) }, status, revision)
    }

    init(_ body: some WrittenFor<Answer>, status: Int? = nil, revision: Int64? = nil) {
        (write, self.status, self.revision) = (body.write, status, revision)
    }

    func response(success: Int) -> Response {
        var response = Response(status: status ?? success)
        // With those of the rate limit: an array that grows is copied.
        response.headers.reserveCapacity(5)
        if let revision { response.headers.append(("ETag", "\"\(revision)\"")) }
        guard let write, response.status != 204 else { return response }
        response.headers.append(("Content-Type", "application/json"))
        var json = JSONWriter()
        write(&json)
        response.body = json.bytes
        return response
    }
}

extension Reply<Empty> {
    static var nothing: Reply<Empty> { Reply() }

    private init() { (write, status, revision) = (nil, nil, nil) }
}

/// What is written from the database's rows where an endpoint answers an `Answer`, which would be made for that alone.
protocol WrittenFor<Answer>: JSONWritable {
    associatedtype Answer
}

extension APIError {
    var response: Response {
        var json = JSONWriter()
        json.value(ErrorBody(code: code, message: message, details: details))
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
