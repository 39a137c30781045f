import BabyBasicsAPI
import TestSupport
import Testing

/// Where days begin and end.
@Suite("Dashboard days")
struct DashboardDayTests {
    struct Example: Sendable, CustomTestStringConvertible {
        let zone: String
        let dayStart: String
        let now: String
        /// Nil asks for today.
        var asked: String?
        let date: String
        let starts: String
        let ends: String

        var testDescription: String { "\(zone) \(dayStart) at \(now)" }

        init(
            _ zone: String, _ dayStart: String, at now: String, asked: String? = nil,
            _ date: String,
            _ starts: String, _ ends: String
        ) {
            self.zone = zone
            self.dayStart = dayStart
            self.now = now
            self.asked = asked
            self.date = date
            self.starts = starts
            self.ends = ends
        }
    }

    /// New York: clocks go from 02:00 to 03:00 on 8 March 2026, from 02:00 back to 01:00 on 1 November.
    /// London: 29 March, 01:00 to 02:00. Lord Howe: half an hour back at 02:00 on 5 April. São Paulo: midnight of 4 November 2018 became 01:00.
    static let examples = [
        Example(
            "America/New_York", "07:00", at: "2026-06-10T03:00:00-04:00", "2026-06-09",
            "2026-06-09T11:00:00.000Z", "2026-06-10T11:00:00.000Z"),
        Example(
            "America/New_York", "07:00", at: "2026-06-10T07:00:00-04:00", "2026-06-10",
            "2026-06-10T11:00:00.000Z", "2026-06-11T11:00:00.000Z"),
        Example(
            "America/New_York", "07:00", at: "2026-06-10T06:59:50-04:00", "2026-06-09",
            "2026-06-09T11:00:00.000Z", "2026-06-10T11:00:00.000Z"),
        Example(
            "America/New_York", "00:00", at: "2026-06-10T00:00:00-04:00", "2026-06-10",
            "2026-06-10T04:00:00.000Z", "2026-06-11T04:00:00.000Z"),
        // 23 and 25 hours.
        Example(
            "America/New_York", "07:00", at: "2026-03-08T06:30:00-04:00", "2026-03-07",
            "2026-03-07T12:00:00.000Z", "2026-03-08T11:00:00.000Z"),
        Example(
            "America/New_York", "07:00", at: "2026-06-10T00:00:00Z", asked: "2026-10-31",
            "2026-10-31", "2026-10-31T11:00:00.000Z", "2026-11-01T12:00:00.000Z"),
        Example(
            "Europe/London", "06:30", at: "2026-03-29T04:00:00Z", "2026-03-28",
            "2026-03-28T06:30:00.000Z", "2026-03-29T05:30:00.000Z"),
        Example(
            "Europe/London", "06:30", at: "2026-10-25T06:15:00Z", "2026-10-24",
            "2026-10-24T05:30:00.000Z", "2026-10-25T06:30:00.000Z"),
        // 24½ and 23½ hours.
        Example(
            "Australia/Lord_Howe", "07:00", at: "2026-04-04T18:00:00Z", "2026-04-04",
            "2026-04-03T20:00:00.000Z", "2026-04-04T20:30:00.000Z"),
        Example(
            "Australia/Lord_Howe", "07:00", at: "2026-10-03T18:00:00Z", "2026-10-03",
            "2026-10-02T20:30:00.000Z", "2026-10-03T20:00:00.000Z"),
        Example(
            "Asia/Kolkata", "07:00", at: "2026-06-10T01:29:50Z", "2026-06-09",
            "2026-06-09T01:30:00.000Z", "2026-06-10T01:30:00.000Z"),
        // Midnight does not exist: the day begins at one o'clock, which is the same moment.
        Example(
            "America/Sao_Paulo", "00:00", at: "2018-11-04T03:00:00Z", "2018-11-04",
            "2018-11-04T03:00:00.000Z", "2018-11-05T02:00:00.000Z"),
        Example(
            "America/Sao_Paulo", "00:00", at: "2018-11-04T02:59:50Z", "2018-11-03",
            "2018-11-03T03:00:00.000Z", "2018-11-04T03:00:00.000Z"),
        // 02:30 does not exist: the day begins at 03:30. Between 03:00 and 03:30 it is still yesterday.
        Example(
            "America/New_York", "02:30", at: "2026-03-08T07:15:00Z", "2026-03-07",
            "2026-03-07T07:30:00.000Z", "2026-03-08T07:30:00.000Z"),
        Example(
            "America/New_York", "02:30", at: "2026-03-08T07:30:00Z", "2026-03-08",
            "2026-03-08T07:30:00.000Z", "2026-03-09T06:30:00.000Z"),
        // 01:30 comes twice: the day begins with the second. After the first it is still yesterday.
        Example(
            "America/New_York", "01:30", at: "2026-11-01T05:45:00Z", "2026-10-31",
            "2026-10-31T05:30:00.000Z", "2026-11-01T06:30:00.000Z"),
        Example(
            "America/New_York", "01:30", at: "2026-11-01T06:15:00Z", "2026-10-31",
            "2026-10-31T05:30:00.000Z", "2026-11-01T06:30:00.000Z"),
        Example(
            "America/New_York", "01:30", at: "2026-11-01T06:30:00Z", "2026-11-01",
            "2026-11-01T06:30:00.000Z", "2026-11-02T06:30:00.000Z"),
    ]

