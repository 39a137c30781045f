import BabyBasicsAPI
import Postgres
import TestSupport
import Testing

@testable import BabyBasicsServer

@Suite("Devices")
struct DeviceTests {
    let server: TestServer

    init() throws { server = try TestServer(pushes: PushServices.configuration()) }

    private func name(_ body: JSON, as user: TestUser) -> Answer {
        server.send("POST", "users/me/devices", as: user, body)
    }

    @Test("Named, named again, shown to whoever has it, and removed")
    func life() throws {
        let (johnny, maria) = (try server.user("Johnny"), try server.user("Maria"))
        let first = name(Browser.subscription("a"), as: johnny)
        #expect(first.status == 201)
        #expect(first.json["device"].keys == ["id", "type", "created_at", "user_agent", "current"])
        let again = name(Browser.subscription("a"), as: johnny)
        #expect((again.status, again.json) == (200, first.json))
        try server.iPhone(of: johnny)
        let shown = server.devices(of: johnny)
        #expect(shown.map { $0["type"] } == ["apns", "web_push"])
        #expect(shown.allSatisfy { $0["current"] == true })
        #expect(server.devices(of: maria).isEmpty)
        let id = try first.json["device"]["id"].string.required()
        #expect(server.send("DELETE", "users/me/devices/\(id)", as: maria).status == 404)
        #expect(server.send("DELETE", "users/me/devices/\(id)", as: johnny).status == 204)
        #expect(server.send("DELETE", "users/me/devices/\(id)", as: johnny).status == 404)
        #expect(server.send("DELETE", "users/me/devices/none", as: johnny).status == 404)
        #expect(server.devices(of: johnny).count == 1)
    }

