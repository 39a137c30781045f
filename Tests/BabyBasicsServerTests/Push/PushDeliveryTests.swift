import BabyBasicsAPI
import Curl
import EventLoop
import FastCGI
import Glibc
import Postgres
import TestSupport
import Testing

@testable import BabyBasicsServer

@Suite("What people are told")
struct PushDeliveryTests {
    let server: TestServer
    let johnny: TestUser
    let family: String

    init() throws {
        server = try TestServer(connections: 8, pushes: PushServices.configuration())
        johnny = try server.user("Johnny")
        family = try server.family(of: johnny)
    }

    private var services: PushServices { server.pushServices }

    @Test("It goes to every device once, as a browser's push service and Apple want it")
    func handedOver() throws {
        try server.browser(of: johnny, "here", host: "updates.push.services.mozilla.com")
        let token = try server.iPhone(of: johnny, environment: "sandbox")
        try server.tell(johnny, of: family, urgency: .high, for: .seconds(600))
        try server.push()
        try server.push()
        let pushes = services.pushes
        #expect(pushes.count == 2)
        let browsers = try pushes.first { $0.url == "https://updates.push.services.mozilla.com/send/here" }.required()
        #expect(browsers.header("Content-Encoding") == "aes128gcm")
        #expect(browsers.header("Urgency") == "high")
        #expect(Int(browsers.header("TTL") ?? "").map { (590...600).contains($0) } == true)
        #expect(browsers.header("Topic")?.wholeMatch(of: /[A-Za-z0-9_-]{32}/) != nil)
        #expect(browsers.claims["aud"] == "https://updates.push.services.mozilla.com")
        #expect(browsers.claims["sub"] == "mailto:baby@example.com")
        #expect(!String(decoding: browsers.request.body, as: UTF8.self).contains("Fed"))
        let apples = try pushes.first { $0.url == "https://api.sandbox.push.apple.com/3/device/\(token)" }.required()
        #expect(apples.header("apns-topic") == "com.example.baby")
        #expect(apples.header("apns-push-type") == "alert")
        #expect(apples.header("apns-priority") == "10")
        #expect(apples.header("apns-collapse-id") == "feed")
        let expiration = try Int64(apples.header("apns-expiration") ?? "").required()
        #expect(abs(expiration - server.clock.now().seconds - 600) < 5)
        #expect(apples.claims["iss"] == "TEAM123456")
        #expect(apples.json["aps"]["alert"] == ["title": "Fed 3 h ago", "body": "Ada"])
        #expect(apples.json["aps"]["category"] == "reminder")
        #expect(apples.json["family_id"] == .string(family))
        #expect(apples.json["event_kind"] == "feeding" && apples.json["plan_id"] == .null)
        #expect(try server.database.count("pushes") == 0)
        #expect(server.metric("pushes_sent_total") == 2)
    }

    @Test("Words of any length and script make a push that every push service takes")
    func sizes() throws {
        try server.browser(of: johnny)
        for (index, text) in ["👶🏽", "\u{1}", "\"\\", "é"].enumerated() {
            try server.tell(johnny, of: family, tag: "\(index)", String(repeating: text, count: 3000))
        }
        try server.push()
        #expect(services.pushes.count == 4)
        #expect(services.pushes.allSatisfy { $0.request.body.count <= 4096 })
    }

    @Test("A newer one takes the place of what waits with its tag, and of no other")
    func newer() throws {
        try server.iPhone(of: johnny)
        try server.tell(johnny, of: family, "Fed 3 h ago")
        try server.tell(johnny, of: family, "Fed 4 h ago")
        try server.tell(johnny, of: family, tag: "diaper", "Changed 4 h ago")
        try server.push()
        #expect(services.pushes.compactMap(\.title).sorted() == ["Changed 4 h ago", "Fed 4 h ago"])
    }

