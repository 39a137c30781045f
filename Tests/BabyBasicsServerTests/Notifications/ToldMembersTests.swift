import BabyBasicsAPI
import Postgres
import TestSupport
import Testing

@testable import BabyBasicsServer

@Suite("Who comes and goes is told")
struct ToldMembersTests {
    let phones: Phones

    init() throws { phones = try Phones() }

    @Test("To parents, and to others who ask; not to who did it; not to parents who said no")
    func comingAndGoing() throws {
        let server = phones.server
        try phones.ask(["kinds": [], "members": true, "access_ends": false], as: phones.ines)
        let nana = try server.member("Nana", of: phones.family, by: phones.johnny)
        try phones.givePhone(to: nana)
        for user in [phones.johnny, phones.sarah, phones.ines] {
            #expect(try phones.bodies(user) == ["Nana joined the family"])
        }
        #expect(try phones.bodies(phones.rosa) == [])
        #expect(try phones.bodies(nana) == [])
        #expect(server.send("POST", "families/\(phones.family)/leave", as: nana).status == 204)
        #expect(try phones.bodies(phones.sarah) == ["Nana left the family"])
        try phones.ask(["kinds": [], "members": false, "access_ends": false], as: phones.sarah)
        let path = "families/\(phones.family)/members/\(phones.rosa.id)"
        #expect(server.send("DELETE", path, as: phones.johnny).status == 204)
        #expect(try phones.bodies(phones.ines) == ["Nana left the family", "Rosa is no longer in the family"])
        #expect(try phones.bodies(phones.johnny) == ["Nana left the family"], "he took Rosa out himself")
        #expect(try phones.bodies(phones.rosa) == [])
        #expect(try phones.bodies(phones.sarah) == [])
        #expect(try server.database.count("notifications") == 0)
    }

    @Test("Who joins two families is told in both, neither in the other's place")
    func twoFamilies() throws {
        let server = phones.server
        let nana = try server.member("Nana", of: phones.family, by: phones.johnny)
        let other = try server.family(of: phones.johnny)
        let token = JSON.string(try server.invite(to: other, as: "caregiver", by: phones.johnny))
        #expect(server.send("POST", "invites/accept", as: nana, ["token": token]).status == 201)
        let told = try phones.told(phones.johnny)
        #expect(told.filter { $0.body == "Nana joined the family" }.count == 2)
    }

    @Test("When access ends: at the moment that holds last, once")
    func ends() throws {
        let server = phones.server
        let path = "families/\(phones.family)/members/\(phones.rosa.id)"
        for hours in [1, 3, 2] {
            let end = server.clock.now().adding(.seconds(3600 * hours)).description
            #expect(server.send("PATCH", path, as: phones.johnny, ["access_until": .string(end)]).status == 200)
        }
        phones.wait(minutes: 119)
        #expect(try phones.bodies(phones.sarah) == [])
        phones.wait(minutes: 2)
        for user in [phones.johnny, phones.sarah] { #expect(try phones.bodies(user) == ["Rosa’s access has ended"]) }
        for user in [phones.rosa, phones.ines] { #expect(try phones.bodies(user) == []) }
        phones.wait(minutes: 120)
        #expect(try phones.bodies(phones.sarah) == [])
    }

    @Test("Not when its end was taken away, nor of somebody who was removed before")
    func endless() throws {
        let server = phones.server
        let end = JSON.string(server.clock.now().adding(.seconds(3600)).description)
        for user in [phones.rosa, phones.ines] {
            let path = "families/\(phones.family)/members/\(user.id)"
            #expect(server.send("PATCH", path, as: phones.johnny, ["access_until": end]).status == 200)
        }
        let stays = server.send(
            "PATCH", "families/\(phones.family)/members/\(phones.rosa.id)", as: phones.johnny, ["access_until": nil])
        #expect(stays.status == 200)
        let removal = server.send("DELETE", "families/\(phones.family)/members/\(phones.ines.id)", as: phones.johnny)
        #expect(removal.status == 204)
        #expect(try phones.bodies(phones.sarah) == ["Ines is no longer in the family"])
        phones.wait(minutes: 61)
        #expect(try phones.bodies(phones.sarah) == [])
    }

    @Test("What came in quiet hours is told after them, if it still is so")
    func quiet() throws {
        let server = phones.server
        try phones.travel(to: "2026-12-10T05:00:00Z")
        for user in [phones.johnny, phones.sarah] { try phones.setQuiet("22:00", "06:00", as: user) }
        _ = try server.member("Nana", of: phones.family, by: phones.johnny)
        let guest = try server.member("Guest", of: phones.family, by: phones.johnny)
        #expect(try phones.bodies(phones.sarah) == [])
        let removal = server.send("DELETE", "families/\(phones.family)/members/\(guest.id)", as: phones.johnny)
        #expect(removal.status == 204)
        try phones.notify()
        try phones.travel(to: "2026-12-10T11:00:01Z")
        #expect(try phones.bodies(phones.sarah) == ["Guest is no longer in the family", "Nana joined the family"])
        #expect(try phones.bodies(phones.johnny) == ["Nana joined the family"])
        #expect(try server.database.count("notifications") == 0)
    }

    @Test("The settings are a member's own, and as they were said")
    func settings() throws {
        let path = "families/\(phones.family)/notifications"
        func get(_ user: TestUser) -> JSON { phones.server.send("GET", path, as: user).json["notifications"] }
        #expect(get(phones.sarah) == ["kinds": [], "members": true, "access_ends": true])
        #expect(get(phones.ines) == ["kinds": [], "members": false, "access_ends": false])
        let said: JSON = ["kinds": ["sleep", "feeding", "sleep"], "members": false, "access_ends": true]
        let kept: JSON = ["kinds": ["feeding", "sleep"], "members": false, "access_ends": true]
        #expect(phones.server.send("PUT", path, as: phones.ines, said).json["notifications"] == kept)
        #expect(get(phones.ines) == kept)
        #expect(get(phones.sarah)["kinds"] == [])
        let bad = phones.server.send("PUT", path, as: phones.ines, ["kinds": ["dance"], "members": 1])
        #expect(bad.fields == ["kinds", "members", "access_ends"])
    }
}
