import Foundation
import Postgres
import Synchronization
import TestSupport
import Testing

@testable import BabyBasicsServer

@Suite("A feed that waits")
struct WaitingFeedTests {
    let server: TestServer
    let johnny: TestUser
    let sarah: TestUser
    let family: String
    let child: String

    init() throws {
        server = try TestServer()
        johnny = try server.user("Johnny")
        family = try server.family(of: johnny)
        child = try server.child(of: family, by: johnny)
        sarah = try server.member("Sarah", of: family, as: "parent", by: johnny)
    }

    private func log(as user: TestUser? = nil) -> Answer {
        server.send(
            "POST", "children/\(child)/diapers", as: user ?? johnny,
            ["type": "wet", "occurred_at": "2026-01-01T08:00:00Z"])
    }

    @Test("A change is the answer, as soon as it is there")
    func change() throws {
        let since = try server.position(in: family, as: sarah)
        let waiting = try server.waitForChanges(of: family, as: sarah, since: since)
        let id = log().json["diaper"]["id"]
        let got = try waiting.value()
        #expect(got.status == 200)
        #expect(got.isAtOnce)
        #expect(got.changes.map { $0["id"] } == [id])
        #expect(got.answer.json["next_since"].number == Double(since).map { $0 + 1 })
        let plain = server.send("GET", "families/\(family)/changes?since=\(since)", as: sarah)
        #expect(plain.json == got.answer.json)
    }

    @Test("Where nothing changes the answer is empty, and comes when the time is over")
    func nothing() throws {
        let since = try server.position(in: family, as: sarah)
        let got = try server.waitForChanges(of: family, as: sarah, since: since, seconds: 1).value()
        #expect(got.status == 200)
        #expect(got.seconds >= 1)
        #expect(got.isAtOnce)
        #expect(got.answer.json.keys == ["changes", "next_since", "has_more"])
        #expect(got.changes == [])
        #expect(got.answer.json["next_since"].text == since)
        #expect(got.answer.json["has_more"] == false)
    }

    @Test("What is there already is not waited for")
    func already() throws {
        let since = try server.position(in: family, as: sarah)
        #expect(log().status == 201)
        let start = Date()
        let answer = server.send("GET", "families/\(family)/changes?since=\(since)&wait=55", as: sarah)
        #expect(answer.json["changes"].array.count == 1)
        #expect(Date().timeIntervalSince(start) < 10)
    }

    @Test("Another family's change wakes nobody")
    func others() throws {
        let other = try server.family(of: johnny, "Another")
        let waiting = try server.waitForChanges(of: family, as: sarah, seconds: 2)
        _ = try server.child(of: other, by: johnny)
        let got = try waiting.value()
        #expect(got.changes == [])
        #expect(got.seconds >= 2)
    }

    @Test("Whole seconds from 0 to 55 are taken", arguments: ["-1", "56", "100", "1.5", "", "x", "%201", "1&wait=2"])
    func badWait(_ wait: String) {
        let answer = server.send("GET", "families/\(family)/changes?since=0&wait=\(wait)", as: johnny)
        #expect(answer.status == 400)
        #expect(answer.fields == ["wait"])
        let stranger = server.send("GET", "families/\(child)/changes?wait=\(wait)", as: johnny)
        #expect(stranger.status == 403)
    }

    @Test("Whoever is removed meanwhile is told so at once")
    func removed() throws {
        let waiting = try server.waitForChanges(of: family, as: sarah)
        #expect(server.send("DELETE", "families/\(family)/members/\(sarah.id)", as: johnny).status == 204)
        let got = try waiting.value()
        #expect(got.status == 403)
        #expect(got.isAtOnce)
        #expect(got.answer.message == "Not a member of this family")
    }

    @Test("A family that is deleted meanwhile is nobody's at once")
    func deleted() throws {
        let waiting = try server.waitForChanges(of: family, as: sarah)
        #expect(server.send("DELETE", "families/\(family)", as: johnny).status == 204)
        let got = try waiting.value()
        #expect(got.status == 403)
        #expect(got.isAtOnce)
    }

    @Test("A session that ends meanwhile is told so at once, however it ends")
    func ended() throws {
        let nana = try server.account("Nana")
        let token = try server.invite(to: family, by: johnny)
        #expect(server.send("POST", "invites/accept", as: nana, ["token": .string(token)]).status == 201)
        let phone = try server.anotherSession(of: nana)
        func expectEnd(_ end: () throws -> Answer) throws {
            let waiting = try server.waitForChanges(of: family, as: phone)
            #expect([200, 204].contains(try end().status))
            let got = try waiting.value()
            #expect(got.status == 401)
            #expect(got.isAtOnce)
        }
        try expectEnd { server.send("POST", "auth/logout", as: phone) }
        let second = try server.anotherSession(of: nana)
        let waiting = try server.waitForChanges(of: family, as: second)
        let sessions = server.send("GET", "auth/sessions", as: second).json["sessions"].array
        let own = sessions.first { $0["current"] == true }?["id"].string ?? ""
        #expect(server.send("DELETE", "auth/sessions/\(own)", as: nana).status == 204)
        #expect(try waiting.value().status == 401)
        let third = try server.anotherSession(of: nana)
        let last = try server.waitForChanges(of: family, as: third)
        #expect(server.deleteAccount(nana).status == 204)
        let got = try last.value()
        #expect(got.status == 401)
        #expect(got.isAtOnce)
    }