    @Test("No answer shows an address or a key")
    func secret() throws {
        let johnny = try server.user("Johnny")
        let answer = name(Browser.subscription("canary"), as: johnny)
        let token = try server.iPhone(of: johnny)
        let list = server.send("GET", "users/me/devices", as: johnny)
        for text in [answer, list].map({ String(decoding: $0.body, as: UTF8.self) }) {
            for secret in ["canary", Browser.auth, Browser.p256dh, token] { #expect(!text.contains(secret)) }
        }
    }

    static let endpoint = "https://fcm.googleapis.com/send/a"
    private static func webPush(
        endpoint: JSON = .string(endpoint), p256dh: JSON = .string(Browser.p256dh), auth: JSON = .string(Browser.auth)
    ) -> JSON {
        ["type": "web_push", "endpoint": endpoint, "keys": ["p256dh": p256dh, "auth": auth]]
    }
    private static func apple(_ token: JSON, _ environment: JSON = "sandbox") -> JSON {
        ["type": "apns", "token": token, "environment": environment]
    }
    private static let offTheCurve = Browser.p256dh.replacing("BCVx", with: "BCVy")

    @Test(
        "What is not as described is refused by its name",
        arguments: [
            ([:], "type", "required"),
            (["type": 1], "type", "type"),
            (["type": "fcm"], "type", "not_listed"),
            (webPush(endpoint: nil), "endpoint", "required"),
            (["type": "web_push", "endpoint": .string(endpoint)], "keys", "required"),
            (["type": "web_push", "endpoint": .string(endpoint), "keys": "none"], "keys", "type"),
            (webPush(endpoint: 7), "endpoint", "type"),
            (webPush(endpoint: ""), "endpoint", "format"),
            (webPush(endpoint: "http://fcm.googleapis.com/send/a"), "endpoint", "format"),
            (webPush(endpoint: "https://fcm.googleapis.com"), "endpoint", "format"),
            (webPush(endpoint: "https://user@fcm.googleapis.com/send/a"), "endpoint", "format"),
            (webPush(endpoint: "https://fcm.googleapis.com\\@127.0.0.1/"), "endpoint", "format"),
            (webPush(endpoint: "https://fcm.googleapis.com/a b"), "endpoint", "format"),
            (webPush(endpoint: "https://fcm.googleapis.com/\r\nX-Admin: 1"), "endpoint", "format"),
            (webPush(endpoint: "https://fcm.googleapis.com/#a"), "endpoint", "format"),
            (webPush(endpoint: "https://fcm.googleapis.com/ä"), "endpoint", "format"),
            (webPush(endpoint: "https://fcm.googleapis.com:99999/a"), "endpoint", "format"),
            (webPush(endpoint: "https://[::1]/a"), "endpoint", "format"),
            (webPush(endpoint: .string(endpoint + String(repeating: "a", count: 2048))), "endpoint", "too_long"),
            (webPush(endpoint: "https://127.0.0.1/a"), "endpoint", "not_allowed"),
            (webPush(endpoint: "https://127.0.0.1:8443/a"), "endpoint", "not_allowed"),
            (webPush(endpoint: "https://localhost/a"), "endpoint", "not_allowed"),
            (webPush(endpoint: "https://2130706433/a"), "endpoint", "not_allowed"),
            (webPush(endpoint: "https://push.example.com/a"), "endpoint", "not_allowed"),
            (webPush(endpoint: "https://fcm.googleapis.com.example.com/a"), "endpoint", "not_allowed"),
            (webPush(endpoint: "https://xfcm.googleapis.com/a"), "endpoint", "not_allowed"),
            (webPush(endpoint: "https://fcm.googleapis.com./a"), "endpoint", "not_allowed"),
            (webPush(endpoint: "https://fcm.googleapis.com:8443/a"), "endpoint", "not_allowed"),
            (webPush(endpoint: "https://push.apple.com/a"), "endpoint", "not_allowed"),
            (webPush(endpoint: "https://.push.apple.com/a"), "endpoint", "not_allowed"),
            (webPush(endpoint: "https://xpush.apple.com/a"), "endpoint", "not_allowed"),
            (webPush(p256dh: ""), "keys.p256dh", "format"),
            (webPush(p256dh: .string(String(Browser.p256dh.dropLast()))), "keys.p256dh", "format"),
            (webPush(p256dh: .string(offTheCurve)), "keys.p256dh", "format"),
            (webPush(p256dh: .string(String(repeating: "A", count: 87))), "keys.p256dh", "format"),
            (webPush(p256dh: .string(String(repeating: "A", count: 5000))), "keys.p256dh", "format"),
            (webPush(auth: "AAAA"), "keys.auth", "format"),
            (webPush(auth: nil), "keys.auth", "required"),
            (webPush(auth: "BTBZMqHH6r4Tts7J/aSIgg"), "keys.auth", "format"),
            (apple(nil), "token", "required"),
            (apple("abc"), "token", "format"),
            (apple(.string(String(repeating: "g", count: 64))), "token", "format"),
            (apple(.string(String(repeating: "a", count: 202))), "token", "format"),
            (apple(.string(String(repeating: "a", count: 64)), "test"), "environment", "not_listed"),
        ] as [(JSON, String, String)])
    func refused(_ body: JSON, _ field: String, _ reason: String) throws {
        let answer = name(body, as: try server.user("Johnny"))
        let details = answer.json["error"]["details"].array
        #expect((answer.status, answer.code) == (400, "VALIDATION_ERROR"))
        #expect(details.map { $0["field"] } == [.string(field)])
        #expect(details.map { $0["reason"] } == [.string(reason)])
        #expect(try server.database.count("devices") == 0)
    }

    @Test(
        "Endpoints of the known services are taken",
        arguments: [
            "https://fcm.googleapis.com/fcm/send/a:b-c_d", "https://FCM.googleapis.com/wp/a",
            "https://updates.push.services.mozilla.com/wpush/v2/gAAA", "https://web.push.apple.com/QJ-x",
            "https://wns2-bl2p.notify.windows.com/w/?token=BQY%2fa", "https://fcm.googleapis.com:443/a",
        ])
    func taken(_ endpoint: String) throws {
        #expect(name(Self.webPush(endpoint: .string(endpoint)), as: try server.user("Johnny")).status == 201)
    }

    @Test("What is named by its address on this machine, and nothing else there, is taken where it is listed")
    func loopback() throws {
        let host = try PushHost("127.0.0.1:8443").required()
        let server = try TestServer(pushes: PushServices.configuration(hosts: [host]))
        let johnny = try server.user("Johnny")
        func status(_ endpoint: String) -> Int {
            server.send("POST", "users/me/devices", as: johnny, Self.webPush(endpoint: .string(endpoint))).status
        }
        #expect(status("https://127.0.0.1:8443/a") == 201)
        for other in ["127.0.0.1", "127.0.0.1:443", "127.0.0.2:8443", "localhost:8443"] {
            #expect(status("https://\(other)/a") == 400, "\(other)")
        }
        for wrong in [
            "127.0.0.1", "127.0.0.1:0", "127.0.0.1:70000", "127.0.0.2:1", "10.0.0.1:443", "10.0.0.1", "[::1]:443",
            "localhost", "localhost:443", "*", "*.com:1", "example.com/", "https://example.com", "EXAMPLE.com",
        ] {
            #expect(PushHost(wrong) == nil, "\(wrong)")
        }
    }

    @Test("At most ten, of any number at once")
    func most() throws {
        let johnny = try server.user("Johnny")
        let statuses = race(14) { [server] index in
            server.send("POST", "users/me/devices", as: johnny, Browser.subscription("\(index)")).status
        }
        #expect(statuses.sorted() == [Int](repeating: 201, count: 10) + [Int](repeating: 409, count: 4))
        let known = try server.database.texts("select address from devices limit 1")[0]
        #expect(name(Self.webPush(endpoint: .string(known)), as: johnny).status == 200, "it is there already")
        let id = try server.devices(of: johnny)[0]["id"].string.required()
        #expect(server.send("DELETE", "users/me/devices/\(id)", as: johnny).status == 204)
        #expect(name(Browser.subscription("another"), as: johnny).status == 201)
    }

    @Test("A browser says which of the server's keys it has subscribed with, be it that keys have changed since")
    func ownKey() throws {
        let johnny = try server.user("Johnny")
        let before = try PushServices.configuration(keys: [2]).publicKey.required()
        func keys() throws -> [String] { try server.database.texts("select push_key from devices") }
        func body(_ key: String) -> JSON {
            var body: [String: JSON] = ["application_server_key": .string(key)]
            for member in ["type", "endpoint", "keys"] { body[member] = Browser.subscription("a")[member] }
            return .object(body)
        }
        #expect(name(body(before), as: johnny).status == 201)
        #expect(try keys() == [before])
        #expect(name(Browser.subscription("a"), as: johnny).status == 200)
        #expect(try keys() == [before], "it is the same subscription")
        #expect(name(body("AAAA"), as: johnny).fields == ["application_server_key"])
    }

    @Test("A device goes with the session that named it last, however that ends")
    func sessions() throws {
        let johnny = try server.account("Johnny")
        func other() throws -> TestUser {
            let other = try server.anotherSession(of: johnny)
            try server.browser(of: other)
            return other
        }
        try server.browser(of: johnny, "mine")
        #expect(server.send("POST", "auth/logout", as: try other()).status == 204)
        #expect(server.devices(of: johnny).count == 1)
        _ = try other()
        let sessions = server.send("GET", "auth/sessions", as: johnny).json["sessions"].array
        let ended = try sessions.first { $0["current"] == false }?["id"].string.required() ?? ""
        #expect(server.send("DELETE", "auth/sessions/\(ended)", as: johnny).status == 204)
        #expect(server.devices(of: johnny).count == 1)
        let moved = try other()
        #expect(server.send("POST", "users/me/devices", as: moved, Browser.subscription("mine")).status == 200)
        #expect(server.devices(of: johnny).map { $0["current"] } == [false, false])
        let change: JSON = ["current_password": .string(testPassword), "new_password": "another fine password"]
        #expect(server.send("POST", "auth/change-password", as: johnny, change).status == 204)
        #expect(try server.database.count("devices") == 0)
        try server.browser(of: johnny)
        #expect(server.deleteAccount(johnny, "another fine password").status == 204)
        #expect(try server.database.count("devices") == 0)
    }

    @Test("A session that ends while it names a device leaves none")
    func endingSession() throws {
        let johnny = try server.account("Johnny")
        for _ in 0..<20 {
            let phone = try server.anotherSession(of: johnny)
            let statuses = race(2) { [server] index in
                index == 0
                    ? server.send("POST", "auth/logout", as: phone).status
                    : server.send("POST", "users/me/devices", as: phone, Browser.subscription("a")).status
            }
            #expect(statuses[0] == 204 && [201, 401].contains(statuses[1]), "\(statuses)")
            #expect(try server.database.count("devices") == 0)
        }
    }

    @Test("A browser that changes hands is the new one's alone, with nothing that waits for the old one")
    func hands() throws {
        let (johnny, maria) = (try server.user("Johnny"), try server.user("Maria"))
        let family = try server.family(of: johnny)
        try server.browser(of: johnny, "shared")
        try server.tell(johnny, of: family)
        #expect(name(Browser.subscription("shared"), as: maria).status == 201)
        #expect(server.devices(of: johnny).isEmpty && server.devices(of: maria).count == 1)
        try server.push()
        #expect(server.pushServices.pushes.isEmpty)
    }

    @Test("Two people who name one browser at once: one has it, and nobody sees a mistake of ours")
    func handsAtOnce() throws {
        let people = try (0..<4).map { try server.user("Person \($0)") }
        for round in 0..<10 {
            let statuses = race(4) { [server] index in
                server.send("POST", "users/me/devices", as: people[index], Browser.subscription("\(round)")).status
            }
            #expect(statuses.allSatisfy { [201, 503].contains($0) } && statuses.contains(201), "\(statuses)")
        }
        #expect(try server.database.count("devices") == 10)
    }

    @Test("A server that pushes to nobody says so")
    func off() throws {
        #expect(server.send("GET", "server").json["server"]["push_key"].string?.utf8.count == 87)
        let server = try TestServer()
        #expect(server.send("GET", "server").json["server"]["push_key"] == .null)
        let johnny = try server.user("Johnny")
        #expect(server.send("POST", "users/me/devices", as: johnny, Browser.subscription("a")).status == 409)
        #expect(server.send("GET", "users/me/devices", as: johnny).json == ["devices": [], "count": 0])
    }
}
