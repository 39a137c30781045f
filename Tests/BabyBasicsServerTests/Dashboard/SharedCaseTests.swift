import BabyBasicsAPI
import Foundation
import Postgres
import TestSupport
import Testing

@testable import BabyBasicsServer

/// The cases that all implementations of the dashboard share: `Tests/Fixtures/dashboard`.
@Suite("Shared dashboard cases")
struct SharedCaseTests {
    static let files = ["days", "clock-changes", "sleep", "totals", "ongoing", "more-kinds"]

    @Test("The server answers each case as it says", arguments: files)
    func cases(_ file: String) throws {
        let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Fixtures/dashboard/\(file).json")
        let cases = try JSON(Array(Data(contentsOf: directory))).array
        #expect(!cases.isEmpty)
        let home = try Household()
        for one in cases where one.hasKnownKinds {
            let answer = try home.answer(one)
            #expect(answer == one["expected"], "\(one["name"].string ?? "")")
        }
    }
}

extension Household {
    /// Has a new child of the family live through a case, and asks for its dashboard.
    fileprivate func answer(_ one: JSON) throws -> JSON {
        let name = one["name"].string ?? ""
        try live(parent, in: one["timezone"].string.required(), from: one["day_start_time"].string.required())
        let child = try server.database.texts(
            """
            insert into children (name, date_of_birth, family_id)
            values ('Case', '2025-01-01', \(family)::uuid) returning id::text
            """
        ).first.required()
        server.clock.stop(at: try Timestamp(one["now"].string.required()).required())
        let deleted = Set(one["deleted"].array.compactMap(\.string))
        var items: [JSON] = []
        for item in one["events"].array {
            if isForgotten(item, at: one["now"]) {
                try forget(item, of: child)
            } else {
                items.append(["type": item["type"], "event": item["event"]])
            }
        }
        // What a case has happen after its moment is logged when it has happened.
        let asked = try Timestamp(one["now"].string.required()).required()
        let last = one["events"].array.flatMap { [$0["at"], $0["event"]["ended_at"]] }
            .compactMap { $0.string.flatMap { Timestamp($0) } }.max()
        server.clock.stop(at: max(asked, last ?? asked))
        if !items.isEmpty {
            let made = server.send(
                "POST", "children/\(child)/events", as: parent, ["events": .array(items)])
            #expect(made.status == 201, "\(name): \(made.message ?? "") \(made.fields)")
        }
        for item in items where deleted.contains(item["event"]["id"].string ?? "") {
            let path =
                "children/\(child)/\(TestServer.plural(item["type"].string ?? ""))/\(item["event"]["id"].string ?? "")"
            #expect(server.send("DELETE", path, as: parent).status == 204, "\(name)")
        }
        server.clock.stop(at: asked)
        let date = one["date"].string.map { "?date=\($0)" } ?? ""
        let answer = server.send("GET", "children/\(child)/dashboard\(date)", as: parent)
        return answer.json["dashboard"].figures(of: one["expected"])
    }

    /// A sleep without an end that the API would not take any more.
    private func isForgotten(_ item: JSON, at now: JSON) -> Bool {
        guard item["type"] == "sleep", item["event"]["ended_at"] == nil,
            let start = item["at"].string.flatMap({ Timestamp($0) }), let now = now.string.flatMap({ Timestamp($0) })
        else { return false }
        return start <= now.adding(.seconds(-86_400))
    }

    private func forget(_ item: JSON, of child: String) throws {
        try server.database.execute(
            """
            insert into events (kind, revision, id, at, child_id, family_id, created_by)
            values (2, 9, \(item["event"]["id"].string)::uuid, \(item["at"].string)::timestamptz, \(child)::uuid,
                \(family)::uuid, \(parent.id)::uuid)
            """)
    }
}

extension JSON {
    fileprivate var hasKnownKinds: Bool {
        self["events"].array.allSatisfy { item in EventKind.all.contains { $0.name == item["type"].string } }
    }

    /// What a case expects of a dashboard: events as their ids.
    fileprivate func figures(of expected: JSON) -> JSON {
        func ids(_ name: String) -> JSON {
            .object(Dictionary(uniqueKeysWithValues: expected[name].keys.map { ($0, self[name][$0]["id"]) }))
        }
        return [
            "day": self["day"], "totals": self["totals"], "last": ids("last"), "ongoing": ids("ongoing"),
            "week": self["week"],
        ]
    }
}