    @Test("A session that runs out while it waits is told so when the time is over")
    func expired() throws {
        let waiting = try server.waitForChanges(of: family, as: sarah, seconds: 2)
        server.clock.advance(by: .seconds(31 * 86_400))
        #expect(try waiting.value().status == 401)
    }

    @Test("A membership that ends by itself while its member waits is over at that moment")
    func accessUntil() throws {
        let maria = try server.member("Maria", of: family, by: johnny)
        try server.database.execute(
            "update family_members set access_until = now() + interval '3 seconds' where user_id = \(maria.id)::uuid")
        let got = try server.waitForChanges(of: family, as: maria).value()
        #expect(got.status == 403)
        #expect(got.isAtOnce)
    }

    @Test("Eight of a user's requests wait; a ninth makes the oldest answer, empty")
    func nine() throws {
        let since = try server.position(in: family, as: sarah)
        let oldest = try server.waitForChanges(of: family, as: sarah, since: since)
        let seven = try (0..<7).map { _ in try server.waitForChanges(of: family, as: sarah, since: since) }
        let theirs = try server.waitForChanges(of: family, as: johnny, since: since)
        #expect(server.waitingRequests == 9)
        let path = "families/\(family)/changes?since=\(since)&wait=50"
        let ninth = Background { [server, sarah] in server.send("GET", path, as: sarah) }
        let first = try oldest.value()
        #expect(first.status == 200)
        #expect(first.changes == [])
        #expect(first.isAtOnce)
        #expect(server.waitingRequests == 9)
        #expect(log().status == 201)
        for waiting in seven + [theirs] { #expect(try waiting.value().changes.count == 1) }
        #expect(try ninth.value().json["changes"].array.count == 1)
        #expect(server.waitingRequests == 0)
    }

    @Test("A request that waits is one of the minute in which it came")
    func counted() throws {
        let since = try server.position(in: family, as: sarah)
        let before = server.send("GET", "users/me", as: sarah).headers["RateLimit-Remaining"]
        let waiting = try server.waitForChanges(of: family, as: sarah, since: since)
        #expect(log().status == 201)
        let got = try waiting.value().answer
        let after = server.send("GET", "users/me", as: sarah).headers["RateLimit-Remaining"]
        let numbers = [before, got.headers["RateLimit-Remaining"], after].compactMap { $0.flatMap { Int($0) } }
        #expect(numbers.count == 3)
        // A minute may end in between: then the count begins anew.
        if numbers[0] > numbers[2] { #expect(numbers == [numbers[0], numbers[0] - 1, numbers[0] - 2]) }
    }

    @Test("A worker that drains answers all at once, and lets later ones wait a second at most")
    func drain() throws {
        let since = try server.position(in: family, as: sarah)
        let all = try (0..<5).map { _ in try server.waitForChanges(of: family, as: sarah, since: since) }
        server.services.drain()
        for waiting in all {
            let got = try waiting.value()
            #expect(got.status == 200)
            #expect(got.changes == [])
            #expect(got.seconds < 10)
        }
        let start = Date()
        let later = server.send("GET", "families/\(family)/changes?since=\(since)&wait=50", as: sarah)
        #expect(later.json["changes"] == [])
        #expect(Date().timeIntervalSince(start) < 10)
    }

    @Test("One change for fifty devices is read once")
    func storm() throws {
        let since = try server.position(in: family, as: johnny)
        let people = try (0..<6).map { try server.member("Aunt \($0)", of: family, by: johnny) }
        let end = try server.position(in: family, as: johnny)
        let devices = try (people + [johnny]).flatMap { user in
            try (0..<7).map { _ in try server.waitForChanges(of: family, as: user, since: end) }
        }
        #expect(since != end)
        let before = server.services.feedPages.pagesRead.value
        #expect(log().status == 201)
        for device in devices {
            let got = try device.value()
            #expect(got.changes.count == 1)
            #expect(got.isAtOnce)
        }
        #expect(server.services.feedPages.pagesRead.value - before <= 2)
    }

    @Test("Nobody misses a change that falls between the look and the wait")
    func race() throws {
        let followers = try (0..<4).map { try server.member("Aunt \($0)", of: family, by: johnny) }
        let start = try server.position(in: family, as: johnny)
        let count = 40
        let clients = followers.map { user in
            Background { [server, family] () -> Int in
                var (since, seen) = (start, 0)
                let begun = Date()
                while seen < count, Date().timeIntervalSince(begun) < 60 {
                    let answer = server.patiently(
                        "GET", "families/\(family)/changes?since=\(since)&wait=20", as: user)
                    seen += answer.json["changes"].array.count
                    since = answer.json["next_since"].text
                }
                return seen
            }
        }
        let begun = Date()
        for _ in 0..<count { #expect(log().status == 201) }
        for client in clients { #expect(try client.value() == count) }
        #expect(Date().timeIntervalSince(begun) < 20)
    }
}
