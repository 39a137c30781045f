public import BabyBasicsAPI
public import Foundation

/// What carries one request to the server and its answer back. It neither repeats nor follows anything.
public struct Transport: Sendable {
    /// The duration is the longest time to go without a sign of the server.
    /// Throws `TransportFailure`, and `CancellationError` soon after the task is cancelled.
    public let perform: @Sendable (HTTPRequest, Duration) async throws -> HTTPAnswer

    public init(
        _ perform: @escaping @Sendable (HTTPRequest, Duration) async throws -> HTTPAnswer
    ) {
        self.perform = perform
    }
}

public struct HTTPRequest: Sendable {
    public let method: BabyBasicsAPI.Method
    public let url: URL
    public let headers: [(name: String, value: String)]
    public let body: Data?
}

public struct HTTPAnswer: Sendable {
    public let status: Int
    public let headers: [(name: String, value: String)]
    public let body: Data

    public init(status: Int, headers: [(name: String, value: String)], body: Data) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The first header of a name, in whatever case it came.
    public subscript(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}
