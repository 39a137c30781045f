import BabyBasicsAPI
import EventLoop
import Foundation
import Postgres
import TestSupport
import Testing

@testable import BabyBasicsServer

@Suite("Tokens of other programs")
struct TokenTests {
    let nursery: Nursery
    var server: TestServer { nursery.server }

    init() throws { nursery = try Nursery() }

    private func send(_ method: String, _ path: String, by token: TestUser, _ body: JSON? = nil) -> Answer {
        server.send(method, path, as: token, body)
    }

    private func waitForNewMinute() {
        let seconds = Int(server.clock.moment().microsecondsSince1970 / 1_000_000 % 60)
        server.clock.advance(by: .seconds(60 - seconds))
    }

    @Test("Its secret is shown once, and the database has its hash alone")
    func secret() throws {
        let answer = server.send(
            "POST", "users/me/tokens", as: nursery.parent,
            ["name": " Home Assistant ", "family_id": .string(nursery.family), "scope": "read"])
        #expect(answer.status == 201)
        let token = answer.json["token"]
        let secret = try token["secret"].string.required()
        #expect(secret.wholeMatch(of: /bb_[A-Za-z0-9_-]{43}/) != nil)
        #expect(token["name"] == "Home Assistant" && token["family_id"].string == nursery.family)
        #expect(token["scope"] == "read" && token["last_used_at"] == .null && token["expires_at"] == .null)
        #expect(try !server.database.everything().contains(secret))
        let list = server.send("GET", "users/me/tokens", as: nursery.parent)
        #expect(list.json["count"] == 1 && list.json["tokens"][0]["id"] == token["id"])
        #expect(!String(decoding: list.body, as: UTF8.self).contains("secret"))
        #expect(server.send("GET", "users/me/tokens", as: nursery.caregiver).json["count"] == 0)
        #expect(!server.log.lines.contains { $0.contains(secret) })
    }

