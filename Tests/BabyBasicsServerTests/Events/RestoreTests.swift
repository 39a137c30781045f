import Foundation
import Postgres
import TestSupport
import Testing

@Suite("Restoring events")
struct RestoreTests {
    let nursery: Nursery

    init() throws {
        nursery = try Nursery()
    }

    @Test("An event that is not deleted stays as it is", arguments: Sample.all)
    func untouched(_ sample: Sample) throws {
        let event = try nursery.log(sample.kind, sample.least)
        let path = "\(sample.kind)/\(try event["id"].string.required())/restore"
        let answer = nursery.send("POST", path, as: nursery.caregiver)
        #expect(answer.status == 200)
        #expect(answer.json[sample.name] == event)
        #expect(try nursery.lastRevision() == Int(event["revision"].number.required()))
    }

    @Test("For 30 days, and no longer", arguments: Sample.all)
    func days(_ sample: Sample) throws {
        let event = try nursery.log(sample.kind, sample.least)
        let path = "\(sample.kind)/\(try event["id"].string.required())"
        #expect(nursery.send("DELETE", path).status == 204)
        func age(_ interval: String) throws {
            let now = nursery.server.clock.offset.components.seconds
            _ = try nursery.server.database.asOwner {
                try $0.execute(
                    """
                    update \(unescaped: sample.kind)
                    set deleted_at = now() + \(Int64(now)) * interval '1 second' - \(interval)::interval
                    """)
            }
        }
        try age("30 days 1 minute")
        #expect(nursery.send("POST", "\(path)/restore").status == 404)
        try age("29 days 23 hours")
        let answer = nursery.send("POST", "\(path)/restore")
        #expect(answer.status == 200)
        #expect(answer.json[sample.name]["created_by"] == event["created_by"])
        #expect(nursery.send("GET", path).status == 200)
    }

    @Test("What never was is not found")
    func unknown() throws {
        #expect(nursery.send("POST", "notes/\(nursery.child)/restore").status == 404)
    }
}
