import BabyBasicsAPI
import Foundation
import Postgres
import TestSupport
import Testing

@Suite("Events of each kind")
struct EventTests {
    let nursery: Nursery

    init() throws {
        nursery = try Nursery()
    }

    @Test("Create, read, list, replace, change, delete, restore", arguments: Sample.all)
    func walk(_ sample: Sample) throws {
        let created = nursery.send("POST", sample.kind, sample.most, as: nursery.caregiver)
        #expect(created.status == 201)
        let event = created.json[sample.name]
        let id = try event["id"].string.required()
        guard case .object(let given) = sample.most else { throw Missing() }
        for (name, value) in given { #expect(event[name] == value, "\(name)") }
        #expect(
            event.keys
                == Set(given.keys).union([
                    "id", "child_id", "created_by", "updated_by", "created_at", "updated_at", "revision",
                ]))
        #expect(event["updated_by"] == .null, "nobody has changed it")
        #expect(event["child_id"].string == nursery.child)
        #expect(
            event["created_by"]
                == ["user_id": .string(nursery.caregiver.id), "name": .string("Maria")])
        let revision = try Int(event["revision"].number.required())
        #expect(created.headers["ETag"] == "\"\(revision)\"")
        #expect(try nursery.lastRevision() == revision)

        let path = "\(sample.kind)/\(id)"
        let read = nursery.send("GET", path)
        #expect(read.status == 200)
        #expect(read.json == created.json)
        #expect(read.headers["ETag"] == "\"\(revision)\"")
        let list = nursery.send("GET", sample.kind)
        #expect(list.status == 200)
        #expect(list.json == .object([sample.kind: [event], "count": 1, "next_cursor": nil]))

        let replaced = nursery.send("PUT", path, sample.least)
        #expect(replaced.status == 200)
        let now = replaced.json[sample.name]
        #expect(now["notes"] == .null)
        #expect(now["created_by"]["name"] == "Maria", "who made it does not change")
        #expect(now["updated_by"] == ["user_id": .string(nursery.parent.id), "name": "Johnny"])
        #expect(now["created_at"] == event["created_at"])
        #expect(now["updated_at"] != event["updated_at"])
        #expect(now["revision"].number == Double(revision + 1))

        let changed = nursery.send("PATCH", path, ["notes": " again "])
        #expect(changed.status == 200)
        #expect(changed.json[sample.name]["notes"] == "again")
        #expect(changed.headers["ETag"] == "\"\(revision + 2)\"")

        #expect(nursery.send("DELETE", path).status == 204)
        #expect(try nursery.lastRevision() == revision + 3)
        for method in ["GET", "PUT", "PATCH", "DELETE"] {
            let answer = nursery.send(method, path, method.hasPrefix("P") ? sample.least : nil)
            #expect(answer.status == 404)
            #expect(answer.code == "NOT_FOUND")
        }
        #expect(nursery.send("GET", sample.kind).json["count"] == 0)
        #expect(nursery.send("GET", "timeline").json["count"] == 0)