    @Test("What is not as described is refused, and so is a family of others")
    func refusals() throws {
        func fields(_ body: JSON) -> Set<String> {
            server.send("POST", "users/me/tokens", as: nursery.stranger, body).fields
        }
        #expect(fields([:]) == ["name", "family_id", "scope"])
        let past = nursery.hoursAgo(1)
        #expect(
            fields(["name": "x", "family_id": .string(nursery.family), "scope": "all", "expires_at": past])
                == ["scope", "expires_at"])
        for family in [nursery.family, UUID().uuidString] {
            let answer = server.send(
                "POST", "users/me/tokens", as: nursery.stranger,
                ["name": "x", "family_id": .string(family), "scope": "read"])
            #expect(answer.status == 400 && answer.json["error"]["details"][0]["reason"] == "unknown")
        }
        for token in ["bb_", "bb_\(String(repeating: "A", count: 43))", "bb_\(String(repeating: "A", count: 44))"] {
            let answer = send(
                "GET", "families/\(nursery.family)", by: TestUser(id: "", name: "", email: "", token: token))
            #expect(answer.status == 401 && answer.message == "Invalid or expired token")
        }
        // A browser's cookie is a session's alone.
        let token = try server.token(of: nursery.parent, in: nursery.family)
        let answer = server.send(
            "GET", "families/\(nursery.family)", headers: ["HTTP_COOKIE": "__Host-session=\(token.token)"])
        #expect(answer.status == 401)
    }

    @Test("It logs, changes, deletes and restores for its user, and the audit log names it")
    func logs() throws {
        let token = try server.token(of: nursery.caregiver, in: nursery.family, scope: "log", name: "Button")
        let made = send("POST", "children/\(nursery.child)/diapers", by: token, ["type": "wet"])
        #expect(made.status == 201)
        let diaper = made.json["diaper"]
        #expect(diaper["created_by"]["user_id"].string == nursery.caregiver.id)
        let path = "children/\(nursery.child)/diapers/\(try diaper["id"].string.required())"
        #expect(send("PATCH", path, by: token, ["type": "dirty"]).status == 200)
        #expect(send("DELETE", path, by: token).status == 204)
        #expect(send("POST", "\(path)/restore", by: token).status == 200)
        let batch: JSON = [
            "events": [
                ["type": "diaper", "event": ["type": "dry", "occurred_at": nursery.hoursAgo(1)]],
                ["type": "note", "event": ["content": "Hm", "occurred_at": nursery.hoursAgo(1)]],
            ]
        ]
        #expect(send("POST", "children/\(nursery.child)/events", by: token, batch).status == 201)
        let entries = server.send("GET", "families/\(nursery.family)/audit", as: nursery.parent).json["entries"].array
        let own = entries.filter { $0["entity_type"] == "diaper" }
        #expect(own.count == 3)
        for entry in own {
            #expect(entry["token"] == "Button" && entry["user"]["user_id"].string == nursery.caregiver.id)
        }
        let issued = try entries.first { $0["entity_type"] == "token" }.required()
        #expect(issued["action"] == "create" && issued["token"] == .null && issued["changes"]["scope"]["new"] == "log")
        // What somebody does by hand is nobody's else.
        let note = try nursery.log("notes", ["content": "Hm"])["id"].string.required()
        #expect(nursery.send("DELETE", "notes/\(note)").status == 204)
        let last = server.send("GET", "families/\(nursery.family)/audit", as: nursery.parent).json["entries"][0]
        #expect(last["entity_type"] == "note" && last["token"] == .null)
    }

    @Test("In another family of its user it sees, logs and changes nothing")
    func otherFamily() throws {
        let token = try server.token(
            of: nursery.parent, in: server.family(of: nursery.parent, "Another"), scope: "log")
        let id = try nursery.log("diapers", ["type": "wet"])["id"].string.required()
        let diapers = "children/\(nursery.child)/diapers"
        let event: JSON = ["type": "wet", "occurred_at": nursery.hoursAgo(1)]
        let before = try nursery.lastRevision()
        for (method, path, body) in [
            ("GET", diapers, nil), ("POST", diapers, event), ("PATCH", "\(diapers)/\(id)", ["type": "dirty"]),
            ("DELETE", "\(diapers)/\(id)", nil),
            ("POST", "children/\(nursery.child)/events", ["events": [["type": "diaper", "event": event]]]),
        ] as [(String, String, JSON?)] {
            #expect(send(method, path, by: token, body).status == 404, "\(method) \(path)")
        }
        #expect(try nursery.lastRevision() == before)
    }

    @Test("It ends by DELETE, its date, the membership, the account's end and its disabling; a new password leaves it")
    func ends() throws {
        func isAlive(_ token: TestUser) -> Bool {
            let status = send("GET", "families/\(nursery.family)", by: token).status
            #expect(status == 200 || status == 401)
            return status == 200
        }
        let deleted = try server.token(of: nursery.parent, in: nursery.family)
        #expect(isAlive(deleted))
        #expect(server.send("DELETE", "users/me/tokens/\(deleted.id)", as: nursery.caregiver).status == 404)
        #expect(server.send("DELETE", "users/me/tokens/\(deleted.id)", as: nursery.parent).status == 204)
        #expect(server.send("DELETE", "users/me/tokens/\(deleted.id)", as: nursery.parent).status == 404)
        #expect(!isAlive(deleted))

        let dated = try server.token(
            of: nursery.parent, in: nursery.family, until: server.clock.now().adding(.seconds(3600)))
        #expect(isAlive(dated))
        server.clock.advance(by: .seconds(3601))
        #expect(!isAlive(dated))
        #expect(server.send("GET", "users/me/tokens", as: nursery.parent).json["count"] == 0)

        let left = try server.token(of: nursery.caregiver, in: nursery.family)
        #expect(isAlive(left))
        #expect(server.send("POST", "families/\(nursery.family)/leave", as: nursery.caregiver).status == 204)
        #expect(!isAlive(left))
        try server.database.execute(
            """
            insert into family_members (family_id, user_id, role)
            values (\(nursery.family)::uuid, \(nursery.caregiver.id)::uuid, 'caregiver')
            """)
        #expect(!isAlive(left), "a new membership is not the old one")

        let expiring = try server.token(of: nursery.caregiver, in: nursery.family)
        try server.database.execute(
            """
            update family_members set access_until = \(server.clock.now().adding(.seconds(10)))
            where user_id = \(nursery.caregiver.id)::uuid
            """)
        #expect(isAlive(expiring))
        server.clock.advance(by: .seconds(11))
        #expect(!isAlive(expiring))
        #expect(server.send("GET", "users/me/tokens", as: nursery.caregiver).json["count"] == 0)

        let leaving = try server.account("Leaving")
        let ofLeaving = try server.member(leaving, of: nursery.family, by: nursery.parent)
        #expect(isAlive(ofLeaving))
        let password: JSON = ["current_password": .string(testPassword), "new_password": "another long password"]
        #expect(server.send("POST", "auth/change-password", as: leaving, password).status == 204)
        #expect(isAlive(ofLeaving))
        server.clock.advance(by: .seconds(61))
        #expect(server.deleteAccount(leaving, "another long password").status == 204)
        #expect(!isAlive(ofLeaving))

        let disabled = try server.user("Disabled")
        let ofDisabled = try server.member(disabled, of: nursery.family, by: nursery.parent)
        #expect(isAlive(ofDisabled))
        let session = try TestConnection(ConnectionConfiguration(url: server.database.serverURL))
        let (connection, now) = (session.connection, server.clock.now())
        let isDisabled = try TestLoop.run {
            try await AccountAdministration(connection: connection, now: now).disable(disabled.email)
        }
        #expect(isDisabled)
        #expect(!isAlive(ofDisabled))
        #expect(try !server.database.texts("select user_id::text from tokens").contains(disabled.id))
    }

    @Test("When it was used is shown to within a minute, and written no more often")
    func lastUse() throws {
        let token = try server.token(of: nursery.parent, in: nursery.family)
        func lastUse() -> JSON {
            server.send("GET", "users/me/tokens", as: nursery.parent).json["tokens"][0]["last_used_at"]
        }
        server.clock.stop(at: server.clock.now())
        let first = server.clock.now()
        #expect(send("GET", "families/\(nursery.family)", by: token).status == 200)
        #expect(lastUse().string == first.description)
        server.clock.stop(at: first.adding(.seconds(59)))
        #expect(send("GET", "families/\(nursery.family)", by: token).status == 200)
        #expect(lastUse().string == first.description)
        server.clock.stop(at: first.adding(.seconds(61)))
        #expect(send("GET", "families/\(nursery.family)", by: token).status == 200)
        #expect(lastUse().string == first.adding(.seconds(61)).description)
    }

    @Test("An earlier use, written later by another worker, changes nothing; a token that is going is not waited for")
    func usesOfWorkers() throws {
        let tokens = try (0..<2).map { _ in try server.token(of: nursery.parent, in: nursery.family, scope: "log") }
        let callers = try tokens.map {
            Caller(
                userID: try UserID(nursery.parent.id).required(), sessionID: try Identifier($0.id).required(),
                token: CallersToken(name: "", scope: .log))
        }
        let (touches, now) = (server.services.sessionTouches, server.clock.now())
        func write(_ callers: [Caller], _ seconds: Int) {
            TestLoop.shared.sync {
                for caller in callers { touches.note(caller, at: now.adding(.seconds(seconds))) }
                await touches.write()
            }
        }
        for seconds in [7, 3] {
            write([callers[0]], seconds)
            let uses = try server.database.texts("select last_used_at::text from tokens where last_used_at is not null")
            #expect(uses == (try server.database.texts("select \(now.adding(.seconds(7)))::text")))
        }
        try server.database.asOwner { owner in
            try owner.transaction {
                try owner.execute("delete from tokens where id = \(tokens[1].id)::uuid")
                write(callers, 9)
            }
        }
        let list = server.send("GET", "users/me/tokens", as: nursery.parent).json["tokens"].array
        #expect(list.map { $0["last_used_at"].string } == [now.adding(.seconds(9)).description])
    }

    @Test("It has 100 requests a minute of its own")
    func limit() throws {
        let tokens = try (0..<2).map { _ in try server.token(of: nursery.parent, in: nursery.family) }
        waitForNewMinute()
        let path = "families/\(nursery.family)"
        let statuses = (0..<101).map { _ in send("GET", path, by: tokens[0]).status }
        #expect(statuses == Array(repeating: 200, count: 100) + [429])
        #expect(send("GET", path, by: tokens[1]).headers["RateLimit-Remaining"] == "99")
        #expect(server.send("GET", path, as: nursery.parent).status == 200)
    }

    @Test("A user has 20 at most, however many are made at once; those that are over do not count")
    func ceiling() throws {
        for _ in 0..<15 { _ = try server.token(of: nursery.parent, in: nursery.family) }
        let soon = server.clock.now().adding(.seconds(3600))
        for _ in 0..<2 { _ = try server.token(of: nursery.parent, in: nursery.family, until: soon) }
        let statuses = race(10) { [self] _ in
            server.send(
                "POST", "users/me/tokens", as: nursery.parent,
                ["name": "x", "family_id": .string(nursery.family), "scope": "read"]
            ).status
        }
        #expect(statuses.sorted() == [201, 201, 201] + Array(repeating: 409, count: 7))
        server.clock.advance(by: .seconds(3601))
        _ = try server.token(of: nursery.parent, in: nursery.family)
    }

    @Test("Once its end is answered, nothing is logged by it any more: what it was doing came before")
    func revokedWhileUsed() throws {
        for _ in 0..<5 {
            let token = try server.token(of: nursery.parent, in: nursery.family, scope: "log")
            let before = try server.database.count("events")
            let statuses = race(6) { [self] index in
                index == 0
                    ? server.send("DELETE", "users/me/tokens/\(token.id)", as: nursery.parent).status
                    : server.send("POST", "children/\(nursery.child)/diapers", as: token, ["type": "wet"]).status
            }
            #expect(statuses[0] == 204)
            #expect(statuses.dropFirst().allSatisfy { $0 == 201 || $0 == 401 }, "\(statuses)")
            #expect(try server.database.count("events") - before == statuses.count { $0 == 201 })
            #expect(send("POST", "children/\(nursery.child)/diapers", by: token, ["type": "wet"]).status == 401)
            server.clock.advance(by: .seconds(61))
        }
    }

    @Test("A token that is going keeps a change waiting, which then does not happen")
    func revocationWaits() throws {
        let token = try server.token(of: nursery.parent, in: nursery.family, scope: "log")
        let path = "children/\(nursery.child)/diapers"
        let change = try server.database.asOwner { owner in
            try owner.transaction {
                try owner.execute("delete from tokens where id = \(token.id)::uuid")
                let change = Background { [server] in server.send("POST", path, as: token, ["type": "wet"]).status }
                try server.database.waitUntilBlocked()
                return change
            }
        }
        #expect(try change.value() == 401)
        #expect(try server.database.count("events") == 0)
    }

    @Test("Whoever is taken out of a family while a token of it logs: no more is logged than was answered")
    func removedWhileUsed() throws {
        for _ in 0..<5 {
            let member = try server.user("Member")
            let invite = try server.invite(to: nursery.family, by: nursery.parent)
            #expect(server.send("POST", "invites/accept", as: member, ["token": .string(invite)]).status == 201)
            let token = try server.token(of: member, in: nursery.family, scope: "log")
            let before = try server.database.count("events")
            let statuses = race(6) { [self] index in
                index == 0
                    ? server.send("DELETE", "families/\(nursery.family)/members/\(member.id)", as: nursery.parent)
                        .status
                    : server.send("POST", "children/\(nursery.child)/diapers", as: token, ["type": "wet"]).status
            }
            #expect(statuses[0] == 204)
            #expect(statuses.dropFirst().allSatisfy { $0 == 201 || $0 == 401 }, "\(statuses)")
            #expect(try server.database.count("events") - before == statuses.count { $0 == 201 })
            server.clock.advance(by: .seconds(61))
        }
    }

    /// Asks for a token while somebody else's transaction does something that ends what it needs.
    private func made(while statement: SQL) throws -> Answer {
        try server.database.asOwner { owner in
            try owner.transaction {
                try owner.execute("select from users where id = \(nursery.parent.id)::uuid for no key update")
                try owner.execute(statement)
                let body: JSON = ["name": "x", "family_id": .string(nursery.family), "scope": "log"]
                let made = Background { [server, nursery] in
                    server.send("POST", "users/me/tokens", as: nursery.parent, body)
                }
                try server.database.waitUntilBlocked()
                return made
            }
        }.value()
    }

    @Test("None is made for whoever is being taken out of the family, or signed out")
    func madeTooLate() throws {
        let removed = try made(while: "delete from family_members where user_id = \(nursery.parent.id)::uuid")
        #expect(removed.status == 400 && removed.json["error"]["details"][0]["reason"] == "unknown")
        try server.database.execute(
            """
            insert into family_members (family_id, user_id, role)
            values (\(nursery.family)::uuid, \(nursery.parent.id)::uuid, 'parent')
            """)
        let ended = try made(while: "delete from sessions where user_id = \(nursery.parent.id)::uuid")
        #expect(ended.status == 401)
        #expect(try server.database.count("tokens") == 0)
    }

    @Test("The purge takes those whose date has come")
    func purge() throws {
        _ = try server.token(of: nursery.parent, in: nursery.family, until: server.clock.now().adding(.seconds(60)))
        _ = try server.token(of: nursery.parent, in: nursery.family)
        let later = server.clock.now().adding(.seconds(61))
        let session = try TestConnection(ConnectionConfiguration(url: server.database.serverURL))
        let connection = session.connection
        let report = try TestLoop.run { try await Purge(connection: connection, now: later).run() }
        #expect(report.tokens == 1)
        #expect(try server.database.count("tokens") == 1)
    }
}
