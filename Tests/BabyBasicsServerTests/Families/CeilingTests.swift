import Postgres
import TestSupport
import Testing

@Suite("Ceilings")
struct CeilingTests {
    let server: TestServer
    let johnny: TestUser
    let family: String

    init() throws {
        server = try TestServer(connections: 8)
        johnny = try server.user("Johnny")
        family = try server.family(of: johnny)
    }

    private func accept(_ token: String, as user: TestUser) -> Answer {
        server.send("POST", "invites/accept", as: user, ["token": .string(token)])
    }

    /// Makes families of a user, past the API.
    private func families(_ count: Int, of user: TestUser) throws {
        try server.database.execute(
            """
            with made as (
                insert into families (name, owner_id, revision)
                select 'Family ' || n, \(user.id)::uuid, 1 from generate_series(1, \(Int64(count))) n returning id
            ), fed as (
                insert into feeds (family_id, last_revision) select id, 2 from made
            )
            insert into family_members (family_id, user_id, role, revision)
            select id, \(user.id)::uuid, 'parent', 2 from made
            """)
    }

    /// Makes members of the family, past the API.
    private func members(_ count: Int) throws {
        try server.database.execute(
            """
            with made as (
                insert into users (email, name, password_hash)
                select 'guest' || n || '@example.com', 'Guest', 'none' from generate_series(1, \(Int64(count))) n
                returning id
            )
            insert into family_members (family_id, user_id, role, revision)
            select \(family)::uuid, id, 'caregiver', 0 from made
            """)
    }

    @Test("A user belongs to at most 50 families, made or joined, also at once")
    func familiesOfUser() throws {
        let maria = try server.user("Maria")
        try families(48, of: maria)
        let token = try server.invite(to: family, by: johnny)
        let other = try server.invite(to: try server.family(of: johnny), by: johnny)
        let answers = race(6) { [server] index in
            switch index {
            case 0: accept(token, as: maria)
            case 1: accept(other, as: maria)
            default: server.send("POST", "families", as: maria, ["name": "Ours"])
            }
        }
        #expect(answers.filter { $0.status == 201 }.count == 2)
        let refused = answers.filter { $0.status == 409 }
        #expect(refused.count == 4)
        #expect(Set(refused.map(\.message)) == ["You belong to 50 families already"])
        #expect(server.send("GET", "families", as: maria).json["count"] == 50)
        let one = try server.database.texts(
            "select family_id::text from family_members where user_id = \(maria.id)::uuid limit 1"
        )[0]
        #expect(server.send("DELETE", "families/\(one)", as: maria).status == 204)
        #expect(server.send("POST", "families", as: maria, ["name": "Ours"]).status == 201)
    }

    @Test("A family made again with its id is shown at the ceiling, too")
    func familyAgain() throws {
        let id = "0e7a1a52-54bb-4a4b-9d2a-3a4b5c6d7e8f"
        let body: JSON = ["id": .string(id), "name": "One"]
        #expect(server.send("POST", "families", as: johnny, body).status == 201)
        try families(48, of: johnny)
        #expect(server.send("POST", "families", as: johnny, body).status == 200)
        #expect(server.send("POST", "families", as: johnny, ["name": ""]).status == 400)
        #expect(server.send("POST", "families", as: johnny, ["name": "Two"]).status == 409)
    }

    @Test("A family has at most 50 members, also when several accept at once")
    func membersOfFamily() throws {
        let tokens = try ["parent", "caregiver", "viewer"].map {
            try server.invite(to: family, as: $0, by: johnny)
        }
        try members(48)
        let users = try tokens.indices.map { try server.user("Racer \($0)") }
        let answers = race(3) { accept(tokens[$0], as: users[$0]) }
        #expect(answers.map(\.status).sorted() == [201, 409, 409])
        #expect(answers.contains { $0.message == "This family already has 50 members" })
        #expect(server.send("GET", "families/\(family)/members", as: johnny).json["count"] == 50)
        let invite = server.send("POST", "families/\(family)/invites", as: johnny, ["role": "viewer"])
        #expect(invite.status == 409)
        #expect(invite.message == "This family already has 50 members")
        try server.database.execute(
            "update family_members set access_until = now() - interval '1 second' where revision = 0")
        #expect(
            server.send("POST", "families/\(family)/invites", as: johnny, ["role": "viewer"]).status == 201,
            "whoever's time is over takes no place")
    }

    @Test("A family has at most 20 children, also when they are added at once")
    func children() throws {
        try server.database.execute(
            """
            insert into children (family_id, name, date_of_birth, revision)
            select \(family)::uuid, 'Child', '2026-01-01', 0 from generate_series(1, 18)
            """)
        let answers = race(5) { [server, johnny, family] index in
            server.send(
                "POST", "families/\(family)/children", as: johnny,
                ["name": .string("Child \(index)"), "date_of_birth": "2026-01-01"])
        }
        #expect(answers.map(\.status).sorted() == [201, 201, 409, 409, 409])
        #expect(answers.contains { $0.message == "This family already has 20 children" })
        #expect(try server.database.count("children") == 20)
    }

    @Test("A family has at most 20 open invites; the same one is shown again")
    func invites() throws {
        @Sendable func invite(_ label: String) -> Answer {
            server.send(
                "POST", "families/\(family)/invites", as: johnny,
                ["role": "caregiver", "label": .string(label)])
        }
        for number in 0..<18 { #expect(invite("\(number)").status == 201) }
        let answers = race(5) { invite("racer \($0)") }
        #expect(answers.map(\.status).sorted() == [201, 201, 409, 409, 409])
        #expect(answers.contains { $0.message == "This family already has 20 open invites" })
        let same = invite("0")
        #expect(same.status == 201)
        let id = try same.json["invite"]["id"].string.required()
        #expect(server.send("DELETE", "families/\(family)/invites/\(id)", as: johnny).status == 204)
        #expect(invite("another").status == 201)
        #expect(server.send("GET", "families/\(family)/invites", as: johnny).json["count"] == 20)
    }
}
