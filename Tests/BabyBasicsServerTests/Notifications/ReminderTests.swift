import BabyBasicsAPI
import Postgres
import TestSupport
import Testing

@testable import BabyBasicsServer

@Suite("Reminders")
struct ReminderTests {
    let phones: Phones

    init() throws { phones = try Phones() }

    @Test("Counted from the last one's start, once for each")
    func once() throws {
        try phones.remind(phones.sarah, of: "feeding", after: 180)
        try phones.log("feeding", minutesAgo: 60, as: phones.rosa)
        phones.wait(minutes: 119)
        #expect(try phones.told(phones.sarah) == [])
        phones.wait(minutes: 1.1)
        let told = try phones.told(phones.sarah)
        #expect(told.map(\.body) == ["It’s been 3 h since the last feed"])
        #expect(told.map(\.title) == ["Baby Bretz"])
        #expect(told.map(\.eventKind) == ["feeding"])
        phones.wait(minutes: 600)
        #expect(try phones.told(phones.sarah) == [])
        #expect(try phones.told(phones.johnny) == [], "it is a person's own")
    }

    @Test("It moves when a feed is logged late, and back when that is deleted")
    func moves() throws {
        try phones.remind(phones.sarah, of: "feeding", after: 180)
        try phones.log("feeding", minutesAgo: 170, as: phones.rosa)
        try phones.notify()
        let late = try phones.log("feeding", minutesAgo: 100, as: phones.rosa)
        phones.wait(minutes: 11)
        #expect(try phones.told(phones.sarah) == [])
        #expect(phones.server.send("DELETE", late, as: phones.rosa).status == 204)
        #expect(try phones.bodies(phones.sarah) == ["It’s been 3 h 1 min since the last feed"])
        #expect(phones.server.send("POST", "\(late)/restore", as: phones.rosa).status == 200)
        #expect(try phones.told(phones.sarah) == [])
        phones.wait(minutes: 70)
        #expect(try phones.bodies(phones.sarah) == ["It’s been 3 h 1 min since the last feed"])
        #expect(phones.server.send("DELETE", late, as: phones.rosa).status == 204)
        #expect(try phones.told(phones.sarah) == [], "of this one it was told already")
    }

    @Test("What is pushed and not sent yet is taken back when it is not true any more")
    func withdrawn() throws {
        try phones.remind(phones.sarah, of: "diaper", after: 60)
        try phones.log("diaper", minutesAgo: 70, as: phones.rosa)
        try phones.notify()
        #expect(try phones.server.database.count("pushes") == 1)
        try phones.log("diaper", minutesAgo: 80, as: phones.rosa)
        try phones.notify()
        #expect(try phones.server.database.count("pushes") == 1, "that one is older")
        try phones.log("diaper", as: phones.rosa)
        #expect(try phones.told(phones.sarah) == [])
        phones.wait(minutes: 61)
        #expect(try phones.bodies(phones.sarah) == ["It’s been 1 h 1 min since the last diaper change"])
    }

    @Test("So is what is of a plan, a reminder or a child that is gone", arguments: ["plan", "reminder", "child"])
    func gone(_ what: String) throws {
        let plan = try phones.plan(["every_hours": 6])
        let reminder = try phones.remind(
            phones.sarah, ["child_id": .string(phones.child), "plan_id": .string(plan)])
        try phones.notify()
        #expect(try phones.server.database.count("pushes") == 1)
        let path =
            switch what {
            case "plan": "children/\(phones.child)/plans/\(plan)"
            case "reminder": "users/me/reminders/\(reminder)"
            default: "children/\(phones.child)"
            }
        #expect(phones.server.send("DELETE", path, as: what == "reminder" ? phones.sarah : phones.johnny).status == 204)
        try phones.notify()
        let claim = WaitingPush.claim([("apns", 10)], at: "clock_timestamp()", now: phones.server.clock.now())
        let sent = try phones.server.database.asServer { try $0.rows(claim) { try WaitingPush(&$0) } }.filter(\.isTrue)
        #expect(sent.isEmpty)
    }

    @Test("Nobody is urged to give more than a day may have")
    func full() throws {
        try phones.travel(to: "2026-12-10T13:00:00Z")
        let plan = try phones.plan(["every_hours": 4, "max_per_day": 1])
        try phones.remind(phones.sarah, ["child_id": .string(phones.child), "plan_id": .string(plan)])
        try phones.log("medication", as: phones.rosa, ["plan_id": .string(plan)])
        try phones.travel(to: "2026-12-11T11:59:00Z")
        #expect(try phones.told(phones.sarah) == [])
        phones.wait(minutes: 1.1)
        #expect(try phones.told(phones.sarah).map(\.kind) == ["dose"])
    }

