import Postgres
import TestSupport
import Testing

@testable import BabyBasicsServer

@Suite("Sessions in a browser")
struct CookieSessionTests {
    let server: TestServer
    private static let ours = ["HTTP_SEC_FETCH_SITE": "same-origin"]
    private static let cleared =
        "__Host-session=; Secure; HttpOnly; SameSite=Strict; Path=/; Max-Age=0"

    init() throws {
        server = try TestServer()
        _ = try server.account("Johnny", email: "johnny@example.com")
    }

    private func logIn(_ session: JSON, _ headers: [String: String] = ours) -> Answer {
        server.send(
            "POST", "auth/login",
            ["email": "johnny@example.com", "password": .string(testPassword), "session": session],
            headers: headers)
    }

    /// The headers of a browser that has signed in.
    private func browser() throws -> [String: String] {
        let cookie = try logIn("cookie").headers["Set-Cookie"].required()
        return ["HTTP_COOKIE": "theme=night; \(cookie.prefix { $0 != ";" })"]
    }

    private func me(_ headers: [String: String]) -> Answer {
        server.send("GET", "users/me", headers: headers)
    }

    @Test("Registration and login put the token into the cookie, and not into the answer")
    func signsIn() throws {
        let register = server.send(
            "POST", "auth/register",
            [
                "name": "Ana", "email": "ana@example.com", "password": .string(testPassword),
                "session": "cookie",
            ], headers: Self.ours)
        #expect(register.status == 201)
        let login = logIn("cookie")
        #expect(login.status == 200)
        for answer in [register, login] {
            #expect(answer.json["session"]["token"] == .null)
            #expect(answer.json["session"]["expires_at"].string != nil)
            let cookie = try answer.headers["Set-Cookie"].required()
            let pattern =
                /__Host-session=([0-9a-f]{64}); Secure; HttpOnly; SameSite=Strict; Path=\/; Max-Age=15552000/
            let token = try #require(cookie.wholeMatch(of: pattern)).1
            #expect(!String(decoding: answer.body, as: UTF8.self).contains(token))
            #expect(me(["HTTP_COOKIE": "__Host-session=\(token)"]).status == 200)
        }
    }

    @Test("Null is as if not given, and any other word is refused")
    func words() {
        let plain = logIn(nil, [:])
        #expect(plain.status == 200)
        #expect(plain.json["session"]["token"].string != nil)
        #expect(plain.headers["Set-Cookie"] == nil)
        for word: JSON in ["header", "Cookie", "", 1, true] {
            #expect(logIn(word).fields == ["session"], "\(word)")
        }
    }

    @Test(
        "A sign-in by cookie comes from our own pages",
        arguments: [
            (["HTTP_SEC_FETCH_SITE": "same-origin"], 200),
            (["HTTP_ORIGIN": "https://baby.example.com"], 200),
            (["HTTP_SEC_FETCH_SITE": "same-origin", "HTTP_ORIGIN": "https://evil.example"], 200),
            ([:], 403), (["HTTP_ORIGIN": "https://evil.example"], 403),
            (["HTTP_ORIGIN": "null"], 403), (["HTTP_ORIGIN": "http://baby.example.com"], 403),
            (["HTTP_SEC_FETCH_SITE": "cross-site"], 403),
            (["HTTP_SEC_FETCH_SITE": "same-site"], 403),
            (["HTTP_SEC_FETCH_SITE": "none"], 403),
            (
                ["HTTP_SEC_FETCH_SITE": "cross-site", "HTTP_ORIGIN": "https://baby.example.com"],
                403
            ),
        ])
    func ownPages(_ headers: [String: String], _ status: Int) throws {
        let login = logIn("cookie", headers)
        #expect(login.status == status)
        #expect((login.headers["Set-Cookie"] != nil) == (status == 200))
        let browser = try browser()
        let change = server.send(
            "PATCH", "users/me", ["name": "John"], headers: browser.merging(headers) { $1 })
        #expect(change.status == status)
        #expect(me(browser.merging(headers) { $1 }).status == 200, "reading needs no such proof")
    }

