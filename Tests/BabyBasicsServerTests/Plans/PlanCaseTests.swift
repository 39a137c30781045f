import BabyBasicsAPI
import Foundation
import Postgres
import TestSupport
import Testing

@testable import BabyBasicsServer

/// The cases that server, web app and kit share: `Tests/Fixtures/plans`.
@Suite("Shared cases of plans")
struct PlanCaseTests {
    @Test("The dashboard answers each case as it says")
    func due() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Fixtures/plans/due.json")
        let cases = try JSON(Array(Data(contentsOf: file))).array
        #expect(cases.count > 20)
        let home = try Household()
        for one in cases {
            let shown = try home.standing(one)
            for member in ["next_at", "given_today"] {
                #expect(shown[member] == one["expected"][member], "\(one["name"].string ?? ""), \(member)")
            }
        }
    }
}

extension Household {
    /// Has a new child of the family live through a case, and asks how its plan stands.
    fileprivate func standing(_ one: JSON) throws -> JSON {
        let (person, plan) = (one["person"], one["plan"])
        try live(parent, in: person["timezone"].string.required(), from: person["day_start_time"].string.required())
        let child = try server.database.texts(
            """
            insert into children (name, date_of_birth, family_id)
            values ('Case', '2025-01-01', \(family)::uuid) returning id::text
            """
        ).first.required()
        func post(_ path: String, at moment: JSON, _ body: JSON) throws -> JSON {
            server.clock.stop(at: try Timestamp(moment.string.required()).required())
            let answer = server.send("POST", "children/\(child)/\(path)", as: parent, body)
            #expect(answer.status == 201, "\(one["name"].string ?? ""): \(answer.fields)")
            return answer.json
        }
        var body: [String: JSON] = [:]
        for member in ["name", "every_hours", "times", "max_per_day", "starts_on", "ends_on"] {
            if plan[member] != .null { body[member] = plan[member] }
        }
        let id = try post("plans", at: plan["created_at"], .object(body))["plan"]["id"]
        for moment in one["given"].array {
            _ = try post(
                "medications", at: moment, ["name": plan["name"], "occurred_at": moment, "plan_id": id])
        }
        server.clock.stop(at: try Timestamp(one["now"].string.required()).required())
        return server.send("GET", "children/\(child)/dashboard", as: parent).json["dashboard"]["plans"][0]
    }
}
