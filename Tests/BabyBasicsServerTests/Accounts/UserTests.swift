import Testing

@Suite("Accounts")
struct UserTests {
    let server: TestServer
    let johnny: TestUser

    init() throws {
        server = try TestServer()
        johnny = try server.user("Johnny", email: "johnny@example.com")
    }

    @Test("The caller's own account")
    func get() {
        let answer = server.send("GET", "users/me", as: johnny)
        #expect(answer.status == 200)
        let user = answer.json["user"]
        #expect(
            user.keys == [
                "id", "email", "email_verified", "name", "timezone", "day_start_time", "quiet", "show_details",
                "language", "created_at", "updated_at",
            ])
        #expect(user["id"].string == johnny.id)
        #expect(user["email"] == "johnny@example.com")
        #expect(user["email_verified"] == false)
    }

    @Test("Name, time zone and the beginning of the day can be changed")
    func update() {
        let answer = server.send(
            "PATCH", "users/me", as: johnny,
            [
                "name": " John ", "timezone": "Europe/London", "day_start_time": "06:30",
                "email": "x@example.com",
            ])
        #expect(answer.status == 200)
        let user = answer.json["user"]
        #expect(user["name"] == "John")
        #expect(user["timezone"] == "Europe/London")
        #expect(user["day_start_time"] == "06:30")
        #expect(user["email"] == "johnny@example.com", "not a field that can be changed")
        #expect(server.send("GET", "users/me", as: johnny).json["user"] == user)
    }

    @Test("What is absent stays", arguments: ["name", "timezone", "day_start_time"])
    func absent(_ field: String) {
        let before = server.send("GET", "users/me", as: johnny).json["user"]
        let value: JSON =
            ["name": "Other", "timezone": "Asia/Tokyo", "day_start_time": "05:00"][field] ?? nil
        let after = server.send("PATCH", "users/me", as: johnny, [field: value]).json["user"]
        for name in ["name", "timezone", "day_start_time"] {
            #expect(after[name] == (name == field ? value : before[name]))
        }
    }

    @Test("Zones and times that do not exist are refused")
    func invalid() {
        for zone: JSON in [
            "", "Mars/Olympus", "EST5EDT4", "+03:00", "posix/Europe/London", "localtime", nil, 5,
            "../etc/passwd",
        ] {
            #expect(
                server.send("PATCH", "users/me", as: johnny, ["timezone": zone]).fields == [
                    "timezone"
                ], "\(zone)")
        }
        for time: JSON in ["7:00", "24:00", "07:60", "07:00:00", "noon", nil, 7] {
            #expect(
                server.send("PATCH", "users/me", as: johnny, ["day_start_time": time]).fields
                    == ["day_start_time"], "\(time)")
        }
        for zone: JSON in ["UTC", "Asia/Calcutta", "America/Argentina/Buenos_Aires", "Etc/GMT+5"] {
            #expect(
                server.send("PATCH", "users/me", as: johnny, ["timezone": zone]).status == 200,
                "\(zone)")
        }
    }
}
