import BabyBasicsAPI
import Foundation

/// What the server answered to a request that succeeded.
public struct Answer<Body: Sendable>: Sendable {
    public let body: Body
    /// 201 where the request made something, 200 where the server had it already.
    public let status: Int
    /// The version of what was answered, to be given as `ifMatch` with a change of it.
    public let entityTag: EntityTag?
    /// What the server's log knows the request by.
    public let requestID: String?
}

/// The version of a family, a child or an event, as the `ETag` header writes it.
public struct EntityTag: RawRepresentable, Hashable, Sendable {
    /// A quoted number, or `*`.
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The version with this `revision`.
    public static func revision(_ revision: Int64) -> EntityTag {
        EntityTag(rawValue: "\"\(revision)\"")
    }

    /// Any version, as long as the thing exists.
    public static let any = EntityTag(rawValue: "*")
}

extension Answer where Body: Decodable {
    init(_ answer: HTTPAnswer, of endpoint: EndpointDescription, _ decoder: JSONDecoder) throws {
        // The body of an answer that has none is `Empty`, which any object can be read as.
        let bytes = endpoint.answersBody ? answer.body : Data("{}".utf8)
        do {
            body = try decoder.decode(Body.self, from: bytes)
        } catch {
            throw UnreadableAnswer(answer, reason: String(describing: error))
        }
        status = answer.status
        entityTag = answer["ETag"].map(EntityTag.init)
        requestID = answer["X-Request-Id"]
    }
}
