import BabyBasicsAPI
import EventLoop
import FastCGI
import Postgres
import TestSupport
import Testing

@testable import BabyBasicsServer

@Suite("The walk of a request")
struct RequestPathTests {
    @Test("Each endpoint has exactly one handler")
    func handlers() {
        let endpoints = Endpoints.all.map { "\($0.method.rawValue) \($0.path)" }
        let routes = Route.all.map { "\($0.endpoint.method.rawValue) \($0.endpoint.path)" }
        #expect(Set(endpoints).count == endpoints.count)
        #expect(endpoints.sorted() == routes.sorted())
    }

    @Test(
        "Unknown paths are not found, whatever nginx would make of them",
        arguments: [
            "/api/v1/nothing", "/api/v1", "/api/v1/", "/", "", "/api/v1/families/",
            "//api/v1/families",
            "/api/v1//families", "/api/v1/./families", "/api/v1/x/../families",
            "/api/v1/famil%69es", "/api/v2/families",
            "/API/v1/families", "/api/v1/families/%2e%2e/families", "/health/",
            "/api/v1/children/a%2Fb",
        ])
    func unknownPaths(_ path: String) throws {
        let server = try TestServer()
        let johnny = try server.user("Johnny")
        let answer = server.send("GET", path.isEmpty ? "/" : path, as: johnny)
        #expect(answer.status == 404)
        #expect(answer.code == "NOT_FOUND")
        #expect(answer.json["error"]["details"] == [])
    }

    @Test("A wrong method gets 405 with Allow")
    func wrongMethods() throws {
        let server = try TestServer()
        for (method, path, allow) in [
            ("PUT", "/api/v1/families", "GET, HEAD, POST"), ("OPTIONS", "/health", "GET, HEAD"),
            ("GET", "/api/v1/auth/login", "POST"), ("HEAD", "/api/v1/auth/login", "POST"),
            ("BREW", "/api/v1/children", "GET, HEAD"),
            ("POST", "/api/v1/children/x", "DELETE, GET, HEAD, PATCH, PUT"),
        ] {
            let answer = server.send(method, path)
            #expect(answer.status == 405, "\(method) \(path)")
            #expect(answer.code == "METHOD_NOT_ALLOWED")
            #expect(answer.headers["Allow"] == allow)
        }
    }

    @Test("HEAD is answered as GET")
    func head() throws {
        let server = try TestServer()
        let johnny = try server.user("Johnny")
        #expect(server.send("HEAD", "children", as: johnny).status == 200)
        #expect(server.send("HEAD", "children").status == 401)
    }

    @Test("A query does not change the route")
    func query() throws {
        let server = try TestServer()
        let johnny = try server.user("Johnny")
        #expect(server.send("GET", "children?x=1&y=/../", as: johnny).status == 200)
    }

