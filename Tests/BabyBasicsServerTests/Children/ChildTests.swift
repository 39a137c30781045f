import Postgres
import TestSupport
import Testing

@Suite("Children")
struct ChildTests {
    let server: TestServer
    let johnny: TestUser
    let maria: TestUser
    let family: String

    init() throws {
        server = try TestServer()
        johnny = try server.user("Johnny")
        family = try server.family(of: johnny)
        maria = try server.member("Maria", of: family, by: johnny)
    }

    @Test("Create child in family (parent) → 201")
    func create() throws {
        let answer = server.send(
            "POST", "families/\(family)/children", as: johnny,
            ["name": " Baby Bretz ", "date_of_birth": "2026-03-15", "favourite_colour": "blue"])
        #expect(answer.status == 201)
        let child = answer.json["child"]
        #expect(child["family_id"].string == family)
        #expect(child["name"] == "Baby Bretz")
        #expect(child["date_of_birth"] == "2026-03-15")
        #expect(child["favourite_colour"] == .null)
        #expect(answer.headers["ETag"] == "\"\(Int(try child["revision"].number.required()))\"")
    }

    @Test("Create child (caregiver) → 403")
    func createAsCaregiver() {
        let answer = server.send(
            "POST", "families/\(family)/children", as: maria,
            ["name": "Baby", "date_of_birth": "2026-03-15"])
        #expect(answer.status == 403)
        #expect(answer.message == "Only parents can add children")
    }

    @Test("List children → shows children across all families")
    func list() throws {
        let first = try server.child(of: family, by: johnny)
        let own = try server.family(of: maria, "Maria's Family")
        let second = try server.child(of: own, by: maria, "Luz")
        let answer = server.send("GET", "children", as: maria)
        #expect(answer.status == 200)
        #expect(answer.json["count"] == 2)
        let children = answer.json["children"].array
        #expect(children.map { $0["id"].string } == [first, second])
        #expect(children.map { $0["family_name"] } == ["Johnny's Family", "Maria's Family"])
        #expect(children.map { $0["role"] } == ["caregiver", "parent"])
        #expect(children[0]["family_id"].string == family)
    }

