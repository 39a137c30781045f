import BabyBasicsAPI
import Postgres
import TestSupport
import Testing

@Suite("Deleting an account")
struct AccountDeletionTests {
    let server: TestServer
    let johnny: TestUser

    init() throws {
        server = try TestServer()
        johnny = try server.account("Johnny", email: "johnny@example.com")
    }

    private func member(_ name: String, of family: String, as role: String = "parent") throws
        -> TestUser
    {
        let user = try server.member(name, of: family, as: role, by: johnny)
        try server.database.execute(
            """
            update users set password_hash = (select password_hash from users where id = \(johnny.id)::uuid)
            where id = \(user.id)::uuid
            """)
        return user
    }

    @Test("The account is gone: its sessions end, nobody logs in, and the email can register anew")
    func deletes() throws {
        let phone = try server.anotherSession(of: johnny)
        let answer = server.deleteAccount(johnny)
        #expect(answer.status == 204)
        #expect(answer.body.isEmpty)
        #expect(!server.isSignedIn(johnny))
        #expect(!server.isSignedIn(phone))
        #expect(server.logIn(johnny.email).status == 401)
        let again = server.send(
            "POST", "auth/register",
            [
                "name": "Johnny", "email": .string(johnny.email),
                "password": .string(testPassword),
            ])
        #expect(again.status == 201)
        #expect(again.json["user"]["id"].string != johnny.id)
        #expect(server.logIn(johnny.email).json["user"] == again.json["user"])
    }

    @Test("Without the right password nothing happens")
    func wrongPassword() throws {
        let family = try server.family(of: johnny)
        #expect(server.deleteAccount(johnny, "not my password").status == 403)
        #expect(server.send("DELETE", "users/me", as: johnny, [:]).fields == ["password"])
        #expect(server.send("DELETE", "users/me", as: johnny).status == 400)
        #expect(server.send("GET", "families/\(family)", as: johnny).status == 200)
    }

