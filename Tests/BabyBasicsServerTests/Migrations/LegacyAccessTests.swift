import Cryptography
import Foundation
import Postgres
import TestSupport
import Testing

/// What people of before families can do with the new server.
@Suite("The API on a migrated database")
struct LegacyAccessTests {
    let server: TestServer
    let olivia: TestUser

    init() throws {
        let legacy = try LegacyDatabase()
        try legacy.migrate()
        server = try TestServer(database: legacy.database)
        olivia = TestUser(
            id: LegacyDatabase.olivia, name: "Olivia", email: "olivia@example.com",
            token: LegacyDatabase.sessionToken)
    }

    /// A session for somebody who was there before.
    private func signIn(_ id: String) throws -> TestUser {
        let token = Encoding.hex(try SecureRandom.bytes(32))
        try server.database.execute(
            """
            insert into sessions (user_id, token_hash, expires_at)
            values (\(id)::uuid, \(Encoding.hex(Digest.sha256(token.utf8))), now() + interval '30 days')
            """)
        return TestUser(id: id, name: "", email: "", token: token)
    }

    private func accept(_ token: String, as user: TestUser) -> Answer {
        server.send("POST", "invites/accept", as: user, ["token": .string(token)])
    }

    private func family(of user: TestUser, named name: String) throws -> String {
        let families = server.send("GET", "families", as: user).json["families"].array
        return try families.first { $0["name"].string == name }.required()["id"].string.required()
    }

    @Test("An old session still opens the account, which sees its children under their families")
    func sessions() throws {
        let children = server.send("GET", "children", as: olivia).json["children"].array
        let seen = children.map { child in
            [child["name"], child["role"], child["family_name"]].compactMap(\.string)
                .joined(separator: " ")
        }
        #expect(
            seen.sorted() == [
                "Ada parent Olivia's Family", "Ben parent Olivia's Family",
                "Dora caregiver Mía's Family",
            ])
        let noah = try signIn(LegacyDatabase.noah)
        #expect(server.send("GET", "children", as: noah).json["count"] == 4)
        #expect(
            server.send("DELETE", "children/\(LegacyDatabase.cleo)", as: olivia).status == 404)
        #expect(server.send("DELETE", "children/\(LegacyDatabase.dora)", as: olivia).status == 403)
        #expect(server.send("DELETE", "children/\(LegacyDatabase.ada)", as: noah).status == 204)
    }

    @Test(
        "Links that were open work once, as caregiver links, until seven days after they were made")
    func links() throws {
        #expect(
            try server.database.texts(
                """
                select count(*)::text from share_links
                where nonce is null and role = 'caregiver' and expires_at = created_at + interval '7 days'
                """) == ["4"])
        let stranger = try server.user("Stranger")
        for dead in [LegacyDatabase.usedToken, LegacyDatabase.expiredToken] {
            #expect(accept(dead, as: stranger).status == 404)
        }
        #expect(
            server.send(
                "POST", "invites/preview", ["token": .string(LegacyDatabase.openToken)]
            ).json["invite"]["invited_by"]["name"] == "Olivia Maria Smith")
        #expect(accept(LegacyDatabase.openToken, as: olivia).status == 400, "her own")
        let joined = accept(LegacyDatabase.openToken, as: stranger)
        #expect(joined.status == 201)
        #expect(joined.json["family"]["name"] == "Olivia's Family")
        #expect(joined.json["family"]["role"] == "caregiver")
        #expect(accept(LegacyDatabase.openToken, as: try server.user("Late")).status == 404)
        let late = try server.user("Late")
        server.clock.advance(by: .seconds(59 * 60))
        #expect(
            server.send(
                "POST", "invites/preview", ["token": .string(LegacyDatabase.almostExpiredToken)]
            ).status == 200)
        server.clock.advance(by: .seconds(62))
        #expect(accept(LegacyDatabase.almostExpiredToken, as: late).status == 404)
    }

    @Test("A new invite neither returns nor revokes them; they are listed and can be revoked")
    func newInvites() throws {
        let family = try family(of: olivia, named: "Olivia's Family")
        let path = "families/\(family)/invites"
        let created = server.send("POST", path, as: olivia, ["role": "caregiver"])
        #expect(created.status == 201)
        let invites = server.send("GET", path, as: olivia).json["invites"].array
        #expect(invites.count == 3, "Noah's link to Ben is one of this family's")
        #expect(invites.last?["id"] == created.json["invite"]["id"])
        #expect(
            server.send("POST", path, as: olivia, ["role": "caregiver"]).json == created.json)
        let old = LegacyDatabase.id(3, 1)
        #expect(server.send("DELETE", "\(path)/\(old)", as: olivia).status == 204)
        #expect(accept(LegacyDatabase.openToken, as: try server.user("Late")).status == 404)
        #expect(accept(LegacyDatabase.almostExpiredToken, as: try server.user("Tom")).status == 201)
    }

    @Test("A parent who is removed, or goes, ends them")
    func removedParent() throws {
        let family = try family(of: olivia, named: "Olivia's Family")
        #expect(
            server.send(
                "DELETE", "families/\(family)/members/\(LegacyDatabase.noah)", as: olivia
            ).status == 204)
        let stranger = try server.user("Stranger")
        #expect(accept(LegacyDatabase.openToken, as: stranger).status == 404)
        #expect(accept(LegacyDatabase.almostExpiredToken, as: stranger).status == 404)
    }

    @Test("Names that were too long are cut, and everybody is listed")
    func names() throws {
        let user = try signIn(LegacyDatabase.long)
        #expect(
            server.send("GET", "users/me", as: user).json["user"]["name"].string
                == String(LegacyDatabase.longName.prefix(100)))
        let noah = try signIn(LegacyDatabase.noah)
        let family = try family(of: noah, named: "Noah's Family")
        #expect(server.send("GET", "families/\(family)/members", as: noah).json["count"] == 21)
    }
}
