/// A POST to somebody else's server.
public struct OutgoingRequest: Sendable {
    /// `https://`.
    public var url: String
    public var headers: [(name: String, value: String)]
    public var body: [UInt8]
    public var reach: Reach
    /// What its host's name stands for, as libcurl writes it, in place of what a name server says: for tests.
    var addresses: [String] = []

    public init(url: String, headers: [(name: String, value: String)], body: [UInt8], reach: Reach) {
        self.url = url
        self.headers = headers
        self.body = body
        self.reach = reach
    }
}

/// What came of it.
public enum OutgoingResult: Sendable {
    case answered(OutgoingAnswer)
    /// Nobody answered. The reason says nothing of the request.
    case failed(reason: String)
    /// There was nothing to send.
    case notMade
}

public struct OutgoingAnswer: Sendable {
    public var status: Int
    /// In seconds, where the answer says so.
    public var retryAfter: Int?
    /// The beginning of it: no more than 1 KiB is kept.
    public var body: [UInt8]

    public init(status: Int, retryAfter: Int? = nil, body: [UInt8] = []) {
        self.status = status
        self.retryAfter = retryAfter
        self.body = body
    }
}