    /// Every endpoint × every kind of caller: what the table declares is what the request path enforces.
    @Test("Access is what the endpoint declares", arguments: Endpoints.all)
    func access(_ endpoint: EndpointDescription) throws {
        let server = try TestServer()
        let parent = try server.user("Parent")
        let family = try server.family(of: parent)
        let child = try server.child(of: family, by: parent)
        let caregiver = try server.member("Caregiver", of: family, by: parent)
        let stranger = try server.user("Stranger")
        let event = try Sample.all.first { endpoint.path.contains("/\($0.kind)/") }.map { sample in
            let made = server.send(
                "POST", "children/\(child)/\(sample.kind)", as: parent, sample.least)
            return try made.json[sample.name]["id"].string.required()
        }
        let plan = server.send(
            "POST", "children/\(child)/plans", as: parent, ["name": "Iron", "starts_on": "2026-01-01"])
        let own = try server.child(of: server.family(of: stranger), by: stranger)
        let reminder = server.send(
            "POST", "users/me/reminders", as: stranger,
            ["child_id": .string(own), "on": "feeding", "after_minutes": 180])
        let webhook = server.send(
            "POST", "families/\(family)/webhooks", as: parent, ["url": "https://receiver.example/"])
        let token = try server.token(of: stranger, in: server.family(of: stranger))
        let path = try endpoint.path.replacing(":familyId", with: family).replacing(
            ":childId", with: child
        )
        .replacing(":webhookId", with: webhook.json["webhook"]["id"].string.required())
        .replacing(":tokenId", with: token.id).replacing(":deliveryId", with: stranger.id)
        .replacing(":planId", with: plan.json["plan"]["id"].string.required())
        .replacing(":reminderId", with: reminder.json["reminder"]["id"].string.required())
        .replacing(":userId", with: stranger.id).replacing(":eventId", with: event ?? "")
        .replacing(":inviteId", with: stranger.id)
        .replacing(
            ":sessionId",
            with: try server.database.texts(
                "select id::text from sessions where user_id = \(stranger.id)::uuid")[0]
        )
        .replacing(
            ":deviceId",
            with: try server.database.texts(
                """
                insert into devices (id, user_id, session_id, type, address, service, environment, created_at)
                select gen_random_uuid(), user_id, id, 'apns', 'aa', 'apns', 'sandbox', now()
                from sessions where user_id = \(stranger.id)::uuid
                returning id::text
                """)[0])
        // No body is valid: whoever is let through gets past the access check, and not further.
        func status(_ user: TestUser?, admin: Bool = false) -> Int {
            server.send(
                endpoint.method.rawValue, path, as: user, raw: endpoint.takesBody ? "[]" : nil,
                headers: admin
                    ? ["HTTP_X_ADMIN_TOKEN": TestServer.adminToken] : [:]
            ).status
        }
        let anonymous = status(nil)
        switch endpoint.access {
        case .anyone:
            #expect(anonymous != 401)
        case .admin:
            #expect(anonymous == 401)
            #expect(status(parent) == 401)
            #expect(status(nil, admin: true) == 400)
        case .user:
            #expect(anonymous == 401)
            #expect(![401, 403, 404].contains(status(stranger)))
        case .family(let requirement), .child(let requirement):
            #expect(anonymous == 401)
            #expect(status(nil, admin: true) == 401)
            if case .family = endpoint.access {
                #expect(status(stranger) == 403)
            } else {
                #expect(status(stranger) == 404)
            }
            switch requirement {
            case .member, .contributor: #expect(![401, 403, 404].contains(status(caregiver)))
            case .parent: #expect(status(caregiver) == 403)
            }
            #expect(status(parent) != 403)
        }
    }

