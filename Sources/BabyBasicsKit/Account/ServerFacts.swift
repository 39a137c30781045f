import BabyBasicsAPI
import BabyBasicsClient

/// What a server can, as it says to anybody: an app shows nothing else.
public struct ServerFacts: Hashable, Sendable {
    /// Whether it sends mail.
    public let sendsMail: Bool
    /// Whether it takes people with an invite alone.
    public let isByInvitation: Bool
    /// How to reach whoever runs it, in their words; nil where they gave none.
    public let support: String?

    /// One from before it said anything.
    static let older = ServerFacts(sendsMail: false, isByInvitation: false, support: nil)
}

extension ServerFacts {
    init(_ server: AboutServer.Description) {
        self.init(
            sendsMail: server.mail, isByInvitation: server.registration == .invite,
            support: server.support.flatMap { $0.isEmpty ? nil : $0 })
    }
}

extension APIClient {
    func serverFacts() async throws -> ServerFacts {
        do {
            return ServerFacts(try await send(Endpoints.getServer).body.server)
        } catch let failure as APIFailure where failure.status == 404 {
            return .older
        }
    }

    /// Whether the account's email is still to be confirmed: never where the server sends no mail, or does not say.
    func emailIsToBeConfirmed() async throws -> Bool {
        struct Answer: Decodable, Sendable {
            struct User: Decodable, Sendable {
                var isConfirmed: Bool?

                enum CodingKeys: String, CodingKey { case isConfirmed = "email_verified" }
            }

            var user: User
        }
        guard try await serverFacts().sendsMail else { return false }
        return try await ask(Endpoints.getMe.description, as: Answer.self).user.isConfirmed == false
    }
}
