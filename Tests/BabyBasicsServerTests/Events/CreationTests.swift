import Foundation
import Postgres
import TestSupport
import Testing

@testable import BabyBasicsServer

@Suite("Making events")
struct CreationTests {
    let nursery: Nursery

    init() throws {
        nursery = try Nursery(connections: 8)
    }

    private func batch(_ count: Int, as user: TestUser? = nil) -> Answer {
        let item: JSON = ["type": "note", "event": Sample.all[3].least]
        return nursery.send(
            "POST", "events", ["events": .array(Array(repeating: item, count: count))], as: user)
    }

    @Test("One round trip where nothing stands in the way", arguments: Sample.all)
    func roundTrips(_ sample: Sample) throws {
        _ = nursery.send("GET", "timeline")
        for body in [sample.least, sample.least.with(["id": .string(UUID().uuidString)])] {
            #expect(nursery.send("POST", sample.kind, body).status == 201)
            let trips = try nursery.server.roundTripsOfLastRequest()
            #expect(trips == (sample.kind == "sleeps" ? 2 : 1))
        }
        let id = try nursery.log(sample.kind, sample.least)["id"].string.required()
        let path = "\(sample.kind)/\(id)"
        for (method, path, most) in [
            ("GET", path, 1), ("GET", sample.kind, 1), ("GET", "timeline", 1), ("PATCH", path, 2),
            ("DELETE", path, 2),
        ] {
            #expect(nursery.send(method, path, method == "PATCH" ? ["notes": "x"] : nil).status < 300)
            let trips = try nursery.server.roundTripsOfLastRequest()
            #expect(trips <= most + (method == "PATCH" && sample.kind == "sleeps" ? 1 : 0), "\(method) \(path)")
        }
    }

    @Test("50,000 events of a family in a day of UTC, then a conflict that says so; the next day goes on")
    func ofDay() throws {
        #expect(batch(2).status == 201)
        try nursery.server.database.execute(
            "update feeds set events_of_day = 49998 where family_id = \(nursery.family)::uuid and events_of_day = 2")
        let revision = try nursery.lastRevision()
        let refused = batch(3)
        #expect(refused.status == 409)
        #expect(refused.message?.contains("50,000") ?? false)
        #expect(try nursery.lastRevision() == revision)
        #expect(batch(2).status == 201)
        #expect(nursery.send("POST", "notes", Sample.all[3].least).status == 409)
        let other = try nursery.server.family(of: nursery.parent, "Second")
        let child = try nursery.server.child(of: other, by: nursery.parent)
        #expect(nursery.send("POST", "notes", Sample.all[3].least, child: child).status == 201)
        nursery.server.clock.advance(by: .seconds(86_400))
        #expect(batch(500).status == 201)
    }

    @Test("2,000,000 events of a family in all; what was sent before is still answered")
    func inAll() throws {
        let id = JSON.string(UUID().uuidString)
        let body = Sample.all[3].least.with(["id": id])
        #expect(nursery.send("POST", "notes", body).status == 201)
        try nursery.server.database.execute(
            "update feeds set events_made = 1999999 where family_id = \(nursery.family)::uuid")
        #expect(batch(2).status == 409)
        #expect(batch(1).status == 201)
        let refused = nursery.send("POST", "notes", Sample.all[3].least)
        #expect(refused.status == 409)
        #expect(refused.message?.contains("2,000,000") ?? false)
        #expect(nursery.send("POST", "notes", body).status == 200)
    }

    @Test("Who is removed while the request waits makes nothing", arguments: ["single", "batch"])
    func removed(_ form: String) throws {
        let nursery = nursery
        _ = nursery.send("GET", "timeline", as: nursery.caregiver)
        let caregiver = nursery.caregiver
        let status = try nursery.server.database.asOwner { holder in
            let waiting = try holder.transaction { () -> Background<Int> in
                // As a removal does: the membership before the feed.
                try holder.execute("delete from family_members where user_id = \(caregiver.id)::uuid")
                let waiting = Background {
                    form == "single"
                        ? nursery.send("POST", "notes", Sample.all[3].least, as: caregiver).status
                        : nursery.send(
                            "POST", "events",
                            ["events": [["type": "note", "event": Sample.all[3].least]]], as: caregiver
                        ).status
                }
                try nursery.server.database.waitUntilBlocked()
                return waiting
            }
            return try waiting.value()
        }
        #expect(status == 404)
        #expect(try nursery.server.database.count("notes") == 0)
    }

    @Test("A child that is deleted while the request waits gets nothing")
    func childDeleted() throws {
        let nursery = nursery
        _ = nursery.send("GET", "timeline")
        let status = try nursery.server.database.asOwner { holder in
            let waiting = try holder.transaction { () -> Background<Int> in
                try holder.execute(
                    "select from feeds where family_id = \(nursery.family)::uuid for no key update")
                let waiting = Background {
                    nursery.send("POST", "notes", Sample.all[3].least).status
                }
                try nursery.server.database.waitUntilBlocked()
                try holder.execute("delete from children where id = \(nursery.child)::uuid")
                return waiting
            }
            return try waiting.value()
        }
        #expect(status == 404)
    }

    @Test("Deleted while it is sent again it is answered as it was or as gone, and never made twice")
    func deletedMeanwhile() throws {
        let nursery = nursery
        for _ in 0..<8 {
            let id = UUID().uuidString.lowercased()
            let body = Sample.all[3].least.with(["id": .string(id)])
            #expect(nursery.send("POST", "notes", body).status == 201)
            let statuses = race(2) { index in
                index == 0
                    ? nursery.send("POST", "notes", body).status
                    : nursery.send("DELETE", "notes/\(id)").status
            }
            #expect([200, 410].contains(statuses[0]))
            #expect(statuses[1] == 204)
            #expect(nursery.send("POST", "notes", body).status == 410)
        }
        #expect(try nursery.server.database.count("notes") == 8)
    }

    @Test("A running sleep by itself and one in a batch at once: one of them")
    func runningRace() throws {
        let nursery = nursery
        for _ in 0..<5 {
            let body: JSON = ["started_at": nursery.hoursAgo(1)]
            let statuses = race(4) { index in
                index.isMultiple(of: 2)
                    ? nursery.send("POST", "sleeps", body).status
                    : nursery.send("POST", "events", ["events": [["type": "sleep", "event": body]]]).status
            }
            #expect(statuses.sorted() == [201, 409, 409, 409])
            try nursery.server.database.execute("delete from events")
        }
    }
}
