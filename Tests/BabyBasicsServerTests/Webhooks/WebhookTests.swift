import BabyBasicsAPI
import Cryptography
import Curl
import EventLoop
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
        #expect(hooks("PATCH", "/\(id)", ["url": "https://receiver.example/y"]).status == 200)
        #expect(hooks("PATCH", "/\(id)", ["active": false]).json["webhook"]["active"] == false)
        #expect(hooks("PATCH", "/\(id)", ["active": true, "kinds": ["note"]]).json["webhook"]["kinds"] == ["note"])
        #expect(hooks("PATCH", "/\(id)", [:]).json["webhook"]["kinds"] == ["note"])
        #expect(hooks("DELETE", "/\(id)").status == 204)
        #expect(hooks("DELETE", "/\(id)").status == 404 && hooks("GET", "/\(id)").status == 404)
        #expect(hooks("GET", "/\(id)/deliveries").status == 404 && hooks().json["count"] == 0)
        let entries = server.send("GET", "families/\(nursery.family)/audit", as: nursery.parent).json["entries"].array
        let own = entries.filter { $0["entity_type"] == "webhook" }
        let actions = ["delete"] + Array(repeating: "update", count: 4) + ["create"]
        #expect(own.compactMap { $0["action"].string } == actions)
        #expect(own[5]["changes"]["url"]["new"] == "https://receiver.example:8443")
        #expect(own.allSatisfy { !$0.text.contains("receiver.example/") }, "a path may be a secret")
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
        _ = try diaper()
        let delivery = try deliveries(id)[0]["id"].string.required()
        let own = try server.family(of: nursery.parent, "Another")
        let theirs = "families/\(own)/webhooks"
        let another = server.send("POST", theirs, as: nursery.parent, ["url": "https://receiver.example/"]).json[
            "webhook"]
        let retry = "\(theirs)/\(try another["id"].string.required())/deliveries/\(delivery)/retry"
        #expect(server.send("POST", retry, as: nursery.parent).status == 404)
        #expect(hooks("POST", "/\(try hook().id)/deliveries/\(delivery)/retry").status == 404)
        #expect(hooks("GET", "/\(id)").json["webhook"]["active"] == true)
    }

    @Test("They are the parents': others see none, and make, change and end none")
    func roles() throws {
        let id = try hook().id
        let delivery = UUID().uuidString
        for (method, path) in [
            ("GET", ""), ("POST", ""), ("GET", "/\(id)"), ("PATCH", "/\(id)"), ("DELETE", "/\(id)"),
            ("GET", "/\(id)/deliveries"), ("POST", "/\(id)/deliveries/\(delivery)/retry"),
        ] {
            let answer = server.send(
                method, "families/\(nursery.family)/webhooks\(path)", as: nursery.caregiver,
                method == "GET" || method == "DELETE" ? nil : ["url": "https://receiver.example/"])
            #expect((answer.status, answer.message) == (403, "Only parents can manage webhooks"), "\(method) \(path)")
        }
    }

    @Test(
        "Where it may not lead is refused when it is made",
        arguments: [
            ("http://receiver.example/", "format"), ("https://", "format"), ("receiver.example", "format"),
            ("https://user:secret@receiver.example/", "format"), ("https://receiver.example/#x", "format"),
            ("https://receiver.example:0/", "format"), ("https://receiver.example:99999/", "format"),
            // In the place of K and of ; that look alike, and are alike to Unicode.
            ("https://\u{212a}.example/", "format"), ("https://receiver.example/\u{37e}", "format"),
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
        // Nor while another of the family is on.
        _ = try hook(kinds: ["note"])
        _ = try diaper()
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
        #expect(try server.database.texts("select has_webhooks::text from feeds") == ["false"])
        #expect(try server.database.count("mails") == 0, "this server sends none")
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

    @Test("A parent who sleeps is told in the morning, and one whose account is disabled by no mail")
    func toldLater() throws {
        let phones = try Phones(TestServer(connections: 8, sendsMail: true))
        let server = phones.server
        try phones.travel(to: "2026-12-10T05:00:00Z")
        try phones.setQuiet("22:00", "06:00", as: phones.sarah)
        let hook: JSON = ["url": "https://receiver.example/"]
        #expect(server.send("POST", "families/\(phones.family)/webhooks", as: phones.johnny, hook).status == 201)
        try phones.log("diaper", as: phones.rosa)
        try server.database.execute("update users set disabled_at = now() where id = \(phones.johnny.id)::uuid")
        server.receivers.answer(500)
        try server.database.execute("update webhook_deliveries set attempts = 28")
        server.callWebhooks()
        let told = try server.database.texts(
            """
            select u.name || ' ' || (p.due_at >= '2026-12-10T11:00:00Z') from pushes p join users u on u.id = p.user_id
            order by 1
            """)
        #expect(told == ["Johnny false", "Sarah true"])
        #expect(try server.database.texts("select recipient::text from mails") == [phones.sarah.email])
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

    @Test(
        "What a killed worker had is called again after a minute, under the same id; whoever comes back does no more",
        arguments: [(500, 0), (500, 28), (200, 0)])
    func killed(late: Int, attempts: Int) throws {
        let id = try hook().id
        _ = try diaper()
        try server.database.execute("update webhook_deliveries set attempts = \(Int32(attempts))")
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
        receivers.release(late)
        server.settleWebhooks()
        #expect(receivers.pushes.count == 1)
        other.callWebhooks()
        #expect(other.receivers.pushes.count == 2)
        #expect(
            try server.database.texts("select string_agg(delivered_at is not null || '', ',') from webhook_deliveries")
                == ["true,true"])
        #expect(hooks("GET", "/\(id)").json["webhook"]["active"] == true)
    }

    @Test("A late yes stays one, whatever is answered to the worker that took over")
    func lateYes() throws {
        let id = try hook().id
        _ = try diaper()
        receivers.answer { _ in nil }
        server.beginToCallWebhooks()
        #expect(server.comes { receivers.pushes.count == 1 })
        let other = try TestServer(database: server.database)
        other.clock.advance(by: server.clock.offset + .seconds(61))
        other.receivers.answer { _ in nil }
        other.beginToCallWebhooks()
        #expect(server.comes { other.receivers.pushes.count == 1 })
        receivers.release(200)
        server.settleWebhooks()
        other.receivers.release(500)
        other.settleWebhooks()
        let delivery = deliveries(id)[0]
        #expect(delivery["state"] == "delivered" && delivery["status"] == 200)
    }

    @Test("Whoever calls a webhook keeps it for as long as its calls are taken")
    func lease() throws {
        _ = try hook()
        for _ in 0..<4 { _ = try diaper() }
        let (receivers, clock) = (receivers, server.clock)
        receivers.answer { _ in
            if receivers.pushes.count == 4 { return nil }
            clock.advance(by: .seconds(40))
            return .answered(OutgoingAnswer(status: 200))
        }
        server.beginToCallWebhooks()
        #expect(server.comes { receivers.pushes.count == 4 })
        let other = try TestServer(database: server.database)
        other.clock.advance(by: clock.offset)
        other.callWebhooks()
        #expect(other.receivers.pushes.isEmpty)
        receivers.release(200)
        server.settleWebhooks()
    }

    @Test("After its turn a webhook is behind the others")
    func turns() throws {
        let caller = WebhookCaller(
            server.configuration, server.services.pool, WebhookMetrics(), server.clock, server.services.logger,
            transport: { [receivers] in receivers },
            ending: WebhookEnding(pool: server.services.pool, clock: server.clock, sendsMail: false) {}, turn: .zero)
        let id = try hook().id
        for _ in 0..<3 { _ = try diaper() }
        for count in 1...3 {
            TestLoop.shared.sync {
                _ = await caller.step()
                await caller.settle(for: .seconds(30))
            }
            #expect(receivers.pushes.count == count)
        }
        #expect(deliveries(id).allSatisfy { $0["state"] == "delivered" })
    }

    @Test("A worker calls 128 at once, and says how many wait besides; one that somebody is changing holds up no other")
    func most() throws {
        _ = try hook()
        try server.database.execute(
            """
            insert into webhooks (id, family_id, url, secret, created_at, updated_at, due_at)
            select gen_random_uuid(), family_id, url, secret, created_at, updated_at, due_at
            from webhooks, generate_series(1, 129)
            """)
        _ = try diaper()
        receivers.answer { _ in nil }
        try server.database.asOwner { owner in
            try owner.transaction {
                try owner.execute("select from webhooks order by due_at limit 1 for update")
                let begun = Background { [server] in server.beginToCallWebhooks() }
                #expect(server.comes { receivers.pushes.count == 128 })
                try begun.value()
            }
        }
        server.beginToCallWebhooks()
        #expect(receivers.pushes.count == 128)
        #expect(server.metric("webhooks_waiting") == 2)
        receivers.answer(200)
        receivers.release(200)
        server.settleWebhooks()
        server.callWebhooks()
        #expect(Set(receivers.pushes.compactMap { $0.header("webhook-id") }).count == 130)
        #expect(receivers.pushes.count == 130 && server.metric("webhooks_waiting") == 0)
    }

    @Test("What is logged is called for at once, and so is what is to be tried again or at another address")
    func wakes() throws {
        let (caller, receivers) = (server.services.webhookCaller, receivers)
        let id = try hook().id
        _ = try diaper()
        try server.database.execute("update webhook_deliveries set attempts = 10")
        receivers.answer(500)
        let began = ContinuousClock.now
        TestLoop.shared.task { await caller.run() }
        defer { TestLoop.shared.sync { await caller.close() } }
        #expect(server.comes { receivers.pushes.count == 1 })
        server.settleWebhooks()
        receivers.answer(200)
        #expect(hooks("PATCH", "/\(id)", ["url": "https://new.example/"]).status == 200)
        #expect(server.comes { receivers.pushes.count == 2 })
        server.settleWebhooks()
        let delivery = try deliveries(id)[0]["id"].string.required()
        #expect(hooks("POST", "/\(id)/deliveries/\(delivery)/retry").status == 202)
        #expect(server.comes { receivers.pushes.count == 3 })
        server.settleWebhooks()
        _ = try diaper()
        #expect(server.comes { receivers.pushes.count == 4 })
        #expect(began.duration(to: .now) < .seconds(14), "a worker looks every 15 s anyhow")
        server.settleWebhooks()
        receivers.answer(500)
        _ = try diaper()
        #expect(server.comes { receivers.pushes.count == 5 })
        let failed = ContinuousClock.now
        receivers.answer(200)
        #expect(server.comes { receivers.pushes.count == 6 })
        #expect(failed.duration(to: .now) < .seconds(14), "after 5 s it is tried again")
    }

    @Test("What was taken is written down when the database is back, and not sent again")
    func databaseAway() throws {
        _ = try hook()
        _ = try diaper()
        receivers.answer { _ in nil }
        server.beginToCallWebhooks()
        #expect(server.comes { receivers.pushes.count == 1 })
        try server.database.asOwner { try $0.execute("revoke update on webhook_deliveries from babybasics") }
        let pool = server.services.pool
        let before = TestLoop.shared.sync { pool.statistics }
        receivers.release(200)
        #expect(
            server.comes {
                let now = TestLoop.shared.sync { pool.statistics }
                return now.checkouts > before.checkouts && now.inUse == before.inUse
            })
        try server.database.asOwner { try $0.execute("grant update on webhook_deliveries to babybasics") }
        server.settleWebhooks()
        #expect(
            try server.database.texts("select (delivered_at is not null)::text from webhook_deliveries") == ["true"])
        server.clock.advance(by: .seconds(61))
        server.callWebhooks()
        #expect(receivers.pushes.count == 1)
    }

    @Test("What only a newer release knows is left to its workers, with all that comes behind it, and shown to nobody")
    func newerKinds() throws {
        let id = try hook().id
        for type in ["wet", "dirty"] { _ = try diaper(type) }
        func set(_ kind: Int) throws {
            try server.database.execute(
                """
                update webhook_deliveries set event = jsonb_set(event, '{kind}', to_jsonb(\(Int64(kind))))
                where revision = (select min(revision) from webhook_deliveries)
                """)
        }
        try set(99)
        server.callWebhooks()
        #expect(receivers.pushes.isEmpty)
        #expect(deliveries(id).count == 1)
        let newer = try server.database.texts("select id::text from webhook_deliveries order by revision limit 1")[0]
        #expect(hooks("POST", "/\(id)/deliveries/\(newer)/retry").status == 404)
        try set(1)
        server.callWebhooks()
        #expect(receivers.pushes.isEmpty, "it is another worker's for a minute")
        server.clock.advance(by: .seconds(60))
        server.callWebhooks()
        #expect(receivers.pushes.compactMap { $0.json["data"]["event"]["type"].string } == ["wet", "dirty"])
    }

    @Test("The last 50 calls are shown, the newest first, and the purge takes the others")
    func deliveriesKept() throws {
        let id = try hook().id
        for _ in 0..<53 { _ = try diaper() }
        let session = try TestConnection(ConnectionConfiguration(url: server.database.serverURL))
        func purge() throws -> Purge.Report {
            let (connection, now) = (session.connection, server.clock.now())
            return try TestLoop.run { try await Purge(connection: connection, now: now, batch: 2).run() }
        }
        #expect(try purge().deliveries == 0, "all of them wait")
        server.callWebhooks()
        let shown = deliveries(id)
        #expect(shown.count == 50)
        let revisions = try server.database.texts(
            "select id::text from webhook_deliveries order by revision desc limit 50")
        #expect(shown.compactMap { $0["id"].string } == revisions)
        #expect(shown[0]["type"] == "event.created" && shown[0]["kind"] == "diaper" && shown[0]["attempts"] == 1)
        #expect(try purge().deliveries == 3)
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

    @Test("Tried once more while it is called, it is for whoever calls it at the moment")
    func retryUnderWay() throws {
        let id = try hook().id
        _ = try diaper()
        server.callWebhooks()
        let first = try deliveries(id)[0]["id"].string.required()
        receivers.answer { _ in nil }
        _ = try diaper("dirty")
        server.beginToCallWebhooks()
        #expect(server.comes { receivers.pushes.count == 2 })
        #expect(hooks("POST", "/\(id)/deliveries/\(first)/retry").status == 202)
        let other = try TestServer(database: server.database)
        other.clock.advance(by: server.clock.offset)
        other.callWebhooks()
        #expect(other.receivers.pushes.isEmpty)
        receivers.answer(200)
        receivers.release(200)
        server.settleWebhooks()
        #expect(receivers.pushes.count == 3 && receivers.pushes.last?.header("webhook-id") == first)
    }

    @Test("Changed while it is called, it goes on at its new address with what was not sent yet")
    func changedUnderWay() throws {
        let id = try hook("https://old.example/").id
        for type in ["wet", "dirty"] { _ = try diaper(type) }
        receivers.answer { $0.url.contains("old") ? nil : .answered(OutgoingAnswer(status: 200)) }
        server.beginToCallWebhooks()
        #expect(server.comes { receivers.pushes.count == 1 })
        #expect(hooks("PATCH", "/\(id)", ["url": "https://new.example/"]).status == 200)
        receivers.release(200)
        server.settleWebhooks()
        server.callWebhooks()
        #expect(receivers.pushes.map(\.url) == ["https://old.example/", "https://new.example/"])
        #expect(receivers.pushes.last?.json["data"]["event"]["type"] == "dirty")
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