    @Test("Of sleep counted from the last waking, and not while the child is asleep")
    func sleep() throws {
        try phones.remind(phones.sarah, of: "sleep", after: 90)
        let nap = try phones.log("sleep", minutesAgo: 100, as: phones.rosa, ["ended_at": phones.time(minutesAgo: 80)])
        try phones.notify()
        phones.wait(minutes: 5)
        let second = try phones.log("sleep", as: phones.rosa)
        phones.wait(minutes: 120)
        #expect(try phones.told(phones.sarah) == [])
        #expect(phones.server.send("PATCH", second, as: phones.rosa, ["ended_at": phones.time()]).status == 200)
        phones.wait(minutes: 89)
        #expect(try phones.told(phones.sarah) == [])
        phones.wait(minutes: 2)
        #expect(try phones.bodies(phones.sarah) == ["Awake for 1 h 31 min"])
        #expect(nap != second)
    }

    @Test("What falls into quiet hours comes at their end, if it still holds")
    func quiet() throws {
        try phones.travel(to: "2026-12-10T02:30:00Z")
        for user in [phones.johnny, phones.sarah] {
            try phones.setQuiet("22:00", "06:00", as: user)
            try phones.remind(user, of: "pumping", after: 60)
        }
        try phones.log("pumping", as: phones.sarah)
        try phones.notify()
        try phones.travel(to: "2026-12-10T10:59:00Z")
        #expect(try phones.told(phones.sarah) == [])
        phones.wait(minutes: 2.1)
        #expect(try phones.bodies(phones.sarah) == ["It’s been 8 h 31 min since the last pumping"])
        try phones.travel(to: "2026-12-11T02:30:00Z")
        try phones.log("pumping", as: phones.sarah)
        try phones.notify()
        try phones.travel(to: "2026-12-11T10:50:00Z")
        try phones.log("pumping", as: phones.sarah)
        phones.wait(minutes: 15)
        #expect(try phones.told(phones.sarah) == [])
    }

    @Test("Nobody is reminded who is no member any more, and the reminder is gone")
    func removed() throws {
        try phones.remind(phones.rosa, of: "feeding", after: 60)
        try phones.log("feeding", as: phones.johnny)
        try phones.notify()
        let removal = phones.server.send(
            "DELETE", "families/\(phones.family)/members/\(phones.rosa.id)", as: phones.johnny)
        #expect(removal.status == 204)
        phones.wait(minutes: 61)
        #expect(try phones.told(phones.rosa) == [])
        #expect(try phones.server.database.count("reminders") == 0)
    }

    @Test("Nor whose access has ended, though the purge has not come yet")
    func ended() throws {
        try phones.remind(phones.rosa, of: "feeding", after: 60)
        let path = "families/\(phones.family)/members/\(phones.rosa.id)"
        let end = phones.server.clock.now().adding(.seconds(1800)).description
        #expect(phones.server.send("PATCH", path, as: phones.johnny, ["access_until": .string(end)]).status == 200)
        try phones.log("feeding", as: phones.johnny)
        try phones.notify()
        phones.wait(minutes: 61)
        #expect(try phones.told(phones.rosa) == [])
        #expect(phones.server.send("GET", "users/me/reminders", as: phones.rosa).json["count"] == 0)
    }

    @Test("One for each thing that it counts from: another one takes its place; sent again it is the same")
    func replaced() throws {
        let id = "0199c3a5-7d7a-7c3e-9a51-2f6b8a1d4e70"
        let body: JSON = ["id": .string(id), "child_id": .string(phones.child), "on": "feeding", "after_minutes": 120]
        let first = phones.server.send("POST", "users/me/reminders", as: phones.sarah, body)
        #expect(first.status == 201)
        #expect(phones.server.send("POST", "users/me/reminders", as: phones.sarah, body).status == 200)
        let other = phones.server.send(
            "POST", "users/me/reminders", as: phones.sarah,
            ["child_id": .string(phones.child), "on": "feeding", "after_minutes": 60])
        #expect(other.status == 200)
        #expect(other.json["reminder"]["id"].string == id)
        let list = phones.server.send("GET", "users/me/reminders", as: phones.sarah).json
        #expect(list["count"] == 1)
        #expect(list["reminders"][0]["after_minutes"] == 60)
        let taken = phones.server.send("POST", "users/me/reminders", as: phones.johnny, body)
        #expect(taken.status == 409)
        #expect(phones.server.send("DELETE", "users/me/reminders/\(id)", as: phones.johnny).status == 404)
        #expect(phones.server.send("DELETE", "users/me/reminders/\(id)", as: phones.sarah).status == 204)
        try phones.log("feeding", minutesAgo: 200, as: phones.rosa)
        #expect(try phones.told(phones.sarah) == [])
    }