    @Test("Any member reads a child; strangers get the same 404 as for one that does not exist")
    func access() throws {
        let child = try server.child(of: family, by: johnny)
        #expect(
            server.send("GET", "children/\(child)", as: maria).json["child"]["role"] == "caregiver")
        let stranger = try server.user("Stranger")
        for method in ["GET", "PUT", "PATCH", "DELETE"] {
            let body: JSON? =
                method.hasPrefix("P") ? ["name": "X", "date_of_birth": "2026-01-01"] : nil
            let real = server.send(method, "children/\(child)", as: stranger, body)
            let unreal = server.send(
                method, "children/01975c0e-0000-7000-8000-000000000000", as: stranger, body)
            #expect(real.status == 404)
            #expect(real.message == "Child not found")
            #expect(real.body == unreal.body)
        }
    }

    @Test("Parents replace and change a child; caregivers may not")
    func change() throws {
        let child = try server.child(of: family, by: johnny)
        let put = server.send(
            "PUT", "children/\(child)", as: johnny, ["name": "Ana", "date_of_birth": "2026-04-01"])
        #expect(put.status == 200)
        #expect(put.json["child"]["name"] == "Ana")
        let patch = server.send("PATCH", "children/\(child)", as: johnny, ["name": "Ana María"])
        #expect(patch.status == 200)
        #expect(patch.json["child"]["name"] == "Ana María")
        #expect(patch.json["child"]["date_of_birth"] == "2026-04-01")
        let incomplete = server.send("PUT", "children/\(child)", as: johnny, ["name": "Ana"])
        #expect(incomplete.fields == ["date_of_birth"])
        let null = server.send("PATCH", "children/\(child)", as: johnny, ["name": nil])
        #expect(null.fields == ["name"])
        for method in ["PUT", "PATCH"] {
            let answer = server.send(
                method, "children/\(child)", as: maria,
                ["name": "X", "date_of_birth": "2026-04-01"])
            #expect(answer.status == 403)
            #expect(answer.message == "Only parents can edit children")
        }
    }

    @Test("A child stays in its family: another one is refused, its own is no change", arguments: ["PATCH", "PUT"])
    func family(_ method: String) throws {
        let child = try server.child(of: family, by: johnny)
        let other = try server.family(of: johnny, "Another")
        func send(_ family: JSON) -> Answer {
            server.send(
                method, "children/\(child)", as: johnny,
                ["name": "Ana", "date_of_birth": "2026-03-15", "family_id": family])
        }
        for family in [other, "01975c0e-0000-7000-8000-000000000000"] {
            let refused = send(.string(family))
            #expect(refused.status == 400)
            #expect(refused.fields == ["family_id"])
            #expect(refused.json["error"]["details"][0]["reason"] == "not_allowed")
        }
        for nothing in [nil, "x", 5] as [JSON] { #expect(send(nothing).fields == ["family_id"]) }
        #expect(server.send("GET", "children/\(child)", as: johnny).json["child"]["name"] == "Baby Bretz")
        let same = send(.string(family.uppercased()))
        #expect(same.status == 200)
        #expect(same.json["child"]["name"] == "Ana")
    }

    @Test("Parents delete a child with its events; caregivers may not")
    func delete() throws {
        let child = try server.child(of: family, by: johnny)
        let refused = server.send("DELETE", "children/\(child)", as: maria)
        #expect(refused.status == 403)
        #expect(refused.message == "Only parents can delete children")
        try server.database.execute(
            """
            insert into events (kind, revision, child_id, family_id, at) values (2, 9, \(child)::uuid, \(family)::uuid, now())
            """)
        #expect(server.send("DELETE", "children/\(child)", as: johnny).status == 204)
        #expect(server.send("GET", "children/\(child)", as: johnny).status == 404)
        #expect(try server.database.count("sleeps") == 0)
    }

    @Test(
        "Dates of birth reach from 1900 to a year from now",
        arguments: [
            ("1900-01-01", true), ("1899-12-31", false), ("2024-02-29", true),
            ("2026-02-29", false),
            ("2026-13-01", false), ("2026-1-1", false), ("20260101", false), ("", false),
            ("0000-01-01", false), ("9999-12-31", false), ("2026-01-01T00:00:00Z", false),
            ("+2026-01-1", false),
        ])
    func dates(_ date: String, _ accepted: Bool) {
        let answer = server.send(
            "POST", "families/\(family)/children", as: johnny,
            ["name": "Baby", "date_of_birth": .string(date)])
        #expect(answer.status == (accepted ? 201 : 400), "\(date)")
        if !accepted { #expect(answer.fields == ["date_of_birth"]) }
    }

    @Test("A due date up to a year ahead is a date of birth")
    func dueDates() throws {
        func create(_ offset: String) throws -> Int {
            let date = try server.database.texts(
                "select ((now() at time zone 'UTC')::date + \(offset)::interval)::date::text")
            return server.send(
                "POST", "families/\(family)/children", as: johnny,
                ["name": "Baby", "date_of_birth": .string(try date.first.required())]
            ).status
        }
        #expect(try create("1 year") == 201)
        #expect(try create("1 year 2 days") == 400)
    }

    @Test("Every bad field is named")
    func severalProblems() {
        let answer = server.send(
            "POST", "families/\(family)/children", as: johnny,
            ["name": 7, "date_of_birth": "soon", "id": "x"])
        #expect(answer.status == 400)
        #expect(answer.code == "VALIDATION_ERROR")
        #expect(answer.fields == ["name", "date_of_birth", "id"])
    }

    @Test(
        "A child made again with the same id is the same child; the id of anything else is a conflict"
    )
    func clientIdentifier() throws {
        let id = "0e7a1a52-54bb-4a4b-9d2a-3a4b5c6d7e8f"
        let body: JSON = ["id": .string(id), "name": "Ana", "date_of_birth": "2026-03-15"]
        let path = "families/\(family)/children"
        let first = server.send("POST", path, as: johnny, body)
        #expect(first.status == 201)
        let again = server.send("POST", path, as: johnny, ["id": .string(id)])
        #expect(again.status == 200)
        #expect(again.json == first.json)
        let sarah = try server.member("Sarah", of: family, as: "parent", by: johnny)
        #expect(server.send("POST", path, as: sarah, body).status == 409)
        #expect(
            server.send("POST", path, as: sarah, ["id": .string(id), "name": "Ana"]).fields
                == ["date_of_birth"], "400 comes before 409")
        let other = try server.family(of: johnny, "Other")
        #expect(server.send("POST", "families/\(other)/children", as: johnny, body).status == 409)
        #expect(
            server.send("POST", "families", as: johnny, ["id": .string(id), "name": "F"]).status
                == 409)
        #expect(server.send("DELETE", "children/\(id)", as: johnny).status == 204)
        #expect(server.send("POST", path, as: johnny, body).status == 409)
    }
}
