import Postgres
import TestSupport
import Testing

@Suite("Audit log")
struct AuditTests {
    let server: TestServer

    init() throws {
        server = try TestServer()
    }

    /// `entity action`, by the user of that name, in the order of writing: several requests can come in one millisecond.
    private func entries() throws -> [String] {
        try server.database.texts(
            """
            select a.entity_type || ' ' || a.action || ' by ' || coalesce(u.name, '-')
            from audit_logs a left join users u on u.id = a.user_id order by a.ctid
            """)
    }

    @Test("Each event is recorded once, with who did it")
    func events() throws {
        let registration = server.send(
            "POST", "auth/register",
            ["name": "Johnny", "email": "j@example.com", "password": "securepassword"])
        let johnny = TestUser(
            id: try registration.json["user"]["id"].string.required(), name: "Johnny", email: "",
            token: try registration.json["session"]["token"].string.required())
        #expect(
            server.send(
                "POST", "auth/login", ["email": "j@example.com", "password": "wrong password"]
            ).status == 401)
        #expect(
            server.send(
                "POST", "auth/login", ["email": "j@example.com", "password": "securepassword"]
            ).status == 200)
        let family = try server.family(of: johnny)
        _ = server.send("PATCH", "families/\(family)", as: johnny, ["name": "Bretz"])
        let child = try server.child(of: family, by: johnny)
        _ = server.send("PATCH", "children/\(child)", as: johnny, ["name": "Ana"])
        let maria = try server.member("Maria", of: family, by: johnny)
        _ = server.send("DELETE", "families/\(family)/members/\(maria.id)", as: johnny)
        _ = server.send("DELETE", "children/\(child)", as: johnny)
        _ = server.send("DELETE", "families/\(family)", as: johnny)
        _ = server.send("POST", "auth/logout", as: johnny)
        #expect(
            try entries() == [
                "user create by Johnny", "session create by Johnny", "family create by Johnny",
                "family update by Johnny", "child create by Johnny", "child update by Johnny",
                "share_link create by Johnny", "family_member create by Maria",
                "share_link update by Maria",
                "family_member delete by Johnny", "child delete by Johnny",
                "family delete by Johnny",
                "session delete by Johnny",
            ])
        let changes = try server.database.texts(
            "select changes::text from audit_logs where entity_type = 'family' and action = 'update'"
        )
        #expect(changes == [#"{"name": {"new": "Bretz", "old": "Johnny's Family"}}"#])
        let member = try server.database.texts(
            "select entity_id::text from audit_logs where entity_type = 'family_member' and action = 'create'"
        )
        #expect(member == [maria.id])
    }

    @Test("What is refused leaves no entry")
    func refusals() throws {
        let johnny = try server.user("Johnny")
        let family = try server.family(of: johnny)
        let before = try entries()
        _ = server.send("PATCH", "families/\(family)", as: johnny, ["name": ""])
        _ = server.send(
            "PATCH", "families/\(family)", as: johnny, ["name": "X"],
            headers: ["HTTP_IF_MATCH": "\"9\""])
        _ = server.send("DELETE", "families/\(family)/members/\(johnny.id)", as: johnny)
        _ = server.send("POST", "invites/accept", as: johnny, ["token": "xK9mLp2qR5tN8vW3yBcd4A"])
        #expect(try entries() == before)
    }

    @Test("It holds no email, password, token or hash")
    func privacy() throws {
        let johnny = try server.user("Johnny", email: "secret@example.com")
        let family = try server.family(of: johnny)
        let answer = server.send(
            "POST", "families/\(family)/invites", as: johnny,
            ["role": "parent", "invitee_email": "invitee@example.com"])
        let token = try answer.json["invite"]["join_url"].string.required().suffix(22)
        let all = try server.database.texts("select to_jsonb(a)::text from audit_logs a").joined()
        for secret in ["secret@example.com", "invitee@example.com", String(token), johnny.token] {
            #expect(!all.contains(secret))
        }
    }

    @Test(
        "The server's role can neither change nor delete entries, nor the schema",
        arguments: [
            "update audit_logs set action = 'x'", "delete from audit_logs", "truncate audit_logs",
            "drop table events", "create table mine ()", "alter table users add column x int",
            "update schema_migrations set name = 'x'", "create role mine",
            "copy users to program 'true'",
        ])
    func permissions(_ statement: String) throws {
        #expect(try server.database.serverRoleMay(statement) == false)
        #expect(
            try server.database.serverRoleMay(
                "insert into audit_logs (entity_type, entity_id, action) values ('x', gen_random_uuid(), 'x')"
            ))
    }
}
