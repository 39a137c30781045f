import BabyBasicsAPI
import Postgres
import TestSupport
import Testing

@Suite("Families")
struct FamilyTests {
    let server: TestServer
    let johnny: TestUser

    init() throws {
        server = try TestServer()
        johnny = try server.user("Johnny")
    }

    @Test("Create family → 201, user becomes parent member")
    func create() throws {
        let answer = server.send("POST", "families", as: johnny, ["name": "  Johnny's Family \n"])
        #expect(answer.status == 201)
        let family = answer.json["family"]
        #expect(family["name"] == "Johnny's Family")
        #expect(family["sharing_policy"] == "standard")
        #expect(family["owner_id"].string == johnny.id)
        #expect(
            family["created_at"].string?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/)
                != nil)
        #expect(family["created_at"] == family["updated_at"])
        #expect(answer.headers["ETag"] == "\"1\"")
        let members = server.send(
            "GET", "families/\(try family["id"].string.required())/members", as: johnny)
        #expect(members.json["count"] == 1)
        #expect(members.json["members"][0]["user_id"].string == johnny.id)
        #expect(members.json["members"][0]["role"] == "parent")
        #expect(members.json["members"][0]["is_owner"] == true)
    }

    @Test("A user can create multiple families")
    func several() throws {
        let first = try server.family(of: johnny, "One")
        let second = try server.family(of: johnny, "Two")
        #expect(first != second)
        #expect(server.send("GET", "families", as: johnny).json["count"] == 2)
    }

    @Test("List families → returns all families with role and counts")
    func list() throws {
        let maria = try server.user("Maria")
        let own = try server.family(of: maria, "Maria's Family")
        let family = try server.family(of: johnny)
        _ = try server.child(of: family, by: johnny)
        let token = try server.invite(to: family, by: johnny)
        #expect(
            server.send("POST", "invites/accept", as: maria, ["token": .string(token)]).status
                == 201)
        let answer = server.send("GET", "families", as: maria)
        #expect(answer.status == 200)
        #expect(answer.json["count"] == 2)
        let families = answer.json["families"]
        #expect(families[0]["id"].string == own)
        #expect(families[0]["role"] == "parent")
        #expect(families[0]["children_count"] == 0)
        #expect(families[0]["members_count"] == 1)
        #expect(families[1]["id"].string == family)
        #expect(families[1]["role"] == "caregiver")
        #expect(families[1]["children_count"] == 1)
        #expect(families[1]["members_count"] == 2)
    }

    @Test("Get family details → includes members and children")
    func details() throws {
        let family = try server.family(of: johnny)
        let child = try server.child(of: family, by: johnny)
        let maria = try server.member("Maria", of: family, by: johnny)
        let answer = server.send("GET", "families/\(family)", as: maria)
        #expect(answer.status == 200)
        let details = answer.json["family"]
        #expect(details["role"] == "caregiver")
        #expect(details["members"].array.map { $0["name"] } == ["Johnny", "Maria"])
        #expect(details["members"].array.map { $0["email"].string } == [johnny.email, maria.email])
        #expect(
            details["children"]
                == [["id": .string(child), "name": "Baby Bretz", "date_of_birth": "2026-03-15"]])
        #expect(details["updated_at"].string != nil)
    }

    @Test("Update name (parent) → 200")
    func rename() throws {
        let family = try server.family(of: johnny)
        let answer = server.send(
            "PATCH", "families/\(family)", as: johnny, ["name": "The Bretz Family"])
        #expect(answer.status == 200)
        #expect(answer.json["family"]["name"] == "The Bretz Family")
        #expect(
            server.send("GET", "families/\(family)", as: johnny).json["family"]["name"]
                == "The Bretz Family")
    }

    @Test("Update name (caregiver) → 403")
    func renameAsCaregiver() throws {
        let family = try server.family(of: johnny)
        let maria = try server.member("Maria", of: family, by: johnny)
        let answer = server.send("PATCH", "families/\(family)", as: maria, ["name": "Mine"])
        #expect(answer.status == 403)
        #expect(answer.code == "FORBIDDEN")
        #expect(answer.message == "Only parents can update family settings")
    }

    @Test("Delete family (parent) → 204, cascades everything")
    func delete() throws {
        let family = try server.family(of: johnny)
        let child = try server.child(of: family, by: johnny)
        _ = try server.invite(to: family, by: johnny)
        #expect(server.send("POST", "children/\(child)/events", as: johnny, Sample.batch).status == 201)
        let answer = server.send("DELETE", "families/\(family)", as: johnny)
        #expect(answer.status == 204)
        #expect(answer.body.isEmpty)
        for table in ["families", "family_members", "children", "share_links"] + EventKind.all.map(\.plural) {
            #expect(try server.database.count(table) == 0, "\(table)")
        }
        #expect(try server.database.count("audit_logs") > 3, "the audit log stays")
        #expect(server.send("GET", "families/\(family)", as: johnny).status == 403)
        #expect(server.send("GET", "children/\(child)", as: johnny).status == 404)
    }

    @Test("Delete family (caregiver) → 403")
    func deleteAsCaregiver() throws {
        let family = try server.family(of: johnny)
        let maria = try server.member("Maria", of: family, by: johnny)
        let answer = server.send("DELETE", "families/\(family)", as: maria)
        #expect(answer.status == 403)
        #expect(answer.message == "Only parents can delete a family")
        #expect(server.send("GET", "families/\(family)", as: maria).status == 200)
    }

    @Test("Non-member access → 403, the same for a family that does not exist")
    func strangers() throws {
        let family = try server.family(of: johnny)
        let stranger = try server.user("Stranger")
        for (method, path, body) in [
            ("GET", "", nil), ("PATCH", "", ["name": "X"]), ("DELETE", "", nil),
            ("GET", "/members", nil),
            ("DELETE", "/members/\(johnny.id)", nil), ("POST", "/invites", ["role": "parent"]),
            ("POST", "/children", ["name": "X", "date_of_birth": "2026-01-01"]),
        ] as [(String, String, JSON?)] {
            let real = server.send(method, "families/\(family)\(path)", as: stranger, body)
            let other = "01975c0e-0000-7000-8000-000000000000"
            let unreal = server.send(method, "families/\(other)\(path)", as: stranger, body)
            #expect(real.status == 403, "\(method) \(path)")
            #expect(real.message == "Not a member of this family")
            #expect(real.body == unreal.body)
            #expect(unreal.status == 403)
        }
    }

    @Test("An id that is not a UUID is not found", arguments: ["abc", "123", "not-a-uuid-at-all"])
    func malformedIdentifiers(_ id: String) {
        #expect(server.send("GET", "families/\(id)", as: johnny).code == "NOT_FOUND")
        #expect(server.send("GET", "children/\(id)", as: johnny).code == "NOT_FOUND")
    }

    @Test("Names have 1 to 100 characters after trimming, none of them a control character")
    func names() throws {
        let good = [
            String(repeating: "x", count: 100), "👨‍👩‍👧", "\u{3000}Ana\u{2003}", "李雷",
            "O'Brien \"Bob\" \\",
        ]
        for name in good {
            let answer = server.send("POST", "families", as: johnny, ["name": .string(name)])
            #expect(answer.status == 201, "\(name)")
        }
        let bad: [JSON] = [
            "", "   ", "\u{3000}", .string(String(repeating: "x", count: 101)), "a\u{0}b",
            "a\u{7}b",
            "a\u{85}b", nil, 5, ["x"], true,
        ]
        for name in bad {
            let answer = server.send("POST", "families", as: johnny, ["name": name])
            #expect(answer.status == 400, "\(name)")
            #expect(answer.fields == ["name"], "\(name)")
        }
        #expect(server.send("POST", "families", as: johnny, [:]).fields == ["name"])
    }

    @Test("A family made again with the same id by the same user is the same family")
    func clientIdentifier() throws {
        let id = "0e7a1a52-54bb-4a4b-9d2a-3a4b5c6d7e8f"
        let first = server.send("POST", "families", as: johnny, ["id": .string(id), "name": "One"])
        #expect(first.status == 201)
        #expect(first.json["family"]["id"].string == id)
        let again = server.send(
            "POST", "families", as: johnny, ["id": .string(id.uppercased()), "name": 5])
        #expect(again.status == 200)
        #expect(again.json == first.json)
        let stranger = try server.user("Stranger")
        let theirs = server.send(
            "POST", "families", as: stranger, ["id": .string(id), "name": "Two"])
        #expect(theirs.status == 409)
        let theirsToo = server.send(
            "POST", "families", as: stranger, ["id": .string(id), "name": ""])
        #expect(theirsToo.fields == ["name"], "400 comes before 409")
        #expect(server.send("DELETE", "families/\(id)", as: johnny).status == 204)
        let deleted = server.send(
            "POST", "families", as: johnny, ["id": .string(id), "name": "One"])
        #expect(deleted.status == 409)
        #expect(
            server.send("POST", "families", as: johnny, ["id": "x", "name": "One"]).fields == ["id"]
        )
    }

    @Test("Of many simultaneous creations with one id exactly one is the first")
    func clientIdentifierRace() throws {
        for round in 0..<5 {
            let id = "0e7a1a52-54bb-4a4b-9d2a-3a4b5c6d7e8\(round)"
            let answers = race(8) { [server, johnny] _ in
                server.send("POST", "families", as: johnny, ["id": .string(id), "name": "One"])
            }
            #expect(answers.map(\.status).sorted() == [200, 200, 200, 200, 200, 200, 200, 201])
        }
        #expect(try server.database.count("families") == 5)
    }
}
