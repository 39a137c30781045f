import Cryptography
import Postgres
import TestSupport
import Testing

/// The same email and the same password, as different keyboards write them.
@Suite("Forms of emails and passwords")
struct InputFormsTests {
    let server: TestServer
    private static let composed = "M\u{e4}uschen im Haus"
    private static let decomposed = "Ma\u{308}uschen im Haus"

    init() throws {
        server = try TestServer()
    }

    private func register(_ email: String, _ password: String) -> Answer {
        server.send(
            "POST", "auth/register",
            ["name": "J", "email": .string(email), "password": .string(password)])
    }

    @Test(
        "An email is known in every form of it",
        arguments: [
            ("parent@example.com", " Parent@Example.com "),
            ("\tparent@example.com\n", "parent@example.com"),
            ("eltern@müller.de", "eltern@xn--mller-kva.de"),
            ("eltern@xn--mller-kva.de", "ELTERN@MU\u{308}LLER.de "),
        ])
    func emails(_ registered: String, _ typed: String) {
        #expect(register(registered, testPassword).status == 201)
        #expect(server.logIn(typed).status == 200)
        #expect(register(typed, testPassword).status == 409)
        let reset = server.send(
            "POST", "auth/reset-password",
            ["email": .string(typed), "new_password": "another fine password"],
            headers: ["HTTP_X_ADMIN_TOKEN": TestServer.adminToken])
        #expect(reset.status == 200)
    }

    @Test("An email that came from elsewhere and is no mailbox still opens its account")
    func foreignEmail() throws {
        _ = try server.account("Old", email: "old account")
        #expect(server.logIn("Old Account").status == 200)
    }

    @Test("A password is one, whether its letters are composed or not")
    func passwords() throws {
        for (number, (first, second)) in [
            (Self.composed, Self.decomposed), (Self.decomposed, Self.composed),
        ].enumerated() {
            let email = "parent\(number)@example.com"
            let user = try TestUser(
                id: "", name: "", email: email,
                token: register(email, first).json["session"]["token"].string.required())
            #expect(server.logIn(email, second).status == 200)
            #expect(server.logIn(email, "Mauschen im Haus").status == 401)
            let change: JSON = [
                "current_password": .string(second), "new_password": .string(first + "!"),
            ]
            #expect(server.send("POST", "auth/change-password", as: user, change).status == 204)
            #expect(server.logIn(email, second + "!").status == 200)
        }
    }

    @Test("A hash of the password as it was sent still opens, and is renewed")
    func oldHash() throws {
        let user = try server.account("Old", email: "old@example.com")
        let old = try TestLoop.run {
            try await PasswordHasher(cost: 10, isIdle: false).hash(Self.decomposed)
        }
        try server.database.execute("update users set password_hash = \(old)")
        let change: JSON = [
            "current_password": .string(Self.composed), "new_password": "long enough",
        ]
        #expect(server.send("POST", "auth/change-password", as: user, change).status == 403)
        #expect(server.logIn(user.email, Self.composed).status == 401)
        let proof: JSON = [
            "current_password": .string(Self.decomposed), "new_email": "new@example.com",
        ]
        #expect(server.send("POST", "auth/change-email", as: user, proof).status == 200)
        #expect(server.logIn("new@example.com", Self.decomposed).status == 200)
        #expect(try server.database.texts("select password_hash from users") != [old])
        #expect(server.logIn("new@example.com", Self.composed).status == 200)
    }

    @Test("Length is counted, and common passwords are looked up, in the composed form")
    func rules() {
        #expect(
            register("a@example.com", "a\u{308}o\u{308}u\u{308}e\u{301}").fields == ["password"])
        #expect(register("b@example.com", "a\u{308}o\u{308}u\u{308}e\u{301}1234").status == 201)
    }
}
