import BabyBasicsAPI
import Postgres
import TestSupport
import Testing

@testable import BabyBasicsServer

@Suite("The dashboard's plans")
struct PlansOfDayTests {
    let phones: Phones

    init() throws {
        phones = try Phones()
        // Nine in the morning in New York.
        try phones.travel(to: "2026-12-10T14:00:00Z")
    }

    private func plans(_ user: TestUser? = nil, on date: String? = nil) -> [JSON] {
        let query = date.map { "?date=\($0)" } ?? ""
        return phones.server.send("GET", "children/\(phones.child)/dashboard\(query)", as: user ?? phones.johnny)
            .json["dashboard"]["plans"].array
    }

    private func give(_ plan: String, _ time: String) throws {
        try phones.log("medication", as: phones.rosa, ["plan_id": .string(plan), "occurred_at": .string(time)])
    }

    @Test("By hours: from its beginning, and then from the last dose on")
    func hours() throws {
        let plan = try phones.plan(["every_hours": 6])
        #expect(plans().map { $0["next_at"] } == [plans()[0]["plan"]["created_at"]])
        try give(plan, "2026-12-10T13:00:00Z")
        let shown = try plans().first.required()
        #expect(shown["next_at"] == "2026-12-10T19:00:00.000Z")
        #expect(shown["given_today"] == 1)
        #expect(shown["last"]["plan_id"].string == plan)
        #expect(shown["last"]["created_by"]["name"] == "Rosa")
        let yesterday = try plans(on: "2026-12-09").first.required()
        #expect(yesterday["next_at"] == .null)
        #expect(yesterday["given_today"] == 0)
        #expect(yesterday["last"] == .null)
    }

    @Test("A dose that was deleted was not given")
    func deleted() throws {
        let plan = try phones.plan(["every_hours": 6])
        let dose = try phones.log("medication", as: phones.rosa, ["plan_id": .string(plan)])
        #expect(plans()[0]["given_today"] == 1)
        #expect(phones.server.send("DELETE", dose, as: phones.rosa).status == 204)
        #expect(plans()[0]["given_today"] == 0)
        #expect(plans()[0]["last"] == .null)
    }

    @Test("By times, in the clocks of whoever looks: what was given before, late or not at all is passed over")
    func times() throws {
        try phones.travel(to: "2026-12-09T14:00:00Z")
        let plan = try phones.plan(["times": ["08:00", "14:00", "20:00"]])
        try phones.travel(to: "2026-12-10T14:00:00Z")
        func next() -> JSON { plans()[0]["next_at"] }
        #expect(next() == "2026-12-10T13:00:00.000Z", "eight, an hour ago")
        try give(plan, "2026-12-10T13:50:00Z")
        #expect(next() == "2026-12-10T19:00:00.000Z")
        try phones.travel(to: "2026-12-10T19:00:00Z")
        try give(plan, "2026-12-10T18:00:00Z")
        #expect(next() == "2026-12-11T01:00:00.000Z", "one o'clock is near enough to two")
        try phones.travel(to: "2026-12-11T14:00:00Z")
        #expect(next() == "2026-12-11T13:00:00.000Z", "what was not given yesterday is over")
        try phones.travel(to: "2026-12-11T19:30:00Z")
        try give(plan, "2026-12-11T19:10:00Z")
        #expect(next() == "2026-12-12T01:00:00.000Z", "the morning's was left out")
        #expect(phones.server.send("PATCH", "users/me", as: phones.sarah, ["timezone": "Europe/Berlin"]).status == 200)
        #expect(plans(phones.sarah)[0]["next_at"] == "2026-12-12T07:00:00.000Z")
    }

    @Test("Once a day, however early or late it was given")
    func daily() throws {
        let plan = try phones.plan(["times": ["12:00"]])
        try give(plan, "2026-12-10T12:30:00Z")
        #expect(plans()[0]["next_at"] == "2026-12-11T17:00:00.000Z")
        try phones.travel(to: "2026-12-12T04:00:00Z")
        #expect(plans()[0]["next_at"] == "2026-12-11T17:00:00.000Z", "eleven in the evening, and not yet given")
        try give(plan, "2026-12-12T03:00:00Z")
        #expect(plans()[0]["next_at"] == "2026-12-12T17:00:00.000Z")
    }

    @Test("Soon after the day's beginning, and given before it: the next is that of the day after tomorrow")
    func early() throws {
        let plan = try phones.plan(["times": ["08:00"]])
        #expect(plans()[0]["next_at"] == "2026-12-11T13:00:00.000Z")
        try phones.travel(to: "2026-12-11T11:40:00Z")
        try give(plan, "2026-12-11T11:30:00Z")
        #expect(plans()[0]["next_at"] == "2026-12-12T13:00:00.000Z", "the day begins at seven")
    }

    @Test("Where the day has as many doses as it may have, the next is tomorrow's", arguments: ["hours", "times"])
    func full(_ form: String) throws {
        let when: [String: JSON] = form == "hours" ? ["every_hours": 4] : ["times": ["08:00", "14:00", "20:00"]]
        let plan = try phones.plan(when.merging(["max_per_day": 2]) { $1 })
        try phones.travel(to: "2026-12-10T20:00:00Z")
        try give(plan, "2026-12-10T14:00:00Z")
        #expect(plans()[0]["next_at"] == (form == "hours" ? "2026-12-10T18:00:00.000Z" : "2026-12-10T19:00:00.000Z"))
        try give(plan, "2026-12-10T18:00:00Z")
        #expect(plans()[0]["next_at"] == (form == "hours" ? "2026-12-11T12:00:00.000Z" : "2026-12-11T13:00:00.000Z"))
    }

    @Test("Those that hold for the day, in the order in which they were made; when needed there is no next")
    func days() throws {
        _ = try phones.plan(["name": "Needed", "starts_on": "2026-12-10"])
        _ = try phones.plan(["name": "Over", "times": ["08:00"], "ends_on": "2026-12-09"])
        _ = try phones.plan(["name": "Last day", "every_hours": 24, "ends_on": "2026-12-10"])
        _ = try phones.plan(["name": "Later", "starts_on": "2026-12-11"])
        #expect(plans().map { $0["plan"]["name"] } == ["Needed", "Last day"])
        #expect(plans()[0]["next_at"] == .null)
        #expect(plans(on: "2026-12-11").map { $0["plan"]["name"] } == ["Needed", "Later"])
        #expect(plans(on: "2026-12-09").map { $0["plan"]["name"] } == ["Over", "Last day"])
        let last = try phones.server.send("GET", "children/\(phones.child)/plans", as: phones.johnny)
            .json["plans"][2]["id"].string.required()
        try give(last, "2026-12-10T13:30:00Z")
        #expect(plans()[1]["next_at"] == .null, "the next would be after its end")
    }
}