    @Test("With a token of its own in a header a request never looks at the cookie")
    func header() throws {
        let browser = try browser()
        let maria = try server.user("Maria")
        let own = browser.merging(["HTTP_AUTHORIZATION": "Bearer \(maria.token)"]) { $1 }
        #expect(me(own).json["user"]["name"] == "Maria")
        #expect(server.send("PATCH", "users/me", ["name": "M"], headers: own).status == 200)
        for header in ["", "Bearer x", "Basic dXNlcjpwYXNz"] {
            let answer = me(browser.merging(["HTTP_AUTHORIZATION": header]) { $1 })
            #expect(answer.status == 401)
            #expect(answer.headers["Set-Cookie"] == nil)
        }
    }

    @Test("Logging out clears the cookie, and so does whatever else ends its session")
    func ends() throws {
        let browser = try browser().merging(Self.ours) { $1 }
        let logout = server.send("POST", "auth/logout", headers: browser)
        #expect(logout.status == 204)
        #expect(logout.headers["Set-Cookie"] == Self.cleared)
        let after = me(browser)
        #expect(after.status == 401)
        #expect(after.headers["Set-Cookie"] == Self.cleared)

        let second = try self.browser().merging(Self.ours) { $1 }
        let other = try server.anotherSession(of: try johnny())
        let sessions = server.send("GET", "auth/sessions", headers: second).json["sessions"].array
        let current = try sessions.first { $0["current"] == true }.required()["id"].string
            .required()
        let others = try server.send("GET", "auth/sessions", as: other).json["sessions"].array
            .first { $0["current"] == true }.required()["id"].string.required()
        let end = server.send("DELETE", "auth/sessions/\(others)", headers: second)
        #expect(end.status == 204)
        #expect(end.headers["Set-Cookie"] == nil, "another device's")
        let own = server.send("DELETE", "auth/sessions/\(current)", headers: second)
        #expect(own.headers["Set-Cookie"] == Self.cleared)

        let third = try self.browser().merging(Self.ours) { $1 }
        let change: JSON = [
            "current_password": .string(testPassword), "new_password": "another fine password",
        ]
        let changed = server.send("POST", "auth/change-password", change, headers: third)
        #expect(changed.status == 204)
        #expect(changed.headers["Set-Cookie"] == nil, "its session goes on")
        #expect(me(third).status == 200)
        let deleted = server.send(
            "DELETE", "users/me", ["password": "another fine password"], headers: third)
        #expect(deleted.status == 204)
        #expect(deleted.headers["Set-Cookie"] == Self.cleared)
    }

    private func johnny() throws -> TestUser {
        TestUser(id: "", name: "Johnny", email: "johnny@example.com", token: "")
    }

    @Test(
        "A cookie that shows no session is cleared",
        arguments: ["", "x", String(repeating: "0", count: 64)])
    func garbage(_ value: String) {
        let cookie = ["HTTP_COOKIE": "__Host-session=\(value)"]
        let answer = me(cookie)
        #expect(answer.status == 401)
        #expect(answer.headers["Set-Cookie"] == Self.cleared)
        let login = server.logIn("johnny@example.com", "not the password")
        #expect(login.headers["Set-Cookie"] == nil)
        let foreign = server.send("POST", "auth/logout", headers: cookie)
        #expect(foreign.status == 403)
        #expect(foreign.headers["Set-Cookie"] == nil, "another site signs nobody out")
        #expect(me(["HTTP_COOKIE": "session=\(value)"]).headers["Set-Cookie"] == nil)
    }

    @Test("A public route takes no notice of the cookie")
    func publicRoutes() throws {
        let browser = try browser()
        let preview = server.send("POST", "invites/preview", ["token": "x"], headers: browser)
        #expect(preview.status == 404)
        #expect(logIn(nil, browser).status == 200)
    }

    @Test("The page's origin is the base URL's, as a browser writes it")
    func origins() {
        for (url, origin) in [
            ("https://Baby.Example.com", "https://baby.example.com"),
            ("https://baby.example.com:443", "https://baby.example.com"),
            ("http://localhost:80", "http://localhost"),
            ("https://localhost:8443", "https://localhost:8443"),
        ] {
            var configuration = server.configuration
            configuration.baseURL = url
            #expect(configuration.origin == origin)
        }
    }
}