    @Test("Errors win in their order: 404, 405, address limit, 401, user limit, 415, 403, 400, 412")
    func order() throws {
        let server = try TestServer()
        let parent = try server.user("Parent")
        let family = try server.family(of: parent)
        let stranger = try server.user("Stranger")
        let plain = ["CONTENT_TYPE": "text/plain"]
        let path = "families/\(family)"
        #expect(server.send("PATCH", "nothing", raw: "x", headers: plain).status == 404)
        #expect(server.send("PUT", path, raw: "x", headers: plain).status == 405)
        #expect(server.send("PATCH", path, raw: "x", headers: plain).status == 401)
        #expect(server.send("PATCH", path, as: stranger, raw: "x", headers: plain).status == 415)
        #expect(server.send("PATCH", path, as: stranger, raw: "x").status == 403)
        #expect(
            server.send("PATCH", path, as: parent, raw: "x", headers: ["HTTP_IF_MATCH": "\"99\""])
                .status == 400)
        #expect(
            server.send(
                "PATCH", path, as: parent, ["name": "N"], headers: ["HTTP_IF_MATCH": "\"99\""]
            ).status == 412)
        for _ in 0..<5 { _ = server.send("POST", "invites/accept", raw: "x", from: "192.0.2.1") }
        #expect(
            server.send("POST", "invites/accept", raw: "x", headers: plain, from: "192.0.2.1")
                .status == 429)
    }

    @Test("A body of another type gets 415 also where none is looked at; no body is no fault")
    func bodiesNobodyReads() throws {
        let server = try TestServer()
        let johnny = try server.user("Johnny")
        let family = try server.family(of: johnny)
        let plain = ["CONTENT_TYPE": "text/plain"]
        for (method, path) in [("DELETE", "families/\(family)"), ("POST", "auth/logout")] {
            #expect(server.send(method, path, as: johnny, raw: "x", headers: plain).status == 415)
            #expect(server.send(method, path, as: johnny, headers: plain).status == 204)
        }
    }

    @Test(
        "A body must be application/json, with or without a charset",
        arguments: [
            ("application/json", true), ("application/json; charset=utf-8", true),
            ("Application/JSON", true),
            ("application/json ;charset=utf-8", true), ("text/plain", false), ("", false),
            ("application/jsonp", false),
            ("application/x-www-form-urlencoded", false),
            ("multipart/form-data; boundary=x", false),
        ])
    func mediaTypes(_ type: String, _ accepted: Bool) throws {
        let server = try TestServer()
        let johnny = try server.user("Johnny")
        let answer = server.send(
            "POST", "families", as: johnny, ["name": "Bretz"], headers: ["CONTENT_TYPE": type])
        #expect(answer.status == (accepted ? 201 : 415))
        if !accepted { #expect(answer.code == "UNSUPPORTED_MEDIA_TYPE") }
    }

    @Test("A merge patch may say so; what is none may not")
    func mergePatch() throws {
        let server = try TestServer()
        let johnny = try server.user("Johnny")
        let family = try server.family(of: johnny)
        let child = try server.child(of: family, by: johnny)
        let event = server.send(
            "POST", "children/\(child)/diapers", as: johnny, ["type": "wet", "occurred_at": "2026-01-01T08:00:00Z"])
        let id = try event.json["diaper"]["id"].string.required()
        func send(_ method: String, _ path: String, _ body: JSON, _ type: String) -> Int {
            server.send(method, path, as: johnny, body, headers: ["CONTENT_TYPE": type]).status
        }
        let name: JSON = ["name": "B", "date_of_birth": "2026-03-15", "type": "dirty"]
        for path in ["users/me", "families/\(family)", "children/\(child)", "children/\(child)/diapers/\(id)"] {
            #expect(send("PATCH", path, name, "application/merge-patch+json") == 200)
            #expect(send("PATCH", path, name, "Application/Merge-Patch+JSON; charset=utf-8") == 200)
            #expect(send("PATCH", path, name, "application/json-patch+json") == 415)
        }
        #expect(send("PUT", "children/\(child)", name, "application/merge-patch+json") == 415)
        #expect(send("POST", "families", name, "application/merge-patch+json") == 415)
    }

    @Test(
        "What is no JSON object gets 400",
        arguments: [
            "", "{", "[]", "null", "5", "\"x\"", "{\"name\":\"x\"", "{'name':'x'}",
            "{\"name\":\"x\"}}", "\u{feff}",
            "{\"name\":\"\\ud800\"}", "{\"name\":\"\\u0000\"}", "{\"name\":1e400}",
            "{\"name\":nan}", "{\"name\":tru}",
            String(repeating: "[", count: 10_000),
            "{\"name\":" + String(repeating: "[", count: 10_000),
            "{\"name\":" + String(repeating: "{\"a\":", count: 500) + "1"
                + String(repeating: "}", count: 501),
        ])
    func bodies(_ body: String) throws {
        let server = try TestServer()
        let johnny = try server.user("Johnny")
        let answer = server.send("POST", "families", as: johnny, raw: body)
        #expect(answer.status == 400)
        #expect(answer.code == "VALIDATION_ERROR")
    }

    @Test("A body that is not UTF-8 gets 400")
    func invalidUTF8() {
        #expect(throws: APIError.self) {
            try Fields(body: Array("{\"name\":\"".utf8) + [0xff, 0xfe] + Array("\"}".utf8))
        }
        #expect(throws: APIError.self) { try Fields(body: [0xc0, 0x80]) }
    }

    @Test("A handler that lets nobody in shows nothing, whoever asks")
    func forgetfulHandlers() throws {
        let home = try TestServer()
        let johnny = try home.user("Johnny")
        let forgetful = Route(Endpoints.listFamilies, asking: { _ in Reply(FamilyList(families: [])) })
        let server = Server(home.services, routes: [forgetful])
        for headers in [[], [("HTTP_AUTHORIZATION", "Bearer \(johnny.token)")]] {
            let request = Request(
                parameters: [("REQUEST_METHOD", "GET"), ("REQUEST_URI", "/api/v1/families")] + headers, body: [])
            let answer = TestLoop.shared.sync { Answer(await server.respond(to: request)) }
            #expect(answer.status == 500)
            #expect(answer.json["families"] == .null)
        }
    }

    @Test("The cause of an internal error is in the log under the request's id, not in the answer")
    func internalErrors() throws {
        let server = try TestServer()
        let johnny = try server.user("Johnny")
        try server.database.execute("alter table children rename to offspring")
        let answer = server.send("GET", "children", as: johnny)
        #expect(answer.status == 500)
        #expect(answer.code == "INTERNAL_ERROR")
        #expect(!String(decoding: answer.body, as: UTF8.self).contains("select"))
        let line = server.log.lines.first { $0.contains(" status=500 ") }
        #expect(line?.contains("42P01") == true)
        #expect(line?.contains(" request_id=test-") == true)
        #expect(server.send("GET", "users/me", as: johnny).status == 200, "the session lives on")
    }
}
