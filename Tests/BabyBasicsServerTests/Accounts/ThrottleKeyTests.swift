import Postgres
import TestSupport
import Testing

@Suite("The login throttle's key")
struct ThrottleKeyTests {
    let server: TestServer
    let home = "192.0.2.1"

    init() throws {
        server = try TestServer()
        _ = try server.account("Johnny", email: "johnny@example.com")
        _ = server.logIn("johnny@example.com", from: home)
        _ = server.logIn("johnny@example.com", "not the password")
        // As after many more: a stranger waits for 16 minutes, however slow the machine.
        try server.database.execute("update login_failures set failures = 20")
    }

    /// Whether the account's place and its failures are known.
    private func remembers(_ other: TestServer) -> Bool {
        other.logIn("johnny@example.com").status == 429
            && other.logIn("johnny@example.com", from: home).status == 200
    }

    /// - Parameter later: so that the limit by address, of five a minute, has nothing to say.
    private func other(_ inviteKeys: [UInt8], later: Duration = .zero) throws -> TestServer {
        let other = try TestServer(inviteKeys: inviteKeys, database: server.database)
        other.clock.advance(by: later)
        return other
    }

    @Test("It outlives every invite key that is replaced by way of both")
    func rotation() throws {
        #expect(try remembers(other([7])))
        #expect(try remembers(other([7, 8])))
        #expect(try remembers(other([8, 7])))
        #expect(try remembers(other([8], later: .seconds(61))))
        #expect(try remembers(other([9, 8], later: .seconds(61))))
        #expect(try remembers(other([9], later: .seconds(61))))
        #expect(try server.database.count("throttle_key") == 1)
    }

    @Test("Where no invite key opens it, another takes its place and sign-ins go on")
    func lost() throws {
        let other = try other([9])
        #expect(other.logIn("johnny@example.com").status == 200)
        #expect(try !remembers(self.other([9])))
        #expect(try server.database.count("throttle_key") == 1)
    }

    @Test("Hosts that start at once agree on one")
    func agreement() throws {
        let database = try TestCluster.shared.database()
        let servers = try (0..<4).map { _ in try TestServer(database: database) }
        _ = try servers[0].account("Johnny", email: "johnny@example.com")
        _ = race(4) { servers[$0].logIn("johnny@example.com", "not the password").status }
        #expect(try database.texts("select failures::text from login_failures") == ["4"])
    }

    @Test("The server cannot take it away")
    func privileges() throws {
        #expect(try !server.database.serverRoleMay("delete from throttle_key"))
    }
}
