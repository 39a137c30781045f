import Foundation
import Postgres
import TestSupport
import Testing

/// Everything that changes what a family owns is in its changes, from the same transaction on.
@Suite("Every change takes a number")
struct MutationTests {
    let server: TestServer
    let johnny: TestUser
    let sarah: TestUser
    let maria: TestUser
    let family: String
    private let known = Known()

    /// What a follower has seen so far.
    private final class Known {
        var follower: Follower?
        var heads: [String] = []
    }

    init() throws {
        server = try TestServer()
        johnny = try server.user("Johnny")
        sarah = try server.user("Sarah")
        maria = try server.user("Maria")
        family = try server.family(of: johnny)
    }

    /// Does something and checks which changes a follower is told of, and that it holds what the server holds.
    private func step(
        _ heads: [String], status: Int, as reader: TestUser? = nil, _ deed: () throws -> Answer,
        at location: SourceLocation = #_sourceLocation
    ) throws {
        let answer = try deed()
        #expect(answer.status == status, sourceLocation: location)
        var follower = known.follower ?? Follower(server, family)
        let user = reader ?? johnny
        let page = server.patiently(
            "GET", "families/\(family)/changes?limit=200&since=\(follower.since.text)", as: user)
        #expect(
            page.json["changes"].array.map {
                "\($0["op"].string ?? "") \($0["entity"].string ?? "")"
            } == heads, sourceLocation: location)
        try follower.catchUp(as: user)
        #expect(
            differences(follower.things, try server.things(of: family, as: user)) == [],
            sourceLocation: location)
        let last = try server.database.texts(
            "select last_revision::text from feeds where family_id = \(family)::uuid")
        #expect(follower.since.text == last.first, sourceLocation: location)
        known.follower = follower
    }

    private func send(
        _ method: String, _ path: String, as user: TestUser? = nil, _ body: JSON? = nil
    )
        -> Answer
    {
        server.patiently(method, path, as: user ?? johnny, body)
    }

    @Test("Families, members and children")
    func households() throws {
        try step(["upsert family", "upsert family_member"], status: 200) {
            send("GET", "families/\(family)")
        }
        let sarahs = try server.invite(to: family, as: "parent", by: johnny)
        try step(["upsert family_member"], status: 201) {
            send("POST", "invites/accept", as: sarah, ["token": .string(sarahs)])
        }
        let marias = try server.invite(to: family, by: sarah)
        try step([], status: 200) { send("GET", "families/\(family)/invites") }
        try step(["upsert family_member"], status: 201) {
            send("POST", "invites/accept", as: maria, ["token": .string(marias)])
        }
        try step([], status: 200) {
            send("POST", "invites/accept", as: maria, ["token": .string(marias)])
        }
        let children = "families/\(family)/children"
        let id = UUID().uuidString.lowercased()
        let ana: JSON = ["id": .string(id), "name": "Ana", "date_of_birth": "2026-01-01"]
        try step(["upsert child"], status: 201) { send("POST", children, ana) }
        try step([], status: 200) { send("POST", children, ana) }
        try step(["upsert child"], status: 200) {
            send("PATCH", "children/\(id)", ["name": "Luz"])
        }
        try step([], status: 200) { send("PATCH", "children/\(id)", ["name": "Luz"]) }
        try step(["upsert child"], status: 200) {
            send("PUT", "children/\(id)", ["name": "Eva", "date_of_birth": "2026-01-02"])
        }
        try step(["upsert family", "upsert child"], status: 200) {
            send("PATCH", "families/\(family)", ["name": "Bretz"])
        }
        try step(["upsert family_member"], status: 200) {
            send("PATCH", "users/me", as: maria, ["name": "María"])
        }
        try step([], status: 200) { send("PATCH", "users/me", as: maria, ["timezone": "UTC"]) }
        try step(["delete family_member"], status: 204) {
            send("DELETE", "families/\(family)/members/\(maria.id)")
        }
        let again = try server.invite(to: family, by: sarah)
        try step(["upsert family_member"], status: 201) {
            send("POST", "invites/accept", as: maria, ["token": .string(again)])
        }
        try step(["delete child"], status: 204) { send("DELETE", "children/\(id)") }
        try step(
            ["delete family_member", "upsert family_member", "upsert family"], status: 204,
            as: sarah
        ) {
            send("DELETE", "families/\(family)/members/\(johnny.id)", as: sarah)
        }
    }

    @Test("Events of every kind", arguments: ChangesTests.bodies)
    func events(_ kind: String, _ body: JSON) throws {
        let child = try server.child(of: family, by: johnny)
        try step(["upsert family", "upsert family_member", "upsert child"], status: 200) {
            send("GET", "children")
        }
        let id = UUID().uuidString.lowercased()
        guard case .object(let members) = body else { throw Missing() }
        let own = JSON.object(members.merging(["id": .string(id)]) { $1 })
        let path = "children/\(child)/\(TestServer.plural(kind))/\(id)"
        let upsert = ["upsert \(kind)"]
        try step(upsert, status: 201) { send("POST", "children/\(child)/\(TestServer.plural(kind))", own) }
        try step([], status: 200) { send("POST", "children/\(child)/\(TestServer.plural(kind))", own) }
        try step(upsert, status: 200) { send("PATCH", path, ["notes": "One"]) }
        try step([], status: 200) { send("PATCH", path, ["notes": "One"]) }
        try step(upsert, status: 200) { send("PUT", path, body) }
        try step(["delete \(kind)"], status: 204) { send("DELETE", path) }
        try step(upsert, status: 200) { send("POST", "\(path)/restore") }
        try step([], status: 200) { send("POST", "\(path)/restore") }
        let item: JSON = ["type": .string(kind), "event": body]
        try step(upsert + upsert, status: 201) {
            send("POST", "children/\(child)/events", ["events": [item, item]])
        }
    }

    @Test("Of a deleted account the family loses the member, and what it logged loses the account")
    func account() throws {
        let registration = server.send(
            "POST", "auth/register",
            ["name": "Nana", "email": "nana@example.com", "password": "correct horse battery"])
        let nana = TestUser(
            id: try registration.json["user"]["id"].string.required(), name: "Nana", email: "",
            token: try registration.json["session"]["token"].string.required())
        let token = try server.invite(to: family, by: johnny)
        #expect(
            send("POST", "invites/accept", as: nana, ["token": .string(token)]).status == 201)
        let child = try server.child(of: family, by: johnny)
        for user in [nana, johnny] {
            for (kind, body) in ChangesTests.bodies {
                #expect(send("POST", "children/\(child)/\(TestServer.plural(kind))", as: user, body).status == 201)
            }
        }
        try step(
            ["upsert family", "upsert family_member", "upsert family_member", "upsert child"]
                + (ChangesTests.bodies + ChangesTests.bodies).map { "upsert \($0.0)" }, status: 200
        ) { send("GET", "children") }
        #expect(send("DELETE", "users/me", as: nana, ["password": "correct horse battery"]).status == 204)
        let since = known.follower.map { $0.since.text } ?? "0"
        let page = send("GET", "families/\(family)/changes?since=\(since)").json["changes"].array
        #expect(page.map { "\($0["op"].text) \($0["entity"].text)" } == [#""delete" "family_member""#])
        // The entries are not numbered anew: who reads them next finds no account.
        let all = send("GET", "families/\(family)/changes?limit=200").json["changes"].array
        let authors = all.map { $0["data"]["created_by"] }.filter { $0["name"] == "Nana" }
        #expect(authors == Array(repeating: ["user_id": nil, "name": "Nana"], count: ChangesTests.bodies.count))
    }

    @Test("Nobody joins under a name that is being changed")
    func nameWhileJoining() throws {
        // A change of name takes its time between its last look at the memberships and its commit.
        try server.database.script(
            """
            create function dawdle() returns trigger language plpgsql as $$
            begin
                if new.entity_type = 'user' then perform pg_sleep(0.5); end if;
                return new;
            end $$;
            create trigger dawdle before insert on audit_logs for each row execute function dawdle();
            """)
        let token = try server.invite(to: family, by: johnny)
        // Renames, joins, makes a family, and looks before the new name's commit.
        let id = UUID().uuidString.lowercased()
        let followers = race(4) { [server, maria, johnny, family] index -> [Follower] in
            if index == 0 { _ = server.send("PATCH", "users/me", as: maria, ["name": "María"]) }
            Thread.sleep(forTimeInterval: 0.2)
            if index == 1 {
                _ = server.send("POST", "invites/accept", as: maria, ["token": .string(token)])
            }
            if index == 2 {
                _ = server.send(
                    "POST", "families", as: maria, ["id": .string(id), "name": "María's"])
            }
            guard index == 3 else { return [] }
            Thread.sleep(forTimeInterval: 0.15)
            var known = Follower(server, family)
            try? known.catchUp(as: johnny)
            var new = Follower(server, id)
            try? new.catchUp(as: maria)
            return [known, new]
        }.joined()
        #expect(followers.count == 2)
        for var follower in followers {
            try follower.catchUp(as: maria)
            let member = follower.things["family_member"]?[maria.id]
            #expect(member?["name"] == "María")
            let truth = try server.things(of: follower.family, as: maria)
            #expect(differences(follower.things, truth) == [])
        }
    }
}