    @Test("Days begin and end where the caller's clocks say", arguments: examples)
    func days(_ example: Example) throws {
        let home = try Household(zone: example.zone, dayStart: example.dayStart)
        let dashboard = try home.dashboard(at: example.now, date: example.asked)
        #expect(dashboard.day == [example.date, example.starts, example.ends])
        #expect(dashboard["day"]["timezone"].string == example.zone)
        #expect(dashboard["week"].array.last?["date"].string == example.date)
    }

    @Test("Today holds the present, whatever the clocks do: what goes on is shown")
    func presentIsToday() throws {
        for (dayStart, start, now) in [
            ("02:30", "2026-03-08T07:00:00Z", "2026-03-08T07:15:00Z"),
            ("01:30", "2026-11-01T05:15:00Z", "2026-11-01T05:45:00Z"),
        ] {
            let home = try Household(dayStart: dayStart)
            let sleep = try home.sleep(start)
            #expect(try home.dashboard(at: now)["ongoing"]["sleep"]["id"].string == sleep)
        }
    }

    @Test("Two members in different zones see their own day")
    func twoZones() throws {
        let home = try Household()
        let maria = try home.server.member("Maria", of: home.family, by: home.parent)
        try home.live(maria, in: "Asia/Kolkata", from: "06:30")
        try home.diaper("wet", "2026-06-10T10:30:00Z")
        try home.diaper("wet", "2026-06-10T12:00:00Z")
        try home.sleep("2026-06-10T00:30:00Z", to: "2026-06-10T01:30:00Z")
        let now = "2026-06-10T13:00:00Z"
        let johnnys = try home.dashboard(at: now)
        let marias = try home.dashboard(at: now, as: maria)
        #expect(
            johnnys.day == ["2026-06-10", "2026-06-10T11:00:00.000Z", "2026-06-11T11:00:00.000Z"])
        #expect(
            marias.day == ["2026-06-10", "2026-06-10T01:00:00.000Z", "2026-06-11T01:00:00.000Z"])
        #expect(johnnys.totals["diapers"]["wet"] == 1)
        #expect(marias.totals["diapers"]["wet"] == 2)
        #expect(johnnys.sleepMinutes == [0, 0, 0, 0, 0, 60, 0])
        #expect(marias.sleepMinutes == [0, 0, 0, 0, 0, 30, 30])
        #expect(marias["child"]["role"] == "caregiver")
    }
}
