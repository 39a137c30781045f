import BabyBasicsAPI
import Cryptography
import Curl
import Foundation
import Postgres
import TestSupport
import Testing

@testable import BabyBasicsServer

@Suite("Webhooks")
struct WebhookTests {
    let nursery: Nursery
    var server: TestServer { nursery.server }
    var receivers: PushServices { nursery.server.receivers }

    init() throws { nursery = try Nursery() }

    private func hooks(_ method: String = "GET", _ path: String = "", _ body: JSON? = nil) -> Answer {
        server.clock.advance(by: .seconds(1))
        return server.send(method, "families/\(nursery.family)/webhooks\(path)", as: nursery.parent, body)
    }

    private func hook(_ url: String = "https://receiver.example/one", kinds: JSON = nil) throws -> (
        id: String, secret: String
    ) {
        let webhook = hooks("POST", "", ["url": .string(url), "kinds": kinds]).json["webhook"]
        return (try webhook["id"].string.required(), try webhook["secret"].string.required())
    }

    private func diaper(_ type: String = "wet") throws -> String {
        try nursery.log("diapers", ["type": .string(type)])["id"].string.required()
    }

    private func deliveries(_ hook: String) -> [JSON] { hooks("GET", "/\(hook)/deliveries").json["deliveries"].array }

    private var types: [String] { receivers.pushes.compactMap { $0.json["type"].string } }

    @Test("Its secret is shown once; the list, the single one, what can be changed, and its end")
    func life() throws {
        let answer = hooks("POST", "", ["url": "https://receiver.example:8443/a?b=c", "kinds": ["sleep", "feeding"]])
        #expect(answer.status == 201)
        let webhook = answer.json["webhook"]
        let (id, secret) = (try webhook["id"].string.required(), try webhook["secret"].string.required())
        #expect(secret.wholeMatch(of: /whsec_[A-Za-z0-9+\/]{43}=/) != nil)
        #expect(webhook["kinds"] == ["feeding", "sleep"] && webhook["active"] == true && webhook["failed_at"] == .null)
        #expect(webhook["created_by"]["name"] == "Johnny")
        for body in [hooks().body, hooks("GET", "/\(id)").body] {
            let text = String(decoding: body, as: UTF8.self)
            #expect(text.contains(id) && !text.contains("secret"))
        }
        let changed = hooks("PATCH", "/\(id)", ["kinds": nil, "url": "https://receiver.example/x"])
        #expect(changed.status == 200 && changed.json["webhook"]["kinds"] == .null)
        #expect(changed.json["webhook"]["url"] == "https://receiver.example/x")
        #expect(hooks("PATCH", "/\(id)", ["active": false]).json["webhook"]["active"] == false)
        #expect(hooks("PATCH", "/\(id)", ["active": true, "kinds": ["note"]]).json["webhook"]["kinds"] == ["note"])
        #expect(hooks("PATCH", "/\(id)", [:]).json["webhook"]["kinds"] == ["note"])
        #expect(hooks("DELETE", "/\(id)").status == 204)
        #expect(hooks("DELETE", "/\(id)").status == 404 && hooks("GET", "/\(id)").status == 404)
        #expect(hooks("GET", "/\(id)/deliveries").status == 404 && hooks().json["count"] == 0)
        let entries = server.send("GET", "families/\(nursery.family)/audit", as: nursery.parent).json["entries"].array
        let own = entries.filter { $0["entity_type"] == "webhook" }
        #expect(own.compactMap { $0["action"].string } == ["delete", "update", "update", "update", "create"])
        #expect(own[4]["changes"]["url"]["new"] == "https://receiver.example:8443")
    }

