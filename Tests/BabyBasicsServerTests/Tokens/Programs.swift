import BabyBasicsAPI

@testable import BabyBasicsServer

extension TestServer {
    /// Makes a token through the API; answers it in the place of a user: `id` is its own.
    func token(
        of user: TestUser, in family: String, scope: String = "read", name: String = "A program",
        until end: Timestamp? = nil
    ) throws -> TestUser {
        var body: [String: JSON] = ["name": .string(name), "family_id": .string(family), "scope": .string(scope)]
        if let end { body["expires_at"] = .string(end.description) }
        let token = send("POST", "users/me/tokens", as: user, .object(body)).json["token"]
        return TestUser(
            id: try token["id"].string.required(), name: name, email: "", token: try token["secret"].string.required())
    }

    /// Brings an account into a family as a caregiver; answers a token of it.
    func member(_ user: TestUser, of family: String, by parent: TestUser) throws -> TestUser {
        let invite = try invite(to: family, by: parent)
        guard send("POST", "invites/accept", as: user, ["token": .string(invite)]).status == 201 else {
            throw Missing()
        }
        return try token(of: user, in: family)
    }
}