    @Test("The only parent of families with other members is told which, and nothing happens")
    func onlyParent() throws {
        let stranded = try server.family(of: johnny, "Ours")
        _ = try member("Maria", of: stranded, as: "caregiver")
        let alone = try server.family(of: johnny, "Mine")
        let shared = try server.family(of: johnny, "Shared")
        _ = try member("Sarah", of: shared)
        let answer = server.deleteAccount(johnny)
        #expect(answer.status == 409)
        #expect(answer.code == "CONFLICT")
        #expect(
            answer.json["error"]["details"] == [
                ["field": .string(stranded), "message": "Ours", "reason": "not_allowed"]
            ])
        for family in [stranded, alone, shared] {
            #expect(server.send("GET", "families/\(family)", as: johnny).status == 200)
        }
        #expect(server.send("DELETE", "families/\(stranded)", as: johnny).status == 204)
        #expect(server.deleteAccount(johnny).status == 204)
    }

    @Test("A family with no other member goes with the account, as if it had been deleted")
    func ownFamily() throws {
        let family = try server.family(of: johnny)
        let child = try server.child(of: family, by: johnny)
        #expect(server.send("POST", "children/\(child)/events", as: johnny, Sample.batch).status == 201)
        #expect(server.deleteAccount(johnny).status == 204)
        for table in ["families", "family_members", "children"] + EventKind.all.map(\.plural) {
            #expect(try server.database.count(table) == 0, "\(table)")
        }
        #expect(
            try server.database.texts("select entity::text from tombstones order by 1")
                == ["child", "family"])
        #expect(
            try server.database.texts(
                "select entity_type::text from audit_logs where action = 'delete' and entity_type <> 'session' order by 1"
            ) == ["family", "user"])
    }

    @Test("What was logged stays under the name, and the others learn that the member left")
    func whatStays() throws {
        let family = try server.family(of: johnny)
        let child = try server.child(of: family, by: johnny)
        let maria = try member("Maria", of: family, as: "caregiver")
        try server.database.execute(
            """
            insert into events (kind, revision, child_id, family_id, content, at, created_by)
            values (3, 0, \(child)::uuid, \(family)::uuid, 'First tooth', now(), \(maria.id)::uuid)
            """)
        let before = try server.database.texts("select last_revision::text from feeds")
        #expect(server.deleteAccount(maria).status == 204)
        let author = try server.database.texts(
            """
            select u.name || (u.email is null and u.password_hash is null and u.deleted_at is not null)
            from notes n join users u on u.id = n.created_by
            """)
        #expect(author == ["Mariatrue"])
        let members = server.send("GET", "families/\(family)/members", as: johnny)
        #expect(members.json["members"].array.map { $0["user_id"].string } == [johnny.id])
        // The member's end is the family's next change. The note shows no account with its next reading.
        let note = server.send("GET", "children/\(child)/notes", as: johnny).json["notes"][0]
        #expect(note["created_by"] == ["user_id": nil, "name": "Maria"])
        let revisions = try server.database.texts(
            """
            select (t.revision - \(before[0])::bigint) || ' ' || (f.last_revision - \(before[0])::bigint)
            from tombstones t join feeds f on f.family_id = t.family_id
            where t.entity = 'family_member' and t.entity_id = \(maria.id)::uuid
            """)
        #expect(revisions == ["1 1"])
        let audited = try server.database.texts(
            """
            select entity_type || ' ' || action from audit_logs
            where user_id = \(maria.id)::uuid and action = 'delete' order by 1
            """)
        #expect(audited == ["family_member delete", "session delete", "user delete"])
    }

    @Test("A parent who leaves takes every open invite along; a caregiver none")
    func openInvites() throws {
        let family = try server.family(of: johnny)
        let sarah = try member("Sarah", of: family)
        let maria = try member("Maria", of: family, as: "caregiver")
        let token = try server.invite(to: family, by: johnny)
        #expect(server.deleteAccount(maria).status == 204)
        #expect(server.send("POST", "invites/preview", ["token": .string(token)]).status == 200)
        #expect(server.deleteAccount(sarah).status == 204)
        #expect(server.send("POST", "invites/preview", ["token": .string(token)]).status == 404)
        #expect(
            try server.database.count(
                "audit_logs where entity_type = 'share_link' and action = 'delete'") == 1)
    }

    @Test(
        "Ownership passes to the parent who joined first, under both policies",
        arguments: ["standard", "co_parent"])
    func ownership(_ policy: String) throws {
        let family = try server.family(of: johnny, policy: policy)
        let sarah = try member("Sarah", of: family)
        if policy == "standard" { _ = try member("Tom", of: family) }
        #expect(server.deleteAccount(johnny).status == 204)
        let details = server.send("GET", "families/\(family)", as: sarah).json["family"]
        #expect(details["owner_id"].string == sarah.id)
        #expect(
            try server.database.texts(
                """
                select changes->'owner_id'->>'new' from audit_logs
                where entity_type = 'family' and action = 'update' and user_id = \(johnny.id)::uuid
                """) == [sarah.id])
        let invite = server.send(
            "POST", "families/\(family)/invites", as: sarah, ["role": "parent"])
        #expect(invite.status == 201, "the heir is the owner in everything")
    }

    @Test(
        "Invites to the email end, in families the account never saw too; the email is nowhere any more"
    )
    func invitesToTheEmail() throws {
        let tom = try server.account("Tom")
        let family = try server.family(of: tom)
        func invite(_ role: String) throws -> String {
            let answer = server.send(
                "POST", "families/\(family)/invites", as: tom,
                ["role": .string(role), "invitee_email": "johnny@example.com"])
            return String(try answer.json["invite"]["join_url"].string.required().suffix(22))
        }
        let used = try invite("caregiver")
        #expect(
            server.send("POST", "invites/accept", as: johnny, ["token": .string(used)]).status
                == 201)
        let open = try invite("parent")
        #expect(server.deleteAccount(johnny).status == 204)
        let stranger = try server.account("Stranger")
        #expect(
            server.send("POST", "invites/accept", as: stranger, ["token": .string(open)]).status
                == 404)
        #expect(try server.database.count("share_links where invitee_email is not null") == 0)
        #expect(try server.database.count("share_links where revoked_at is not null") == 1)
        #expect(
            try server.database.texts(
                """
                select coalesce(user_id::text, 'nobody') from audit_logs
                where entity_type = 'share_link' and action = 'delete'
                """) == ["nobody"])
    }

    @Test("Nothing that identifies the person stays anywhere but the name")
    func nothingStays() throws {
        let email = "somebody.unmistakable@example.com"
        let registered = server.send(
            "POST", "auth/register",
            [
                "name": "Unmistakable", "email": .string(email), "password": .string(testPassword),
                "timezone": "Asia/Kathmandu", "day_start_time": "05:55",
            ], headers: ["HTTP_USER_AGENT": "Unmistakable Browser"])
        let user = TestUser(
            id: try registered.json["user"]["id"].string.required(), name: "Unmistakable",
            email: email, token: try registered.json["session"]["token"].string.required())
        let family = try server.family(of: johnny)
        let invite = server.send(
            "POST", "families/\(family)/invites", as: johnny,
            ["role": "parent", "invitee_email": .string(email)])
        let token = String(
            try invite.json["invite"]["join_url"].string.required().suffix(22))
        #expect(
            server.send("POST", "invites/accept", as: user, ["token": .string(token)]).status
                == 201)
        _ = server.logIn(email, "not the password")
        let secrets = try server.database.texts(
            """
            select password_hash from users where id = \(user.id)::uuid
            union all select token_hash from sessions where user_id = \(user.id)::uuid
            union all select account::text from login_places
            union all select place::text from login_places
            union all select account::text from login_failures
            """)
        #expect(secrets.count >= 5)
        #expect(server.deleteAccount(user).status == 204)
        let everything = try server.database.everything()
        for trace in secrets + [email, "Unmistakable Browser", "Asia/Kathmandu", "05:55"] {
            #expect(!everything.lowercased().contains(trace.lowercased()), "\(trace)")
        }
        #expect(everything.contains("Unmistakable"))
    }
}
