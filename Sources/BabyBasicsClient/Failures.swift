public import BabyBasicsAPI
import Foundation

/// The server understood the request and refused it, or failed at it.
public struct APIFailure: Error, Hashable, Sendable {
    public let status: Int
    /// Nil for a code that this version of the contract does not have.
    public let code: ErrorCode?
    /// English, for a person.
    public let message: String
    /// Which fields were refused and why; or the things that stand in the way.
    public let details: [ErrorBody.Detail]
    /// What the server's log knows the request by.
    public let requestID: String?
    /// How long the server asked to be left alone.
    public let retryAfter: Duration?

    public init(
        status: Int, code: ErrorCode?, message: String, details: [ErrorBody.Detail] = [],
        requestID: String? = nil, retryAfter: Duration? = nil
    ) {
        self.status = status
        self.code = code
        self.message = message
        self.details = details
        self.requestID = requestID
        self.retryAfter = retryAfter
    }
}

/// No answer came.
public struct TransportFailure: Error, Hashable, Sendable {
    public enum Reason: Hashable, Sendable {
        /// No connection was made, so nothing was sent.
        case cannotConnect
        /// The server could not show that it is who it should be; nothing was sent.
        case untrustedServer
        /// Whether the server did what was asked is not known.
        case timedOut
        /// Whether the server did what was asked is not known.
        case connectionLost
        /// The address cannot be asked, or not safely; nothing was sent.
        case badURL
        case other
    }

    public let reason: Reason
    /// English, for a person.
    public let message: String

    public init(_ reason: Reason, _ message: String) {
        self.reason = reason
        self.message = message
    }
}

/// An answer that is not of the contract: of another program, of a proxy, or of a later version.
public struct UnreadableAnswer: Error, Hashable, Sendable {
    public let status: Int
    /// What could not be read.
    public let reason: String
    public let requestID: String?

    init(_ answer: HTTPAnswer, reason: String) {
        status = answer.status
        self.reason = reason
        requestID = answer["X-Request-Id"]
    }
}

extension APIFailure: CustomStringConvertible {
    public var description: String {
        let fields = details.map { "; \($0.field): \($0.message)" }.joined()
        let request = requestID.map { " (request \($0))" } ?? ""
        return "\(status) \(code?.rawValue ?? ""): \(message)\(fields)\(request)"
    }
}

extension TransportFailure: CustomStringConvertible {
    public var description: String { message }
}

extension UnreadableAnswer: CustomStringConvertible {
    public var description: String {
        "the answer (\(status)) is not one of Baby Basics: \(reason)"
    }
}

/// The error that an answer which is no success stands for.
func failure(of answer: HTTPAnswer, now: Date) -> any Error {
    guard let body = try? JSONDecoder.contract.decode(LenientErrorBody.self, from: answer.body)
    else { return UnreadableAnswer(answer, reason: "no error envelope") }
    return APIFailure(
        status: answer.status, code: ErrorCode(rawValue: body.error.code),
        message: body.error.message, details: body.error.details ?? [],
        requestID: answer["X-Request-Id"], retryAfter: retryAfter(of: answer, now: now))
}

/// `ErrorBody`, with codes that are still to come.
private struct LenientErrorBody: Decodable {
    var error: Content

    struct Content: Decodable {
        var code: String
        var message: String
        var details: [ErrorBody.Detail]?
    }
}