    @Test("A newer one does not overtake the one before it, which is on its way")
    func overtaking() throws {
        try server.iPhone(of: johnny)
        services.answer { _ in nil }
        try server.tell(johnny, of: family, "Fed 3 h ago")
        try server.push()
        try server.tell(johnny, of: family, "Fed 4 h ago")
        try server.push()
        #expect(services.pushes.compactMap(\.title) == ["Fed 3 h ago"])
        services.answer(200)
        services.release()
        try server.push()
        #expect(services.pushes.compactMap(\.title) == ["Fed 3 h ago", "Fed 4 h ago"])
        #expect(try server.database.count("pushes") == 0)
    }

    @Test("A newer one comes in place of one that is tried again later, at once")
    func inPlaceOfLater() throws {
        try server.iPhone(of: johnny)
        services.answer(503)
        try server.tell(johnny, of: family, "Fed 3 h ago")
        try server.push()
        services.answer(200)
        try server.tell(johnny, of: family, "Fed 4 h ago")
        try server.push()
        #expect(services.pushes.compactMap(\.title) == ["Fed 3 h ago", "Fed 4 h ago"])
    }

    @Test("What is withdrawn is not sent")
    func withdrawn() throws {
        let maria = try server.member("Maria", of: family, by: johnny)
        for user in [johnny, maria] {
            try server.iPhone(of: user)
            try server.tell(user, of: family, "For \(user.name)")
        }
        let withdrawal = Pushes.withdraw(tag: "feed", for: try UserID(johnny.id).required())
        #expect(try server.database.asServer { try $0.execute(withdrawal) } == 1)
        try server.push()
        #expect(services.pushes.compactMap(\.title) == ["For Maria"])
    }

    @Test("A device that is no more goes, with all that waits for it", arguments: [404, 410])
    func gone(status: Int) throws {
        try server.browser(of: johnny)
        try server.tell(johnny, of: family)
        try server.tell(johnny, of: family, tag: "diaper", for: .seconds(7200))
        services.answer(status)
        try server.push()
        #expect(try server.database.count("devices") == 0)
        #expect(try server.database.count("pushes") == 0)
        #expect((server.metric("push_devices_gone_total") ?? 0) >= 1)
    }