        let restored = nursery.send("POST", "\(path)/restore")
        #expect(restored.status == 200)
        #expect(restored.headers["ETag"] == "\"\(revision + 4)\"")
        #expect(restored.json[sample.name]["notes"] == "again")
        #expect(nursery.send("GET", path).json == restored.json)
    }

    @Test("What changes nothing takes no number", arguments: Sample.all)
    func noChange(_ sample: Sample) throws {
        let event = try nursery.log(sample.kind, sample.most)
        let path = "\(sample.kind)/\(try event["id"].string.required())"
        let before = try nursery.lastRevision()
        for (method, body): (String, JSON) in [
            ("PATCH", [:]), ("PATCH", ["id": 5, "revision": 99, "created_at": "x"]),
            ("PATCH", sample.most), ("PUT", sample.most), ("PUT", event),
        ] {
            let answer = nursery.send(method, path, body)
            #expect(answer.status == 200)
            #expect(answer.json[sample.name] == event)
        }
        #expect(try nursery.lastRevision() == before)
        #expect(
            try nursery.server.database.count("audit_logs where entity_type = \(sample.name.sql)")
                == 0)
    }

    @Test("Any member does everything; strangers get 404, nobody 401", arguments: Sample.all)
    func access(_ sample: Sample) throws {
        let event = try nursery.log(sample.kind, sample.least)
        let path = "\(sample.kind)/\(try event["id"].string.required())"
        func statuses(_ user: TestUser) -> [Int] {
            [
                ("POST", sample.kind), ("GET", sample.kind), ("GET", path), ("PUT", path),
                ("PATCH", path), ("DELETE", path), ("POST", "\(path)/restore"),
                ("POST", "events"), ("GET", "timeline"),
            ].map { method, path in
                let body: JSON? =
                    path == "events"
                    ? [
                        "events": [
                            ["type": "note", "event": Sample.all[3].least]
                        ]
                    ]
                    : method == "POST" || method == "PUT"
                        ? sample.least.with(["ended_at": "2026-02-25T12:01:00Z"])
                        : method == "PATCH" ? ["notes": "x"] : nil
                let answer = nursery.send(method, path, body, as: user)
                if user.id == nursery.stranger.id { #expect(answer.message == "Child not found") }
                return answer.status
            }
        }
        #expect(statuses(nursery.stranger) == Array(repeating: 404, count: 9))
        #expect(statuses(nursery.caregiver) == [201, 200, 200, 200, 200, 204, 200, 201, 200])
        _ = nursery.server.send(
            "DELETE", "families/\(nursery.family)/members/\(nursery.caregiver.id)",
            as: nursery.parent)
        #expect(statuses(nursery.caregiver) == Array(repeating: 404, count: 9))
        #expect(nursery.server.send("GET", "children/\(nursery.child)/\(path)").status == 401)
        let left = nursery.send("GET", "timeline?types=note").json["events"].array
        #expect(left.contains { $0["event"]["created_by"]["name"] == "Maria" })
    }

    @Test("An event of another child, another kind, or with an id that is no UUID is not found")
    func elsewhere() throws {
        let other = try nursery.server.child(of: nursery.family, by: nursery.parent, "Other")
        let event = try nursery.log("feedings", Sample.all[0].least)
        let id = try event["id"].string.required()
        for method in ["GET", "PUT", "PATCH", "DELETE"] {
            let body: JSON? = method.hasPrefix("P") ? Sample.all[0].least : nil
            #expect(nursery.send(method, "feedings/\(id)", body, child: other).status == 404)
            #expect(nursery.send(method, "diapers/\(id)", body).status == 404)
            for id in ["x", "1", id + "0", id.replacing("-", with: "")] {
                let answer = nursery.send(method, "feedings/\(id)", body)
                #expect(answer.status == 404)
                #expect(answer.code == "NOT_FOUND")
            }
        }
        #expect(nursery.send("POST", "feedings/\(id)/restore", child: other).status == 404)
        #expect(nursery.send("POST", "feedings/x/restore").status == 404)
        #expect(nursery.send("GET", "naps").status == 404)
        #expect(nursery.send("GET", "timeline", child: "x").message == "Child not found")
    }

    @Test("If-Match makes a change safe; 404, then 400, then 412, then 409")
    func preconditions() throws {
        let body: JSON = ["started_at": nursery.hoursAgo(3), "ended_at": nursery.hoursAgo(2)]
        let event = try nursery.log("sleeps", body)
        let path = "sleeps/\(try event["id"].string.required())"
        let revision = try Int(event["revision"].number.required())
        func send(_ method: String, _ tag: String, _ body: JSON? = nil, _ path: String) -> Int {
            nursery.send(method, path, body, headers: ["HTTP_IF_MATCH": tag]).status
        }
        #expect(send("PATCH", "\"1\"", ["notes": "x"], path) == 412)
        #expect(send("PUT", "\"1\"", body, path) == 412)
        #expect(send("DELETE", "\"1\"", nil, path) == 412)
        #expect(send("PATCH", "\"1\"", ["notes": 5], path) == 400)
        for tag in ["x", "\(revision)", "\"1\" \"2\""] {
            #expect(send("PATCH", tag, ["notes": "x"], path) == 400)
        }
        let both = nursery.send("PATCH", path, ["notes": 5], headers: ["HTTP_IF_MATCH": "x"])
        #expect(both.fields == ["notes", "If-Match"])
        for tag in ["W/\"\(revision)\"", "\"1\", \"2\""] {
            #expect(send("PATCH", tag, ["notes": "x"], path) == 412)
        }
        #expect(send("PATCH", "\"1\"", ["notes": "x"], "sleeps/\(nursery.child)") == 404)
        #expect(send("PATCH", "\"\(revision)\"", ["notes": "x"], path) == 200)
        #expect(send("PUT", "*", body.with(["type": "nap"]), path) == 200)
        _ = try nursery.log("sleeps", ["started_at": nursery.hoursAgo(1)])
        #expect(send("PATCH", "\"1\"", ["ended_at": nil], path) == 412)
        #expect(send("PATCH", "*", ["ended_at": nil], path) == 409)
        #expect(send("DELETE", "\"\(revision + 2)\"", nil, path) == 204)
        #expect(send("POST", "\"1\"", nil, "\(path)/restore") == 412)
        #expect(send("POST", "\"\(revision + 4)\"", nil, "\(path)/restore") == 200)
    }

    @Test("Edits and deletions are in the audit log with old and new values; creation is not")
    func audit() throws {
        let event = try nursery.log("feedings", Sample.all[0].most)
        let path = "feedings/\(try event["id"].string.required())"
        _ = nursery.send("PATCH", path, ["amount_ml": 90, "content": nil], as: nursery.caregiver)
        _ = nursery.send("DELETE", path)
        _ = nursery.send("POST", "\(path)/restore", as: nursery.caregiver)
        let rows = try nursery.server.database.texts(
            """
            select u.name || ' ' || action || ' ' || (changes #- '{deleted_at,old}')::text
            from audit_logs a join users u on u.id = a.user_id
            where entity_type = 'feeding' and family_id = \(nursery.family)::uuid order by a.id
            """)
        #expect(rows.count == 3)
        #expect(
            rows.first
                == #"Maria update {"content": {"new": null, "old": "breast_milk"}, "amount_ml": {"new": 90, "old": 120.5}}"#
        )
        #expect(rows[1].hasPrefix("Johnny delete {"))
        #expect(rows[1].contains(#""type": {"new": null, "old": "bottle"}"#))
        #expect(rows[2] == #"Maria update {"deleted_at": {"new": null}}"#)
    }
}

extension String {
    /// As a literal of SQL, for words of a test.
    var sql: String { "'\(self)'" }
}