    @Test("Refused: another family's child, a plan of another child, both at once, neither, too soon, too late")
    func refused() throws {
        func post(_ body: JSON, as user: TestUser) -> Answer {
            phones.server.send("POST", "users/me/reminders", as: user, body)
        }
        let stranger = try phones.server.user("Stranger")
        let child = JSON.string(phones.child)
        let whole: JSON = ["child_id": child, "on": "sleep", "after_minutes": 15]
        #expect(post(whole, as: stranger).status == 404)
        #expect(post(whole, as: phones.ines).status == 201)
        let plan = try phones.plan([:])
        let sibling = try phones.server.child(of: phones.family, by: phones.johnny, "Ana")
        let bad: [(JSON, Set<String>)] = [
            (["child_id": .string(sibling), "plan_id": .string(plan)], ["plan_id"]),
            (
                ["child_id": child, "plan_id": .string(plan), "on": "sleep", "after_minutes": 60],
                ["on", "after_minutes"]
            ),
            (["child_id": child], ["on", "after_minutes"]),
            (["child_id": child, "on": "note", "after_minutes": 14], ["on", "after_minutes"]),
            (["child_id": child, "on": "sleep", "after_minutes": 1441], ["after_minutes"]),
            (["on": "sleep", "after_minutes": 60], ["child_id"]),
        ]
        for (body, fields) in bad {
            let answer = post(body, as: phones.sarah)
            #expect(answer.status == 400, "\(body.text)")
            #expect(answer.fields == fields, "\(body.text)")
        }
    }

    @Test("A dose that is due, by hours: after the last one, once, and anew after the next")
    func hours() throws {
        let plan = try phones.plan(["every_hours": 6])
        try phones.remind(phones.sarah, ["child_id": .string(phones.child), "plan_id": .string(plan)])
        try phones.log("medication", minutesAgo: 5 * 60, as: phones.rosa, ["plan_id": .string(plan)])
        #expect(try phones.told(phones.sarah) == [])
        phones.wait(minutes: 61)
        let told = try phones.told(phones.sarah)
        #expect(told.map(\.body) == ["Time for a medicine"])
        #expect(told.map(\.kind) == ["dose"])
        #expect(told.map(\.plan) == [plan])
        phones.wait(minutes: 600)
        #expect(try phones.told(phones.sarah) == [])
        #expect(phones.server.send("PATCH", "users/me", as: phones.sarah, ["show_details": true]).status == 200)
        try phones.log("medication", as: phones.rosa, ["plan_id": .string(plan)])
        phones.wait(minutes: 361)
        #expect(try phones.bodies(phones.sarah) == ["Time for Paracetamol, 2.5 ml"])
    }

    @Test("By times: each in its person's clocks, not where it was given, every day, until the plan is over or gone")
    func times() throws {
        try phones.travel(to: "2026-12-10T12:00:00Z")
        let plan = try phones.plan(["times": ["08:00", "20:00"], "ends_on": "2026-12-12"])
        let path = "children/\(phones.child)/plans/\(plan)"
        try phones.remind(phones.sarah, ["child_id": .string(phones.child), "plan_id": .string(plan)])
        #expect(try phones.told(phones.sarah) == [])
        try phones.travel(to: "2026-12-10T13:00:05Z")
        #expect(try phones.bodies(phones.sarah).count == 1, "eight in New York")
        try phones.log("medication", as: phones.rosa, ["plan_id": .string(plan)])
        try phones.travel(to: "2026-12-11T00:30:00Z")
        #expect(try phones.told(phones.sarah) == [])
        try phones.log("medication", as: phones.rosa, ["plan_id": .string(plan)])
        try phones.travel(to: "2026-12-11T02:00:00Z")
        #expect(try phones.told(phones.sarah) == [], "it was given half an hour before")
        try phones.travel(to: "2026-12-11T13:00:05Z")
        #expect(try phones.bodies(phones.sarah).count == 1)
        #expect(phones.server.send("DELETE", path, as: phones.johnny).status == 204)
        try phones.travel(to: "2026-12-12T01:00:05Z")
        #expect(try phones.told(phones.sarah) == [])
        #expect(phones.server.send("POST", "\(path)/restore", as: phones.johnny).status == 200)
        #expect(try phones.bodies(phones.sarah).count == 1)
        try phones.travel(to: "2026-12-13T01:30:00Z")
        #expect(try phones.bodies(phones.sarah).count == 1, "the two of the last day are one by now")
        try phones.travel(to: "2026-12-20T13:01:00Z")
        #expect(try phones.told(phones.sarah) == [])
        #expect(try phones.server.database.count("notifications") == 0)
    }
}
