import Postgres
import TestSupport
import Testing

@Suite("Revisions and If-Match")
struct RevisionTests {
    let server: TestServer
    let johnny: TestUser
    let family: String

    init() throws {
        server = try TestServer()
        johnny = try server.user("Johnny")
        family = try server.family(of: johnny)
    }

    private func lastRevision() throws -> String {
        try server.database.texts(
            "select last_revision::text from feeds where family_id = \(family)::uuid"
        ).first.required()
    }

    @Test("Each change takes the family's next number, which the changed row then has")
    func counter() throws {
        #expect(try lastRevision() == "2")
        let child = try server.child(of: family, by: johnny)
        #expect(try lastRevision() == "3")
        let maria = try server.member("Maria", of: family, by: johnny)
        #expect(try lastRevision() == "4")
        let renamed = server.send("PATCH", "families/\(family)", as: johnny, ["name": "Bretz"])
        #expect(renamed.headers["ETag"] == "\"5\"")
        // The child shows the family's name, so that it has changed, too.
        let shown = server.send("GET", "children/\(child)", as: johnny)
        #expect(shown.headers["ETag"] == "\"6\"")
        #expect(shown.json["child"]["family_name"] == "Bretz")
        let changed = server.send("PATCH", "children/\(child)", as: johnny, ["name": "Ana"])
        #expect(changed.headers["ETag"] == "\"7\"")
        #expect(changed.json["child"]["revision"] == 7)
        #expect(server.send("PATCH", "users/me", as: maria, ["name": "María"]).status == 200)
        let members = server.send("GET", "families/\(family)/members", as: johnny).json["members"]
        #expect(members[1]["revision"] == 8)
        #expect(
            server.send("DELETE", "families/\(family)/members/\(maria.id)", as: johnny).status
                == 204)
        #expect(server.send("DELETE", "children/\(child)", as: johnny).status == 204)
        let tombstones = try server.database.texts(
            "select entity || ' ' || revision from tombstones order by revision")
        #expect(tombstones == ["family_member 9", "child 10"])
        #expect(try lastRevision() == "10")
    }

    @Test("What changes nothing takes no number")
    func noChange() throws {
        let child = try server.child(of: family, by: johnny)
        for body: JSON in [["name": "Baby Bretz"], [:]] {
            let answer = server.send("PATCH", "children/\(child)", as: johnny, body)
            #expect(answer.headers["ETag"] == "\"3\"")
        }
        #expect(
            server.send("PATCH", "families/\(family)", as: johnny, [:]).headers["ETag"] == "\"1\"")
        #expect(try lastRevision() == "3")
    }

    @Test("What is refused takes no number, and who has no session waits for nobody")
    func refusals() throws {
        let child = try server.child(of: family, by: johnny)
        let stranger = try server.user("Stranger")
        let caregiver = try server.member("Maria", of: family, by: johnny)
        let nobody = TestUser(id: "", name: "", email: "", token: String(johnny.token.reversed()))
        let before = try lastRevision()
        #expect(
            server.send("PATCH", "children/\(child)", as: stranger, ["name": "X"]).status == 404)
        #expect(server.send("DELETE", "children/\(child)", as: caregiver).status == 403)
        #expect(server.send("PATCH", "children/\(child)", as: johnny, ["name": 5]).status == 400)
        #expect(server.send("POST", "children/\(child)/notes", as: johnny, [:]).status == 400)
        try server.database.asOwner { session in
            try session.transaction {
                try session.execute(
                    "select from feeds where family_id = \(family)::uuid for no key update")
                #expect(
                    server.send("POST", "children/\(child)/notes", as: nobody, [:]).status == 401)
            }
        }
        #expect(try lastRevision() == before)
    }

    @Test("If-Match makes a change safe against another parent's")
    func ifMatch() throws {
        let child = try server.child(of: family, by: johnny)
        for (path, body) in [
            ("families/\(family)", ["name": "New"]),
            ("children/\(child)", ["name": "New", "date_of_birth": "2026-01-01"]),
        ] as [(String, JSON)] {
            // A hundred requests a minute are one user's.
            server.clock.advance(by: .seconds(60))
            let methods =
                path.hasPrefix("children") ? ["PUT", "PATCH", "DELETE"] : ["PATCH", "DELETE"]
            let tag = try server.send("GET", path, as: johnny).headers["ETag"].required()
            for method in methods {
                let sent = method == "DELETE" ? nil : body
                let stale = server.send(
                    method, path, as: johnny, sent, headers: ["HTTP_IF_MATCH": "\"999\""])
                #expect(stale.status == 412, "\(method) \(path)")
                #expect(stale.code == "PRECONDITION_FAILED")
                // Tags are opaque: the same number written otherwise is another tag.
                let digits = tag.filter { $0 != "\"" }
                let others = ["0\(digits)", "+\(digits)", "\(digits).0", ""].map { "\"\($0)\"" }
                for other in others + ["W/\(tag)", others.joined(separator: ", ")] {
                    let answer = server.send(
                        method, path, as: johnny, sent, headers: ["HTTP_IF_MATCH": other])
                    #expect(answer.status == 412, "\(method) \(path) \(other)")
                }
                for malformed in [
                    "w/\(tag)", "\(tag) \"7\"", "*, \(tag)", "7", "\"7", "**", "\" \(digits)\"",
                    "\"7\u{1}\"", ",", "W/", "W/7",
                ] {
                    let answer = server.send(
                        method, path, as: johnny, sent, headers: ["HTTP_IF_MATCH": malformed])
                    #expect(answer.status == 400, "\(malformed)")
                    #expect(answer.fields == ["If-Match"])
                }
                guard method != "DELETE" else { continue }
                let both = server.send(method, path, as: johnny, ["name": ""], headers: ["HTTP_IF_MATCH": "7"])
                #expect(both.status == 400)
                #expect(both.fields.isSuperset(of: ["name", "If-Match"]), "\(method) \(path)")
            }
            let current = server.send(
                "PATCH", path, as: johnny, ["name": "New"], headers: ["HTTP_IF_MATCH": tag])
            #expect(current.status == 200)
            let anything = server.send(
                "PATCH", path, as: johnny, ["name": "Newer"], headers: ["HTTP_IF_MATCH": "*"])
            #expect(anything.status == 200)
        }
    }

    @Test("Of many changes with one If-Match exactly one succeeds")
    func ifMatchRace() throws {
        let child = try server.child(of: family, by: johnny)
        let statuses = race(8) { [server, johnny] index in
            server.send(
                "PATCH", "children/\(child)", as: johnny, ["name": .string("Name \(index)")],
                headers: ["HTTP_IF_MATCH": "\"3\""]
            ).status
        }
        #expect(statuses.sorted() == [200] + Array(repeating: 412, count: 7))
    }

    @Test("Simultaneous changes all get numbers of their own")
    func race8() throws {
        let answers = race(16) { [server, johnny, family] index in
            server.send(
                "POST", "families/\(family)/children", as: johnny,
                ["name": .string("Child \(index)"), "date_of_birth": "2026-01-01"])
        }
        let revisions = answers.compactMap { $0.json["child"]["revision"].number }.sorted()
        #expect(revisions == (3...18).map(Double.init))
    }
}
