import Postgres
import TestSupport
import Testing

@Suite("Deleting an account beside other changes")
struct AccountDeletionRaceTests {
    let server: TestServer

    init() throws {
        server = try TestServer(connections: 8)
    }

    private func join(_ user: TestUser, _ family: String, as role: String, by parent: TestUser)
        throws
    {
        let token = try server.invite(to: family, as: role, by: parent)
        let answer = server.send("POST", "invites/accept", as: user, ["token": .string(token)])
        guard answer.status == 201 else { throw Missing() }
    }

    /// What must hold whatever happened: no family without a parent, no membership, session or family of a deleted account.
    private func expectSound() throws {
        let wrong = try server.database.texts(
            """
            select 'a family without a parent' from families f
            where not exists (select from family_members m where m.family_id = f.id and m.role = 'parent')
            union all
            select 'a deleted member' from family_members m join users u on u.id = m.user_id
            where u.deleted_at is not null
            union all
            select 'a deleted owner' from families f join users u on u.id = f.owner_id
            where u.deleted_at is not null
            union all
            select 'a session of a deleted account' from sessions s join users u on u.id = s.user_id
            where u.deleted_at is not null
            """)
        #expect(wrong == [])
    }

    @Test("Two parents who both delete their accounts do not leave a caregiver alone")
    func twoParents() throws {
        for _ in 0..<5 {
            let users = [try server.account("One"), try server.account("Two")]
            let family = try server.family(of: users[0])
            try join(users[1], family, as: "parent", by: users[0])
            try join(try server.account("Maria"), family, as: "caregiver", by: users[0])
            let statuses = race(2) { [server] in server.deleteAccount(users[$0]).status }
            #expect(statuses.sorted() == [204, 409])
            try expectSound()
        }
    }

    @Test("Two parents alone who both delete their accounts leave nothing behind")
    func lastTwo() throws {
        for _ in 0..<5 {
            let users = [try server.account("One"), try server.account("Two")]
            let families = try users.map { try server.family(of: $0) }
            try join(users[1], families[0], as: "parent", by: users[0])
            try join(users[0], families[1], as: "parent", by: users[1])
            let statuses = race(2) { [server] in server.deleteAccount(users[$0]).status }
            #expect(statuses == [204, 204])
            #expect(try server.database.count("families") == 0)
        }
    }

    @Test("Sent twice at once, an account is deleted once")
    func twice() throws {
        for _ in 0..<5 {
            let user = try server.account("One")
            let statuses = race(3) { [server] _ in server.deleteAccount(user).status }
            // One check of a user's password at a time: the others find it under way, or the account gone.
            #expect(statuses.filter { $0 == 204 }.count == 1)
            #expect(statuses.filter { $0 == 401 || $0 == 503 }.count == 2)
            #expect(
                try server.database.count(
                    "audit_logs where entity_type = 'user' and action = 'delete' and entity_id = '\(user.id)'"
                ) == 1)
        }
    }

    @Test("Beside an accept, a removal, a new family and a login, everything stays sound")
    func besideOthers() throws {
        for _ in 0..<6 {
            let owner = try server.account("Owner")
            let user = try server.account("User")
            let joined = try server.family(of: owner)
            try join(user, joined, as: "parent", by: owner)
            let other = try server.family(of: owner)
            let token = try server.invite(to: other, as: "parent", by: owner)
            let answers = race(5) { [server] index in
                switch index {
                case 0: server.deleteAccount(user).status
                case 1:
                    server.send("POST", "invites/accept", as: user, ["token": .string(token)])
                        .status
                case 2:
                    server.send("DELETE", "families/\(joined)/members/\(user.id)", as: owner)
                        .status
                case 3: server.send("POST", "families", as: user, ["name": "Mine"]).status
                default: server.logIn(user.email).status
                }
            }
            #expect(answers[0] == 204)
            #expect([201, 401].contains(answers[1]))
            #expect([204, 404].contains(answers[2]))
            #expect([201, 401].contains(answers[3]))
            #expect([200, 401].contains(answers[4]))
            try expectSound()
        }
    }

    @Test("Who joins a family while the deletion waits for another leaves that one too")
    func joinedMeanwhile() throws {
        let owner = try server.account("Owner")
        let user = try server.account("User")
        let first = try server.family(of: owner)
        try join(user, first, as: "caregiver", by: owner)
        let second = try server.family(of: owner)
        let token = try server.invite(to: second, as: "caregiver", by: owner)
        try server.database.asOwner { session in
            let deletion: Background<Int> = try session.transaction {
                try session.execute("select from feeds where family_id = \(first)::uuid for update")
                let deletion = Background { [server] in server.deleteAccount(user).status }
                // It knows of the first family alone, and waits for it.
                try server.database.waitUntilBlocked()
                let accept = server.send(
                    "POST", "invites/accept", as: user, ["token": .string(token)])
                #expect(accept.status == 201)
                return deletion
            }
            #expect(try deletion.value() == 204)
        }
        #expect(try server.database.count("family_members") == 2, "the owner's own")
        try expectSound()
    }

    @Test("An accept, a new family and a login that waited for the deletion come too late")
    func tooLate() throws {
        let owner = try server.account("Owner")
        let user = try server.account("User")
        let family = try server.family(of: owner)
        let token = try server.invite(to: family, as: "caregiver", by: owner)
        try server.database.asOwner { session in
            let late: [Background<Int>] = try session.transaction {
                try session.execute("select from users where id = \(user.id)::uuid for update")
                let late = [
                    Background { [server] in
                        server.send("POST", "invites/accept", as: user, ["token": .string(token)])
                            .status
                    },
                    Background { [server] in
                        server.send("POST", "families", as: user, ["name": "Mine"]).status
                    },
                    Background { [server] in server.logIn(user.email).status },
                    Background { [server] in
                        server.send("PATCH", "users/me", as: user, ["timezone": "UTC"]).status
                    },
                ]
                try server.database.waitUntilBlocked(4)
                try session.execute(
                    """
                    update users set email = null, password_hash = null, deleted_at = now()
                    where id = \(user.id)::uuid
                    """)
                try session.execute("delete from sessions where user_id = \(user.id)::uuid")
                return late
            }
            #expect(try late.map { try $0.value() } == [401, 401, 401, 401])
        }
        try expectSound()
    }
}
