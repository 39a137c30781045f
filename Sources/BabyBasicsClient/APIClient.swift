public import BabyBasicsAPI
public import Foundation

/// A caller of one server, as one user or as nobody.
///
/// A value: to call as somebody else, copy it and set another `token`. Safe to use from any number of tasks at once.
///
///     var client = APIClient(url)
///     client.token = try await client.send(
///         Endpoints.logIn, body: Credentials(email: email, password: password)
///     ).body.session.token
///     let child = try await client.send(Endpoints.getChild, path: childID)
///     try await client.send(
///         Endpoints.updateChild, path: childID, body: ChildChanges(name: "Wren"),
///         ifMatch: child.entityTag)
public struct APIClient: Sendable {
    /// Scheme, host and port, with a path in front of the API's own if there is one. HTTPS, or this machine itself.
    public let baseURL: URL
    /// Sent with every request that takes one, and with no other.
    public var token: String?
    /// Sent with the endpoints of the administrator alone.
    public var adminToken: String?
    public var retries: RetryPolicy
    private let transport: Transport

    public init(
        _ baseURL: URL, token: String? = nil, retries: RetryPolicy = RetryPolicy(),
        transport: Transport = .urlSession()
    ) {
        self.baseURL = baseURL
        self.token = token
        self.retries = retries
        self.transport = transport
    }

    /// Sends a request, again where that is safe and the policy allows it, and reads the answer.
    ///
    /// - Parameters:
    ///   - path: what the endpoint's path leaves open, from left to right.
    ///   - ifMatch: refuses the change (412) if the thing is no longer at this version.
    /// - Throws: `APIFailure` for a refusal by the server, `TransportFailure` where no answer came,
    ///   `UnreadableAnswer` for one that is not of the contract, `CancellationError`.
    @discardableResult
    public func send<Request, Response>(
        _ endpoint: Endpoint<Request, Response>, path: any PathParameter..., query: Query = .none,
        body: Request, ifMatch: EntityTag? = nil
    ) async throws -> Answer<Response> {
        try await send(endpoint, parameters: path, query: query, body: body, ifMatch: ifMatch)
    }

    /// Sends a request that has no body. Else the same.
    @discardableResult
    public func send<Response>(
        _ endpoint: Endpoint<Empty, Response>, path: any PathParameter..., query: Query = .none,
        ifMatch: EntityTag? = nil
    ) async throws -> Answer<Response> {
        try await send(endpoint, parameters: path, query: query, body: Empty(), ifMatch: ifMatch)
    }

    private func send<Request, Response>(
        _ endpoint: Endpoint<Request, Response>, parameters: [any PathParameter], query: Query,
        body: Request, ifMatch: EntityTag?
    ) async throws -> Answer<Response> {
        let description = endpoint.description
        return try await exchange(
            description, parameters: parameters, query: query, body: body,
            bytes: description.takesBody ? try JSONEncoder.contract.encode(body) : nil, ifMatch: ifMatch,
            decoder: .contract)
    }

    /// Sends a request and reads the answer as a type of the caller's own, by its names on the wire: for a client that
    /// keeps words and fields that this version does not know.
    ///
    /// - Parameter body: nil for an endpoint that takes none.
    /// - Throws: as the others do.
    public func send<Reading: Decodable & Sendable>(
        _ endpoint: EndpointDescription, path: [any PathParameter] = [], query: Query = .none,
        body: (any Encodable & Sendable)? = nil, ifMatch: EntityTag? = nil, reading: Reading.Type
    ) async throws -> Answer<Reading> {
        try await exchange(
            endpoint, parameters: path, query: query, body: body as Any,
            bytes: try body.map { try JSONEncoder.contract.encode($0) }, ifMatch: ifMatch, decoder: JSONDecoder())
    }

    private func exchange<Reading: Decodable & Sendable>(
        _ description: EndpointDescription, parameters: [any PathParameter], query: Query, body: Any, bytes: Data?,
        ifMatch: EntityTag?, decoder: JSONDecoder
    ) async throws -> Answer<Reading> {
        let request = HTTPRequest(
            method: description.method,
            url: try url(description.path(parameters) + query.description),
            headers: headers(for: description, ifMatch: ifMatch), body: bytes)
        let repetition = Repetition(
            of: description, body: body, isConditional: ifMatch != nil, policy: retries)
        let answer = try await repetition.run(request, over: transport)
        return try Answer(answer, of: description, decoder)
    }

    private func headers(
        for endpoint: EndpointDescription, ifMatch: EntityTag?
    ) -> [(name: String, value: String)] {
        var headers = [(name: "Accept", value: "application/json")]
        if endpoint.takesBody { headers.append(("Content-Type", "application/json")) }
        if let ifMatch { headers.append(("If-Match", ifMatch.rawValue)) }
        switch endpoint.access {
        case .anyone: break
        case .admin: adminToken.map { headers.append(("X-Admin-Token", $0)) }
        case .user, .family, .child:
            token.map { headers.append(("Authorization", "Bearer \($0)")) }
        }
        return headers
    }

    private func url(_ path: String) throws -> URL {
        // What goes over plain HTTP is read by everybody on the way, the token too.
        guard baseURL.scheme == "https" || baseURL.scheme == "http" && isLoopback(baseURL.host)
        else {
            throw TransportFailure(.badURL, "\(baseURL) is not an HTTPS address")
        }
        var base = baseURL.absoluteString
        while base.hasSuffix("/") { base.removeLast() }
        guard let url = URL(string: base + path) else {
            throw TransportFailure(.badURL, "\(base)\(path) is not an address")
        }
        return url
    }
}

private func isLoopback(_ host: String?) -> Bool {
    ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host)
}
