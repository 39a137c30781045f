import Testing

@testable import BabyBasicsServer

@Suite("Common passwords")
struct CommonPasswordTests {
    @Test("The list is there, in the form in which it is looked up")
    func list() {
        for common in ["password", "12345678", "Password123", "ILoveYou", "trustno1", "qwertyuiop"] {
            #expect(CommonPasswords.contains(common), "\(common)")
        }
        for rare in ["securepassword123", "a fine long password", "", "\n", "password\n"] {
            #expect(!CommonPasswords.contains(rare), "\(rare)")
        }
    }

    @Test("They are refused at registration and reset, on their field")
    func refused() throws {
        let server = try TestServer()
        let registration = server.send(
            "POST", "auth/register",
            ["name": "J", "email": "j@example.com", "password": "Football1"])
        #expect(registration.status == 400)
        #expect(registration.fields == ["password"])
        let johnny = try server.account("Johnny")
        let reset = server.send(
            "POST", "auth/reset-password",
            ["email": .string(johnny.email), "new_password": "PASSWORD1"],
            headers: ["HTTP_X_ADMIN_TOKEN": TestServer.adminToken])
        #expect(reset.status == 400)
        #expect(reset.fields == ["new_password"])
        #expect(server.logIn(johnny.email).status == 200)
    }
}