    @Test("What a push service takes later is tried later, not before it says, and until it is not true any more")
    func later() throws {
        try server.browser(of: johnny)
        try server.tell(johnny, of: family, for: .seconds(3600))
        services.answer(429, retryAfter: 120)
        try server.push()
        services.answer(503)
        server.clock.advance(by: .seconds(115))
        try server.push()
        #expect(services.pushes.count == 1, "not before it says")
        var waits: [Int] = []
        var seconds = 115
        var before = 0
        while try server.database.count("pushes") > 0, seconds < 7200 {
            server.clock.advance(by: .seconds(5))
            seconds += 5
            let count = services.pushes.count
            try server.push()
            if services.pushes.count > count {
                waits.append(seconds - before)
                before = seconds
            }
        }
        // The database's own clock goes on meanwhile, on a busy machine by seconds.
        let asked = [120, 60, 300, 900]
        #expect(
            waits.count == asked.count && zip(waits, asked).allSatisfy { ($1 - 45...$1).contains($0) },
            "then it would be too late: \(waits)")
        #expect(server.metric("pushes_given_up_total") == 1)
        #expect(server.metric("pushes_failed_total") == 5)
        #expect(try server.database.count("devices") == 1)
    }

    @Test("What is tried again does not ring in quiet hours that have begun meanwhile")
    func quiet() throws {
        let morning = try Timestamp("2026-12-11T10:00:00Z").required()
        server.clock.advance(by: morning.adding(.seconds(-600)).since(server.clock.moment()))
        let sarah = try server.user("Sarah")
        try server.database.execute(
            "insert into family_members (family_id, user_id, role) select \(FamilyID(family)), \(sarah.id)::uuid, 'parent'"
        )
        try server.iPhone(of: sarah)
        services.answer(503)
        try server.tell(sarah, of: family, for: .seconds(6 * 3600))
        try server.push()
        let quiet: JSON = ["timezone": "UTC", "quiet": ["from": "10:00", "to": "12:00"]]
        #expect(server.send("PATCH", "users/me", as: sarah, quiet).status == 200)
        services.answer(201)
        server.clock.advance(by: .seconds(660))
        try server.push()
        #expect(services.pushes.count == 1)
        server.clock.advance(by: .seconds(7000))
        try server.push()
        #expect(services.pushes.count == 1, "five minutes before their end")
        server.clock.advance(by: .seconds(200))
        try server.push()
        #expect(services.pushes.count == 2)
        #expect(try server.database.count("pushes") == 0)
    }

    @Test("A device of a key that this worker does not have yet waits for one that has it")
    func otherKey() throws {
        let newer = try TestServer(database: server.database, pushes: PushServices.configuration(keys: [2, 1]))
        try newer.browser(of: johnny)
        try server.tell(johnny, of: family)
        try server.push()
        #expect(services.pushes.isEmpty)
        #expect(try server.database.count("devices") == 1)
        newer.clock.advance(by: .seconds(20))
        try newer.push()
        #expect(newer.pushServices.pushes.count == 1)
    }

    @Test("Nobody answers: as if it were busy")
    func away() throws {
        try server.browser(of: johnny)
        try server.tell(johnny, of: family)
        services.answer { _ in .failed(reason: "Timeout was reached") }
        try server.push()
        services.answer(201)
        server.clock.advance(by: .seconds(16))
        try server.push()
        #expect(services.pushes.count == 2)
        #expect(try server.database.count("pushes") == 0)
    }

    @Test("What a push service will never take is thrown away and counted", arguments: [301, 307, 400, 401, 403, 413])
    func refused(status: Int) throws {
        try server.browser(of: johnny)
        try server.tell(johnny, of: family)
        services.answer(status)
        try server.push()
        #expect(services.pushes.count == 1)
        #expect(try server.database.count("pushes") == 0)
        #expect(try server.database.count("devices") == 1)
        #expect(server.metric("pushes_refused_total") == 1)
        #expect(server.log.lines.contains { $0.contains("fcm.googleapis.com: \(status)") })
    }

    @Test("A push service that hangs holds up its own alone, and has no more than its share")
    func hanging() throws {
        let people = try (0..<150).map { try server.user("Person \($0)") }
        let id = try FamilyID(family).required()
        for person in people {
            try server.database.execute(
                "insert into family_members (family_id, user_id, role) values (\(id), \(person.id)::uuid, 'viewer')")
            try server.browser(of: person, host: "updates.push.services.mozilla.com")
            try server.tell(person, of: family)
        }
        try server.browser(of: johnny)
        services.answer { $0.url.contains("mozilla") ? nil : .answered(OutgoingAnswer(status: 201)) }
        try server.tell(johnny, of: family)
        try server.push()
        #expect(services.pushes.count { $0.url.contains("fcm") } == 1)
        #expect(services.pushes.count { $0.url.contains("mozilla") } == 128)
        try server.tell(johnny, of: family)
        try server.push()
        #expect(services.pushes.count { $0.url.contains("fcm") } == 2)
        services.answer(201)
        services.release()
        try server.push()
        #expect(services.pushes.count { $0.url.contains("mozilla") } == 150)
        #expect(try server.database.count("pushes") == 0)
    }

    @Test("Nobody is told who is no member, or whose time is over, or who has signed out, or of what is over")
    func untrue() throws {
        let house = try FullHouse(server)
        let told = [house.viewer, house.caregiver, house.parent, house.expired, house.removed, house.stranger]
        for user in told {
            try server.iPhone(of: user)
            try server.tell(user, of: house.family, "For \(user.name)")
        }
        try server.tell(house.parent, of: house.family, tag: "old", "Over", for: .seconds(-1))
        try server.database.execute(
            "update sessions set expires_at = now() - interval '1 second' where user_id = \(house.caregiver.id)::uuid")
        try server.push()
        #expect(services.pushes.compactMap(\.title).sorted() == ["For Parent", "For Viewer"])
        #expect(try server.database.count("pushes") == 0)
        #expect(server.metric("pushes_dropped_total") == 5)
    }

    @Test("Who is removed between due and sent hears nothing")
    func removed() throws {
        let maria = try server.member("Maria", of: family, by: johnny)
        try server.iPhone(of: maria)
        try server.tell(maria, of: family)
        services.answer(503)
        try server.push()
        #expect(server.send("DELETE", "families/\(family)/members/\(maria.id)", as: johnny).status == 204)
        services.answer(200)
        server.clock.advance(by: .seconds(60))
        try server.push()
        #expect(services.pushes.count == 1)
        #expect(try server.database.count("pushes") == 0)
    }

    @Test("Several workers send each once")
    func workers() throws {
        let others = try (0..<3).map { _ in
            try TestServer(database: server.database, connections: 4, pushes: PushServices.configuration())
        }
        for _ in 0..<5 { try server.iPhone(of: johnny) }
        for number in 0..<20 { try server.tell(johnny, of: family, tag: "tag-\(number)") }
        let all = [server] + others
        _ = race(4) { try? all[$0].push() }
        let sent = all.flatMap { $0.pushServices.pushes.map { "\($0.url) \($0.header("apns-collapse-id") ?? "")" } }
        #expect(sent.count == 100)
        #expect(Set(sent).count == 100)
    }

    @Test("What a worker took along when it was killed is free after a minute, and not before")
    func killed() throws {
        try server.iPhone(of: johnny)
        try server.tell(johnny, of: family)
        // As a worker leaves it that vanishes while it sends.
        let claim = WaitingPush.claim([("apns", 10)], at: "clock_timestamp()", now: server.clock.now())
        #expect(try server.database.asServer { try $0.execute(claim) } == 1)
        server.clock.advance(by: .seconds(55))
        try server.push()
        #expect(services.pushes.isEmpty)
        server.clock.advance(by: .seconds(6))
        try server.push()
        #expect(services.pushes.count == 1)
        #expect(try server.database.count("pushes") == 0)
    }

    @Test("Who comes back after the minute is over takes nothing away from who has it now", arguments: [200, 503])
    func late(status: Int) throws {
        try server.iPhone(of: johnny)
        try server.tell(johnny, of: family)
        services.answer { _ in nil }
        try server.push()
        try server.database.execute("update pushes set due_at = now()")
        let claim = WaitingPush.claim([("apns", 10)], at: "clock_timestamp()", now: server.clock.now())
        #expect(try server.database.asServer { try $0.execute(claim) } == 1)
        services.release(status)
        try server.push()
        let kept = "select (is_being_sent and due_at > now() + interval '50 seconds')::text from pushes"
        #expect(try server.database.texts(SQL(stringLiteral: kept)) == ["true"])
    }

    @Test("A running worker sends at once when it is woken, and ends what it has begun")
    func woken() throws {
        try server.iPhone(of: johnny)
        let sender = try server.services.pushSender.required()
        TestLoop.shared.sync { [server] in server.services.start() }
        for number in 1...3 {
            try server.tell(johnny, of: family)
            TestLoop.shared.sync { sender.wake() }
            let end = ContinuousClock.now + .seconds(10)
            while services.pushes.count < number, ContinuousClock.now < end { usleep(2000) }
            #expect(services.pushes.count == number)
        }
        services.answer { _ in nil }
        try server.tell(johnny, of: family)
        TestLoop.shared.sync { sender.wake() }
        let end = ContinuousClock.now + .seconds(10)
        while services.pushes.count < 4, ContinuousClock.now < end { usleep(2000) }
        let closing = Background { [server] in TestLoop.shared.sync { await server.services.pushSender?.close() } }
        services.release()
        _ = try closing.value()
        #expect(try server.database.count("pushes") == 0)
        TestLoop.shared.sync { [server] in await server.services.close() }
    }

    @Test("Apple's word that there is no such device is taken, and its word on our token is not the device's fault")
    func apple() throws {
        try server.iPhone(of: johnny)
        try server.tell(johnny, of: family)
        services.answer(403, reason: "ExpiredProviderToken")
        try server.push()
        services.answer(400, reason: "BadDeviceToken")
        server.clock.advance(by: .seconds(20))
        try server.push()
        let tokens = services.pushes.map { $0.header("Authorization") }
        #expect(tokens.count == 2 && tokens[0] != tokens[1], "it shows another token")
        #expect(try server.database.count("devices") == 0)
        try server.iPhone(of: johnny)
        try server.tell(johnny, of: family)
        services.answer(400, reason: "BadTopic")
        try server.push()
        #expect(try server.database.count("devices") == 1)
    }

    @Test("One token is shown for a while, then another")
    func tokens() throws {
        try server.browser(of: johnny)
        try server.iPhone(of: johnny)
        func tokens() throws -> Set<String> {
            let count = services.pushes.count
            try server.tell(johnny, of: family)
            try server.push()
            return Set(services.pushes[count...].compactMap { $0.header("Authorization") })
        }
        let first = try tokens()
        server.clock.advance(by: .seconds(20 * 60))
        #expect(try tokens() == first)
        server.clock.advance(by: .seconds(30 * 60))
        #expect(try tokens().intersection(first).count == 1, "Apple's is older than 40 minutes")
        server.clock.advance(by: .seconds(6 * 3600))
        try server.database.execute("update sessions set expires_at = now() + interval '30 days'")
        #expect(try tokens().isDisjoint(with: first))
    }

    @Test("Who subscribed with the key before is told on; where that is gone it waits, and keeps its device")
    func rotated() throws {
        try server.browser(of: johnny, "old")
        let rotated = try TestServer(database: server.database, pushes: PushServices.configuration(keys: [2, 1]))
        try rotated.browser(of: johnny, "new")
        // Named again, it still is what it was subscribed as; so it is for whoever has it next.
        try rotated.browser(of: johnny, "old")
        let maria = try server.member("Maria", of: family, by: johnny)
        try rotated.browser(of: maria, "old")
        try rotated.tell(maria, of: family)
        try rotated.tell(johnny, of: family)
        try rotated.push()
        let shown = rotated.pushServices.pushes.map { ($0.url.suffix(3), $0.header("Authorization")?.suffix(87)) }
        let keys = rotated.configuration.push?.keys.map(\.text) ?? []
        #expect(shown.first { $0.0 == "old" }?.1.map(String.init) == keys[1])
        #expect(shown.first { $0.0 == "new" }?.1.map(String.init) == keys[0])
        let finished = try TestServer(database: server.database, pushes: PushServices.configuration(keys: [2]))
        try finished.tell(johnny, of: family)
        try finished.push()
        #expect(finished.pushServices.pushes.map { $0.url.suffix(3) } == ["new"])
        try finished.tell(maria, of: family)
        try finished.push()
        #expect(finished.devices(of: johnny).count == 1 && finished.devices(of: maria).count == 1)
        rotated.clock.advance(by: .seconds(20))
        try rotated.push()
        #expect(rotated.pushServices.pushes.count == 3, "a host that has it still")
    }

    @Test("Nothing of a push is in the log, however it fails")
    func log() throws {
        try server.browser(of: johnny, "canary-endpoint")
        let token = try server.iPhone(of: johnny)
        for status in [429, 500, 400, 201, 410] {
            services.answer(status, reason: "canary-reason")
            try server.tell(johnny, of: family, tag: "canary-tag-\(status)", "canary-title")
            try server.push()
        }
        let secrets = ["canary", token, Browser.auth, Browser.p256dh, "vapid t=", "bearer "]
        #expect(server.log.lines.contains { $0.contains("pushes were not taken") })
        for secret in secrets { #expect(!server.log.lines.contains { $0.contains(secret) }, "\(secret)") }
    }

    @Test("The purge takes what nobody sends")
    func purge() throws {
        try server.iPhone(of: johnny)
        try server.tell(johnny, of: family, tag: "old", for: .seconds(-7200))
        try server.tell(johnny, of: family, tag: "new")
        let session = try TestConnection(ConnectionConfiguration(url: server.database.serverURL))
        let connection = session.connection
        let report = try TestLoop.run { try await Purge(connection: connection, now: Purge.now).run() }
        #expect(report.pushes == 1)
        #expect(try server.database.texts("select tag from pushes") == ["new"])
    }
}
