import BabyBasicsAPI
import Foundation
import Postgres
import TestSupport
import Testing

@Suite("Dashboard")
struct DashboardTests {
    let home: Household

    init() throws {
        home = try Household()
    }

    @Test("A child without events: zeros and nulls, and seven days")
    func empty() throws {
        let dashboard = try home.dashboard(at: "2026-06-10T12:00:00-04:00")
        #expect(
            dashboard.keys == ["child", "day", "totals", "last", "ongoing", "week", "plans"])
        #expect(dashboard["plans"] == [])
        let child = home.server.send("GET", "children/\(home.child)", as: home.parent)
        #expect(dashboard["child"] == child.json["child"])
        #expect(
            dashboard["day"] == [
                "date": "2026-06-10", "timezone": "America/New_York",
                "starts_at": "2026-06-10T11:00:00.000Z", "ends_at": "2026-06-11T11:00:00.000Z",
            ])
        #expect(
            dashboard.totals == [
                "feedings": ["count": 0, "bottle_ml": 0, "breast_minutes": 0],
                "diapers": ["count": 0, "wet": 0, "dirty": 0, "mixed": 0, "dry": 0],
                "sleep": ["count": 0, "minutes": 0, "longest_minutes": 0], "notes": ["count": 0],
            ])
        #expect(
            dashboard["last"] == ["feeding": nil, "diaper": nil, "sleep": nil, "medication": nil, "temperature": nil])
        #expect(dashboard["ongoing"] == ["feeding": nil, "sleep": nil])
        #expect(
            dashboard["week"].array.map { $0["date"] } == [
                "2026-06-04", "2026-06-05", "2026-06-06", "2026-06-07", "2026-06-08", "2026-06-09",
                "2026-06-10",
            ])
        #expect(
            dashboard["week"][0] == [
                "date": "2026-06-04", "feedings": 0, "bottle_ml": 0, "diapers": 0,
                "sleep_minutes": 0,
            ])
    }

    @Test("Each type is counted as itself; the day's edges belong to the day that they begin")
    func totals() throws {
        try home.feeding("bottle", "2026-06-10T07:00:00-04:00", ml: 333)
        try home.feeding("bottle", "2026-06-10T20:00:00-04:00", ml: 1000)
        try home.feeding("bottle", "2026-06-10T21:00:00-04:00")
        try home.feeding("breast", "2026-06-10T08:00:00-04:00", to: "2026-06-10T08:10:40-04:00")
        try home.feeding("breast", "2026-06-11T06:59:00-04:00", to: "2026-06-11T07:19:30-04:00")
        try home.feeding("breast", "2026-06-10T09:00:00-04:00")
        try home.feeding("solid", "2026-06-10T12:00:00-04:00", to: "2026-06-10T12:30:00-04:00")
        try home.feeding("bottle", "2026-06-10T06:59:59.999-04:00", ml: 500)
        try home.feeding("bottle", "2026-06-11T07:00:00-04:00", ml: 700)
        for type in ["wet", "dirty", "dirty", "mixed", "mixed", "mixed", "dry"] {
            try home.diaper(type, "2026-06-10T10:00:00-04:00")
        }
        try home.diaper("wet", "2026-06-10T06:00:00-04:00")
        try home.note("2026-06-10T07:00:00-04:00")
        try home.note("2026-06-11T07:00:00-04:00")
        let dashboard = try home.dashboard(at: "2026-06-11T12:00:00-04:00", date: "2026-06-10")
        #expect(
            dashboard.totals["feedings"] == [
                "count": 7, "bottle_ml": 133.3, "breast_minutes": 31,
            ])
        #expect(
            dashboard.totals["diapers"] == [
                "count": 7, "wet": 1, "dirty": 2, "mixed": 3, "dry": 1,
            ])
        #expect(dashboard.totals["notes"] == ["count": 1])
        #expect(
            dashboard["week"][6] == [
                "date": "2026-06-10", "feedings": 7, "bottle_ml": 133.3, "diapers": 7,
                "sleep_minutes": 0,
            ])
        #expect(
            dashboard["week"][5] == [
                "date": "2026-06-09", "feedings": 1, "bottle_ml": 50, "diapers": 1,
                "sleep_minutes": 0,
            ])
    }

    @Test("What was deleted and what is another child's does not count")
    func others() throws {
        let other = try home.server.child(of: home.family, by: home.parent, "Luz")
        for sample in Sample.all {
            let (columns, values) = sample.row(at: "'2026-06-10 16:00Z'", hasEnd: false)
            try home.server.database.execute(
                """
                insert into events (\(unescaped: columns), revision, child_id, family_id, deleted_at)
                values (\(unescaped: values), 9, \(home.child)::uuid, \(home.family)::uuid, '2026-06-10 17:00Z'),
                    (\(unescaped: values), 9, \(other)::uuid, \(home.family)::uuid, null)
                """)
        }
        let now = "2026-06-10T18:00:00Z"
        let own = try home.dashboard(at: now)
        #expect(own["last"] == ["feeding": nil, "diaper": nil, "sleep": nil, "medication": nil, "temperature": nil])
        #expect(own["ongoing"] == ["feeding": nil, "sleep": nil])
        #expect(own["week"][6]["feedings"] == 0)
        #expect(own.totals["sleep"]["count"] == 0)
        let theirs = try home.dashboard(at: now, of: other)
        #expect(theirs.totals["sleep"]["minutes"] == 120)
    }

    @Test(
        "The last of each kind is the latest before the day's end, however old, as its own route shows it"
    )
    func last() throws {
        let old = try home.feeding("breast", "2026-01-01T10:00:00Z", to: "2026-01-01T10:10:00Z")
        let feeding = try home.feeding("bottle", "2026-06-11T10:59:59Z", ml: 905)
        let diaper = try home.diaper("dirty", "2026-06-08T10:00:00Z")
        let sleep = try home.sleep("2026-06-11T10:00:00Z", to: "2026-06-11T12:00:00Z")
        try home.feeding("bottle", "2026-06-11T11:00:00Z", ml: 100)
        let medication = try home.log("medication", "2026-06-11T10:59:59.999Z")
        let temperature = try home.log("temperature", "2026-04-01T10:00:00Z")
        for kind in ["medication", "temperature"] { try home.log(kind, "2026-06-11T11:00:00Z") }
        let now = "2026-06-12T12:00:00Z"
        let last = try home.dashboard(at: now, date: "2026-06-10")["last"]
        for (kind, id) in [
            ("feeding", feeding), ("diaper", diaper), ("sleep", sleep), ("medication", medication),
            ("temperature", temperature),
        ] {
            let own = home.server.send(
                "GET", "children/\(home.child)/\(kind)s/\(id)", as: home.parent)
            #expect(own.status == 200)
            #expect(last[kind] == own.json[kind])
        }
        let before = try home.dashboard(at: now, date: "2026-03-01")["last"]
        #expect(before["feeding"]["id"].string == old)
        #expect(before["diaper"] == nil && before["medication"] == nil && before["temperature"] == nil)
    }

    @Test("Of events at one moment the greater id is the last")
    func ties() throws {
        let ids = try (0..<4).map { _ in try home.diaper("wet", "2026-06-10T10:00:00-04:00") }
        let dashboard = try home.dashboard(at: "2026-06-10T12:00:00-04:00")
        #expect(dashboard["last"]["diaper"]["id"].string == ids.max())
    }

    @Test("A feed at the breast without an end goes on for four hours at most, and only today")
    func ongoingFeeding() throws {
        let first = try home.feeding("breast", "2026-06-10T12:00:00Z")
        let second = try home.feeding("breast", "2026-06-10T13:00:00Z")
        let bottle = try home.feeding("bottle", "2026-06-10T14:00:00Z")
        try home.feeding("breast", "2026-06-10T14:10:00Z", to: "2026-06-10T14:20:00Z")
        func ongoing(_ now: String, date: String? = nil) throws -> String? {
            try home.dashboard(at: now, date: date)["ongoing"]["feeding"]["id"].string
        }
        #expect(try ongoing("2026-06-10T14:30:00Z") == second)
        #expect(try ongoing("2026-06-10T14:30:00Z", date: "2026-06-10") == second)
        #expect(try ongoing("2026-06-10T16:59:50Z") == second)
        #expect(try ongoing("2026-06-10T17:00:01Z") == nil)
        #expect(try ongoing("2026-06-10T14:30:00Z", date: "2026-06-09") == nil)
        #expect(try ongoing("2026-06-10T14:30:00Z", date: "2026-06-11") == nil)
        // An earlier one is not ongoing once the later one has ended.
        try home.server.database.execute(
            "update events set ended_at = '2026-06-10 13:20Z' where id = \(second)::uuid")
        #expect(try ongoing("2026-06-10T14:30:00Z") == first)
        #expect(first != bottle)
    }

    @Test(
        "A date that is none, or is beyond what zones are known for, is named",
        arguments: [
            "", "today", "2026-02-29", "2026-2-1", "20260201", "1899-12-31", "2101-01-01",
            "0000-01-01", "9999-12-31", "2026-01-01T00:00:00Z", "%00", "2026-01-01%00", "+2026-1-1",
            "2026-01-01&date=2026-01-02", "%",
        ])
    func badDates(_ date: String) {
        let path = "children/\(home.child)/dashboard?date=\(date)"
        let answer = home.server.send("GET", path, as: home.parent)
        #expect(answer.status == 400)
        #expect(answer.code == "VALIDATION_ERROR")
        #expect(answer.fields == ["date"])
    }

    @Test("The first and the last date", arguments: ["1900-01-01", "2100-12-31"])
    func farDates(_ date: String) throws {
        let dashboard = try home.dashboard(at: "2026-06-10T12:00:00Z", date: date)
        #expect(dashboard["day"]["date"].string == date)
        #expect(dashboard["week"].array.count == 7)
    }

    @Test("The answer is what the contract's type reads")
    func type() throws {
        try home.feeding("bottle", "2026-06-10T12:00:00Z", ml: 905)
        try home.feeding("breast", "2026-06-10T14:00:00Z")
        try home.diaper("mixed", "2026-06-10T14:00:00Z")
        try home.sleep("2026-06-10T14:30:00Z")
        try home.setClock(Timestamp("2026-06-10T15:00:20Z").required())
        let answer = home.server.send("GET", "children/\(home.child)/dashboard", as: home.parent)
        let read = try JSONDecoder.contract.decode(
            DashboardAnswer.self, from: Data(answer.body)
        ).dashboard
        #expect(read.child.id.description == home.child)
        #expect(read.totals.feedings.bottleMl == 90.5)
        #expect(read.totals.sleep.minutes == 30)
        #expect(read.last.diaper?.details.type == .mixed)
        #expect(read.ongoing.feeding == read.last.feeding)
        #expect(read.ongoing.sleep?.createdBy.name == "Johnny")
        #expect(read.week.last?.bottleMl == 90.5)
    }

    @Test("Strangers get the 404 of a child that does not exist")
    func strangers() throws {
        let stranger = try home.server.user("Stranger")
        let answer = home.server.send("GET", "children/\(home.child)/dashboard", as: stranger)
        #expect(answer.status == 404)
        #expect(answer.message == "Child not found")
    }
}