    @Test("Of others' families nothing is seen, and an id of another family is none")
    func strangers() throws {
        let id = try hook().id
        let other = try server.family(of: nursery.stranger)
        for path in ["", "/deliveries"] {
            let answer = server.send("GET", "families/\(other)/webhooks/\(id)\(path)", as: nursery.stranger)
            #expect(answer.status == 404)
        }
        #expect(server.send("DELETE", "families/\(other)/webhooks/\(id)", as: nursery.stranger).status == 404)
        #expect(
            server.send("PATCH", "families/\(other)/webhooks/\(id)", as: nursery.stranger, ["active": false]).status
                == 404)
        #expect(hooks("GET", "/\(id)").json["webhook"]["active"] == true)
    }

    @Test(
        "Where it may not lead is refused when it is made",
        arguments: [
            ("http://receiver.example/", "format"), ("https://", "format"), ("receiver.example", "format"),
            ("https://user:secret@receiver.example/", "format"), ("https://receiver.example/#x", "format"),
            ("https://receiver.example:0/", "format"), ("https://receiver.example:99999/", "format"),
            ("https://127.0.0.1/", "not_allowed"), ("https://localhost:8123/x", "not_allowed"),
            ("https://10.1.2.3/", "not_allowed"), ("https://169.254.169.254/latest", "not_allowed"),
            ("https://[::1]/", "not_allowed"), ("https://[fd00:ec2::254]/", "not_allowed"),
            ("https://[::ffff:127.0.0.1]/", "not_allowed"), ("https://[64:ff9b::a00:1]/", "not_allowed"),
            ("https://[2002:7f00:1::1]/", "not_allowed"), ("https://[2001::1]/", "not_allowed"),
            ("https://2130706433/", "not_allowed"), ("https://0x7f.1/", "not_allowed"),
            ("https://receiver.example/\(String(repeating: "x", count: 2048))", "too_long"),
        ])
    func refusedURLs(url: String, reason: String) throws {
        let answer = hooks("POST", "", ["url": .string(url)])
        #expect(answer.status == 400 && answer.json["error"]["details"][0]["reason"].string == reason, "\(url)")
        let id = try hook().id
        #expect(hooks("PATCH", "/\(id)", ["url": .string(url)]).status == 400)
    }

    @Test("Kinds are those that there are, and at least one")
    func refusedKinds() {
        for (kinds, reason) in [(["nap"], "not_listed"), ([], "too_short"), ("feeding", "type")] as [(JSON, String)] {
            let answer = hooks("POST", "", ["url": "https://receiver.example/", "kinds": kinds])
            #expect(answer.json["error"]["details"][0]["reason"].string == reason)
        }
    }

    @Test("A family has 5, however many are made at once")
    func ceiling() throws {
        let statuses = race(8) { [server, nursery] index in
            server.send(
                "POST", "families/\(nursery.family)/webhooks", as: nursery.parent,
                ["url": .string("https://receiver.example/\(index)")]
            ).status
        }
        #expect(statuses.sorted() == Array(repeating: 201, count: 5) + Array(repeating: 409, count: 3))
    }

    @Test(
        "What is logged, changed, deleted, restored and logged in a batch comes in order, signed, as the API shows it")
    func calls() throws {
        let (_, secret) = try hook()
        let made = try nursery.log(
            "feedings", ["type": "bottle", "amount_ml": 120.5, "notes": "ü"], as: nursery.caregiver)
        let id = try made["id"].string.required()
        let changed = nursery.send("PATCH", "feedings/\(id)", ["amount_ml": 90]).json["feeding"]
        #expect(nursery.send("DELETE", "feedings/\(id)").status == 204)
        #expect(nursery.send("POST", "feedings/\(id)/restore").status == 200)
        let batch: JSON = .object([
            "events": .array(
                (0..<3).map {
                    ["type": "note", "event": ["content": .string("\($0)"), "occurred_at": nursery.hoursAgo(1)]]
                })
        ])
        #expect(nursery.send("POST", "events", batch).status == 201)
        #expect(receivers.pushes.isEmpty, "no request waits for it")
        server.callWebhooks()
        let calls = receivers.pushes
        #expect(
            types == ["event.created", "event.updated", "event.deleted", "event.updated"]
                + Array(repeating: "event.created", count: 3))
        #expect(calls[0].json["data"]["event"] == made)
        #expect(calls[0].json["data"]["kind"] == "feeding")
        #expect(calls[0].json["data"]["child"] == ["id": .string(nursery.child), "name": "Baby Bretz"])
        #expect(calls[0].json["data"]["family"] == ["id": .string(nursery.family), "name": "Johnny's Family"])
        #expect(calls[0].json["timestamp"] == made["created_at"])
        #expect(calls[1].json["data"]["event"] == changed)
        #expect(calls[2].json["data"]["event"]["id"].string == id)
        #expect(calls[4...].compactMap { $0.json["data"]["event"]["content"].string } == ["0", "1", "2"])
        let key = try Data(base64Encoded: String(secret.dropFirst(6))).required()
        #expect(key.count == 32)
        for call in calls {
            #expect(call.url == "https://receiver.example/one" && call.header("Content-Type") == "application/json")
            let (id, time) = (try call.header("webhook-id").required(), try call.header("webhook-timestamp").required())
            let message = Array("\(id).\(time).".utf8) + call.request.body
            let signature = Data(Digest.hmacSHA256(key: Array(key), message: message)).base64EncodedString()
            #expect(call.header("webhook-signature") == "v1,\(signature)")
            #expect(abs((Int64(time) ?? 0) - server.clock.now().seconds) < 60)
        }
        #expect(Set(calls.compactMap { $0.header("webhook-id") }).count == calls.count)
        server.callWebhooks()
        #expect(receivers.pushes.count == calls.count, "what was taken is not sent again")
        #expect(!server.log.lines.contains { $0.contains("receiver.example") })
    }

    @Test("Only the kinds that it wants; nothing is kept for a webhook that is off, or a family without one")
    func filters() throws {
        _ = try diaper()
        #expect(try server.database.count("webhook_deliveries") == 0)
        let sleeps = try hook(kinds: ["sleep"])
        _ = try diaper()
        #expect(try server.database.count("webhook_deliveries") == 0)
        _ = try nursery.log("sleeps", ["started_at": nursery.hoursAgo(2), "ended_at": nursery.hoursAgo(1)])
        server.callWebhooks()
        #expect(types == ["event.created"] && receivers.pushes[0].json["data"]["kind"] == "sleep")
        #expect(hooks("PATCH", "/\(sleeps.id)", ["active": false, "kinds": nil]).status == 200)
        _ = try diaper()
        #expect(
            try server.database.texts("select has_webhooks::text from feeds where family_id = \(nursery.family)::uuid")
                == ["false"])
        #expect(hooks("PATCH", "/\(sleeps.id)", ["active": true]).status == 200)
        _ = try diaper("dirty")
        server.callWebhooks()
        #expect(receivers.pushes.count == 2 && receivers.pushes[1].json["data"]["event"]["type"] == "dirty")
    }

    @Test(
        "Whoever does not take a call gets it again, the same, after 5 s, 30 s, 2 and 10 minutes and every hour of a day; then it is turned off"
    )
    func schedule() throws {
        let id = try hook().id
        receivers.answer(500)
        _ = try diaper()
        server.callWebhooks()
        let waits = [5, 30, 120, 600] + Array(repeating: 3600, count: 24)
        for (index, seconds) in waits.enumerated() {
            #expect(receivers.pushes.count == index + 1)
            server.clock.advance(by: .seconds(Double(seconds) - 3))
            server.callWebhooks()
            #expect(receivers.pushes.count == index + 1, "not before its time")
            server.clock.advance(by: .seconds(4))
            server.callWebhooks()
        }
        let calls = receivers.pushes
        #expect(calls.count == 29)
        #expect(Set(calls.compactMap { $0.header("webhook-id") }).count == 1)
        #expect(Set(calls.map(\.request.body)).count == 1)
        #expect(Set(calls.compactMap { $0.header("webhook-timestamp") }).count == 29)
        let webhook = hooks("GET", "/\(id)").json["webhook"]
        #expect(webhook["active"] == false && webhook["failed_at"] != .null)
        let delivery = deliveries(id)[0]
        #expect(delivery["state"] == "failed" && delivery["attempts"] == 29 && delivery["status"] == 500)
        let entry = server.send("GET", "families/\(nursery.family)/audit", as: nursery.parent).json["entries"][0]
        #expect(
            entry["entity_type"] == "webhook" && entry["user"] == .null && entry["changes"]["active"]["new"] == false)
        #expect(server.metric("webhooks_turned_off_total") == 1)
        // What is logged meanwhile is not kept; turned on again, it is called for what comes then.
        _ = try diaper()
        server.callWebhooks()
        #expect(receivers.pushes.count == 29)
        receivers.answer(204)
        #expect(hooks("PATCH", "/\(id)", ["active": true]).json["webhook"]["failed_at"] == .null)
        _ = try diaper("dirty")
        server.callWebhooks()
        #expect(receivers.pushes.count == 30 && receivers.pushes[29].json["data"]["event"]["type"] == "dirty")
    }

    @Test("When it is turned off the parents are told, on their phones and by mail, and nobody else")
    func told() throws {
        let server = try TestServer(sendsMail: true, pushes: PushServices.configuration())
        let (mum, dad, rosa) = (try server.user("Mum"), try server.user("Dad"), try server.user("Rosa"))
        let family = try server.family(of: mum)
        for (user, role) in [(dad, "parent"), (rosa, "caregiver")] {
            let invite = try server.invite(to: family, as: role, by: mum)
            #expect(server.send("POST", "invites/accept", as: user, ["token": .string(invite)]).status == 201)
        }
        for user in [mum, dad, rosa] { try server.browser(of: user) }
        let child = try server.child(of: family, by: mum)
        let hook = server.send("POST", "families/\(family)/webhooks", as: mum, ["url": "https://receiver.example/"])
        #expect(hook.status == 201)
        #expect(server.send("POST", "children/\(child)/diapers", as: rosa, ["type": "wet"]).status == 201)
        try server.push()
        try server.deliver()
        let (pushed, mailed) = (server.pushServices.pushes.count, server.mailroom.mails.count)
        server.receivers.answer(500)
        try server.database.execute("update webhook_deliveries set attempts = 28")
        server.callWebhooks()
        try server.push()
        try server.deliver()
        #expect(server.pushServices.pushes.count == pushed + 2)
        let mails = server.mailroom.mails.dropFirst(mailed)
        #expect(Set(mails.map(\.to)) == [mum.email, dad.email] && mails.count == 2)
        #expect(mails.allSatisfy { $0.header("Subject") == "A webhook was turned off" })
    }

    @Test(
        "Nothing overtakes what was not taken: redirects, refusals, silence and lies are all tried again",
        arguments: [302, 404, 410, 429, 500, 0])
    func order(status: Int) throws {
        let id = try hook().id
        receivers.answer { _ in
            status == 0 ? .failed(reason: "Timeout was reached") : .answered(OutgoingAnswer(status: status))
        }
        for type in ["wet", "dirty", "mixed"] { _ = try diaper(type) }
        server.callWebhooks()
        #expect(receivers.pushes.count == 1)
        let first = try deliveries(id).last.required()
        #expect(first["attempts"] == 1 && first["state"] == "waiting")
        #expect(first["status"] == (status == 0 ? .null : .number(Double(status))))
        #expect(first["failure"] == (status == 0 ? "Timeout was reached" : .null))
        receivers.answer(200)
        server.clock.advance(by: .seconds(6))
        server.callWebhooks()
        let seen = receivers.pushes.dropFirst().compactMap { $0.json["data"]["event"]["type"].string }
        #expect(seen == ["wet", "dirty", "mixed"])
        #expect(deliveries(id).allSatisfy { $0["state"] == "delivered" && $0["status"] == 200 })
    }

    @Test("One that hangs holds up no other")
    func independence() throws {
        _ = try hook("https://hangs.example/")
        _ = try hook("https://works.example/")
        receivers.answer { $0.url.contains("hangs") ? nil : .answered(OutgoingAnswer(status: 200)) }
        for _ in 0..<3 { _ = try diaper() }
        server.beginToCallWebhooks()
        #expect(server.comes { receivers.pushes.count { $0.url.contains("works") } == 3 })
        #expect(receivers.pushes.count { $0.url.contains("hangs") } == 1)
        receivers.answer(200)
        receivers.release(200)
        server.callWebhooks()
        #expect(receivers.pushes.count { $0.url.contains("hangs") } == 3)
    }

    @Test("Workers share the work: each call is made once, in order")
    func workers() throws {
        let others = try (0..<2).map { _ in try TestServer(database: server.database) }
        _ = try hook("https://receiver.example/1")
        _ = try hook("https://receiver.example/2")
        for _ in 0..<50 { _ = try diaper() }
        let servers = [server] + others
        _ = race(3) { servers[$0].callWebhooks() }
        for hook in ["1", "2"] {
            let calls = servers.flatMap { $0.receivers.pushes.filter { $0.url.hasSuffix(hook) } }
            #expect(calls.count == 50)
            for server in servers {
                let own = server.receivers.pushes.filter { $0.url.hasSuffix(hook) }
                let revisions = own.compactMap { $0.json["data"]["event"]["revision"].number }
                #expect(revisions == revisions.sorted())
            }
        }
    }

    @Test("What a killed worker had is called again after a minute, under the same id")
    func killed() throws {
        _ = try hook()
        _ = try diaper()
        receivers.answer { _ in nil }
        server.beginToCallWebhooks()
        #expect(server.comes { receivers.pushes.count == 1 })
        let other = try TestServer(database: server.database)
        other.clock.advance(by: server.clock.offset)
        other.callWebhooks()
        #expect(other.receivers.pushes.isEmpty)
        other.clock.advance(by: .seconds(61))
        other.callWebhooks()
        #expect(other.receivers.pushes.count == 1)
        #expect(other.receivers.pushes[0].header("webhook-id") == receivers.pushes[0].header("webhook-id"))
        // The first one hears of its answer too late, and does no more.
        _ = try diaper("dirty")
        receivers.release(500)
        server.settleWebhooks()
        other.callWebhooks()
        #expect(other.receivers.pushes.count == 2)
        #expect(
            try server.database.texts("select string_agg(delivered_at is not null || '', ',') from webhook_deliveries")
                == ["true,true"])
    }

    @Test("The last 50 calls are shown, the newest first, and the purge takes the others")
    func deliveriesKept() throws {
        let id = try hook().id
        for _ in 0..<53 { _ = try diaper() }
        server.callWebhooks()
        let shown = deliveries(id)
        #expect(shown.count == 50)
        let revisions = try server.database.texts(
            "select id::text from webhook_deliveries order by revision desc limit 50")
        #expect(shown.compactMap { $0["id"].string } == revisions)
        #expect(shown[0]["type"] == "event.created" && shown[0]["kind"] == "diaper" && shown[0]["attempts"] == 1)
        let session = try TestConnection(ConnectionConfiguration(url: server.database.serverURL))
        let (connection, now) = (session.connection, server.clock.now())
        let report = try TestLoop.run { try await Purge(connection: connection, now: now, batch: 2).run() }
        #expect(report.deliveries == 3)
        #expect(deliveries(id) == shown)
    }

    @Test("Tried once more it comes under its id, before what waits; one that waits is tried now; none while it is off")
    func retries() throws {
        let id = try hook().id
        let types = ["wet", "dirty"]
        for type in types { _ = try diaper(type) }
        server.callWebhooks()
        let first = try deliveries(id).last.required()["id"].string.required()
        let again = hooks("POST", "/\(id)/deliveries/\(first)/retry")
        #expect(
            again.status == 202 && again.json["delivery"]["state"] == "waiting"
                && again.json["delivery"]["attempts"] == 0)
        receivers.answer(503)
        server.callWebhooks()
        #expect(receivers.pushes.count == 3 && receivers.pushes[2].header("webhook-id") == first)
        receivers.answer(200)
        _ = try diaper("dry")
        // It would have to wait for 5 s.
        #expect(hooks("POST", "/\(id)/deliveries/\(first)/retry").json["delivery"]["attempts"] == 1)
        server.callWebhooks()
        let seen = receivers.pushes.compactMap { $0.json["data"]["event"]["type"].string }
        #expect(seen == ["wet", "dirty", "wet", "wet", "dry"])
        #expect(hooks("POST", "/\(id)/deliveries/\(UUID().uuidString)/retry").status == 404)
        #expect(hooks("PATCH", "/\(id)", ["active": false]).status == 200)
        #expect(hooks("POST", "/\(id)/deliveries/\(first)/retry").status == 409)
        #expect(deliveries(id).allSatisfy { $0["state"] == "delivered" })
    }

    @Test("A new URL is called at once with what waits; turned off, what waits is given up")
    func changes() throws {
        let id = try hook("https://old.example/").id
        receivers.answer { .answered(OutgoingAnswer(status: $0.url.contains("old") ? 500 : 200)) }
        _ = try diaper()
        server.callWebhooks()
        #expect(hooks("PATCH", "/\(id)", ["url": "https://new.example/"]).status == 200)
        server.callWebhooks()
        #expect(receivers.pushes.map(\.url) == ["https://old.example/", "https://new.example/"])
        receivers.answer(500)
        _ = try diaper()
        server.callWebhooks()
        #expect(hooks("PATCH", "/\(id)", ["active": false]).status == 200)
        #expect(hooks("PATCH", "/\(id)", ["active": true]).status == 200)
        server.callWebhooks()
        #expect(receivers.pushes.count == 3)
        #expect(deliveries(id)[0]["state"] == "failed")
    }

    @Test("What waits goes with its child and its family; a name that is gone is shown as everywhere")
    func deletions() throws {
        _ = try hook()
        receivers.answer(500)
        _ = try diaper()
        let other = try server.child(of: nursery.family, by: nursery.parent, "Other")
        #expect(nursery.send("POST", "notes", ["content": "Hm"], as: nursery.caregiver, child: other).status == 201)
        #expect(server.send("DELETE", "children/\(nursery.child)", as: nursery.parent).status == 204)
        try server.database.execute(
            """
            update users set deleted_at = now(), email = null, password_hash = null where id = \(nursery.caregiver.id)::uuid
            """)
        receivers.answer(200)
        server.callWebhooks()
        #expect(receivers.pushes.count == 1 && receivers.pushes[0].json["data"]["child"]["name"] == "Other")
        #expect(receivers.pushes[0].json["data"]["event"]["created_by"] == ["user_id": nil, "name": "Maria"])
        #expect(server.send("DELETE", "families/\(nursery.family)", as: nursery.parent).status == 204)
        #expect(try server.database.count("webhooks") == 0)
        #expect(try server.database.count("webhook_deliveries") == 0)
    }
}
