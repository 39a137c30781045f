import BabyBasicsAPI
import BabyBasicsClient

/// What a server can, as it says to anybody: an app shows nothing else.
public struct ServerFacts: Decodable, Hashable, Sendable {
    /// Whether it sends mail.
    public let sendsMail: Bool
    /// Whether it takes people with an invite alone.
    public let isByInvitation: Bool
    /// How to reach whoever runs it, in their words; nil where they gave none.
    public let support: String?

    /// One from before it said anything.
    static let older = ServerFacts(sendsMail: false, isByInvitation: false, support: nil)

    init(sendsMail: Bool, isByInvitation: Bool, support: String?) {
        self.sendsMail = sendsMail
        self.isByInvitation = isByInvitation
        self.support = support
    }

    enum CodingKeys: String, CodingKey {
        case mail, registration, support
    }

    /// Reads what the server says; a later one may take people in other ways.
    public init(from decoder: any Decoder) throws {
        let answer = try decoder.container(keyedBy: CodingKeys.self)
        let support = try answer.decodeIfPresent(String.self, forKey: .support)
        self.init(
            sendsMail: try answer.decode(Bool.self, forKey: .mail),
            isByInvitation: try answer.decode(String.self, forKey: .registration) == "invite",
            support: support.flatMap { $0.isEmpty ? nil : $0 })
    }
}

extension APIClient {
    func serverFacts() async throws -> ServerFacts {
        struct Answer: Decodable, Sendable { var server: ServerFacts }
        do {
            return try await ask(Endpoints.getServer.description, as: Answer.self).server
        } catch let failure as APIFailure where failure.status == 404 {
            return .older
        }
    }
}
