import TestSupport
import Testing

/// Sleep is clipped to the day; days here begin at 07:00 in New York, 11:00Z in summer.
@Suite("Dashboard sleep")
struct DashboardSleepTests {
    let home: Household
    let noon = "2026-06-10T16:00:20Z"

    init() throws {
        home = try Household()
    }

    @Test("Over midnight a sleep is in one day, over the day's beginning in two")
    func clipping() throws {
        try home.sleep("2026-06-09T03:30:00Z", to: "2026-06-09T05:00:00Z")
        try home.sleep("2026-06-10T10:30:00Z", to: "2026-06-10T11:20:30Z")
        try home.sleep("2026-06-10T14:00:00Z", to: "2026-06-10T14:10:30Z")
        let dashboard = try home.dashboard(at: noon)
        #expect(dashboard.sleepMinutes == [0, 0, 0, 0, 90, 30, 31])
        #expect(
            dashboard.totals["sleep"] == ["count": 2, "minutes": 31, "longest_minutes": 20])
    }

    @Test("Ends that touch the day's edges are outside")
    func touching() throws {
        try home.sleep("2026-06-10T10:00:00Z", to: "2026-06-10T11:00:00Z")
        try home.sleep("2026-06-11T11:00:00Z", to: "2026-06-11T12:00:00Z")
        let dashboard = try home.dashboard(at: "2026-06-11T13:00:00Z", date: "2026-06-10")
        #expect(
            dashboard.totals["sleep"] == ["count": 0, "minutes": 0, "longest_minutes": 0])
    }

    @Test("A sleep of a whole day is in both days; a day filled by it is 23 hours long in March")
    func wholeDay() throws {
        try home.sleep("2026-03-07T12:00:00Z", to: "2026-03-08T12:00:00Z")
        let dashboard = try home.dashboard(at: "2026-03-08T18:00:00Z")
        #expect(dashboard.sleepMinutes == [0, 0, 0, 0, 0, 23 * 60, 60])
    }

    @Test("A sleep that began a day before the week reaches into its first day")
    func beforeTheWeek() throws {
        try home.sleep("2026-06-03T11:30:00Z", to: "2026-06-04T11:30:00Z")
        try home.sleep("2026-06-03T10:00:00Z", to: "2026-06-03T20:00:00Z")
        #expect(try home.dashboard(at: noon).sleepMinutes == [30, 0, 0, 0, 0, 0, 0])
    }

    @Test("A sleep that goes on counts up to now, and is shown")
    func running() throws {
        let id = try home.sleep("2026-06-10T10:00:00Z")
        let dashboard = try home.dashboard(at: noon)
        #expect(dashboard.sleepMinutes == [0, 0, 0, 0, 0, 60, 300])
        #expect(
            dashboard.totals["sleep"] == ["count": 1, "minutes": 300, "longest_minutes": 300])
        #expect(dashboard["ongoing"]["sleep"]["id"].string == id)
        #expect(dashboard["ongoing"]["sleep"]["ended_at"] == nil)
        let yesterday = try home.dashboard(at: noon, date: "2026-06-09")
        #expect(yesterday.totals["sleep"]["minutes"] == 60)
        #expect(yesterday["ongoing"]["sleep"] == nil)
        #expect(yesterday["last"]["sleep"]["id"].string == id)
        let tomorrow = try home.dashboard(at: noon, date: "2026-06-11")
        #expect(tomorrow.totals["sleep"]["count"] == 0)
        #expect(tomorrow["ongoing"]["sleep"] == nil)
        #expect(tomorrow.sleepMinutes == [0, 0, 0, 0, 60, 300, 0])
    }

    @Test("A sleep that nobody ended for 24 hours counts nothing and does not go on; it is the last until another begins")
    func forgotten() throws {
        let id = try home.sleep("2026-06-09T16:00:20Z")
        let forgotten = try home.dashboard(at: noon)
        #expect(forgotten.sleepMinutes == [0, 0, 0, 0, 0, 0, 0])
        #expect(forgotten.totals["sleep"] == ["count": 0, "minutes": 0, "longest_minutes": 0])
        #expect(forgotten["ongoing"]["sleep"] == nil)
        #expect(forgotten["last"]["sleep"]["id"].string == id)
        let before = try home.dashboard(at: "2026-06-10T16:00:10Z")
        #expect(before["ongoing"]["sleep"]["id"].string == id)
        #expect(before.sleepMinutes == [0, 0, 0, 0, 0, 1139, 300])
        let nap = try home.sleep("2026-06-10T12:00:00Z", to: "2026-06-10T13:00:00Z")
        let dashboard = try home.dashboard(at: noon)
        #expect(dashboard.totals["sleep"] == ["count": 1, "minutes": 60, "longest_minutes": 60])
        #expect(dashboard["last"]["sleep"]["id"].string == nap)
    }

    @Test("A child sleeps once at a time: what both parents logged is slept once, and counted twice")
    func twice() throws {
        for _ in 0..<2 { try home.sleep("2026-06-09T11:00:00Z", to: "2026-06-10T11:00:00Z") }
        try home.sleep("2026-06-09T12:00:00Z", to: "2026-06-09T13:00:00Z")
        try home.sleep("2026-06-10T12:00:00Z", to: "2026-06-10T13:00:00Z")
        try home.sleep("2026-06-10T12:30:00Z", to: "2026-06-10T13:30:00Z")
        let dashboard = try home.dashboard(at: noon)
        #expect(dashboard.sleepMinutes == [0, 0, 0, 0, 0, 24 * 60, 90])
        #expect(dashboard.totals["sleep"] == ["count": 2, "minutes": 90, "longest_minutes": 60])
    }

    @Test("A sleep that a phone's clock has begin in the future lasts nothing yet")
    func ahead() throws {
        let id = try home.sleep("2026-06-10T16:04:00Z")
        let dashboard = try home.dashboard(at: noon)
        #expect(dashboard.totals["sleep"] == ["count": 1, "minutes": 0, "longest_minutes": 0])
        #expect(dashboard["ongoing"]["sleep"]["id"].string == id)
    }

    @Test("A sleep without length is one sleep of the day that holds it")
    func instant() throws {
        try home.sleep("2026-06-10T11:00:00Z", to: "2026-06-10T11:00:00Z")
        #expect(try home.dashboard(at: noon).totals["sleep"]["count"] == 1)
        #expect(try home.dashboard(at: noon, date: "2026-06-09").totals["sleep"]["count"] == 0)
    }

    @Test(
        "Sleeps that overlap count each; parts of a minute are added up before minutes are counted")
    func sums() throws {
        try home.sleep("2026-06-10T12:00:00Z", to: "2026-06-10T12:00:40Z")
        try home.sleep("2026-06-10T12:00:00Z", to: "2026-06-10T12:00:40Z")
        try home.sleep("2026-06-10T13:00:00Z", to: "2026-06-10T13:00:39.5Z")
        #expect(
            try home.dashboard(at: noon).totals["sleep"] == [
                "count": 3, "minutes": 1, "longest_minutes": 0,
            ])
        try home.sleep("2026-06-10T14:00:00Z", to: "2026-06-10T14:00:40.5Z")
        #expect(try home.dashboard(at: noon).totals["sleep"]["minutes"] == 2)
    }
}
