import FastCGI
import Testing

/// A body that is not what `CONTENT_LENGTH` says never reaches a handler.
@Suite struct BodyTests {
    @Test(arguments: ["-1", "+5", "5 ", " 5", "0x5", "5x", "five", "5.0", "4", "6", "0", "", "５"])
    func `wrong lengths are refused with 400, and the connection is closed`(length: String) throws {
        let server = try Server()
        let client = try server.connect()
        let body = Array("12345".utf8)
        let request = Records.request(body: body, contentLength: length, keep: true)
        #expect(try client.exchange(request).status == 400)
        #expect(client.isClosedByServer())
        #expect(server.worker.statistics.requests == 0)
        #expect(server.worker.statistics.refused == 1)
    }

    @Test func `a body without a length is refused`() throws {
        let server = try Server()
        let client = try server.connect()
        try client.send(
            Records.begin(keep: true) + Records.stream(.parameters, [])
                + Records.stream(.standardInput, [1]))
        #expect(try client.answer().status == 400)
        #expect(client.isClosedByServer())
    }

    @Test(arguments: ["", "0", "00"])
    func `no body needs no length`(length: String) throws {
        let server = try Server()
        #expect(try server.exchange(Records.request(contentLength: length)).text == "POST")
    }

    @Test func `leading zeros are digits`() throws {
        let server = try Server()
        let request = Records.request(body: [0x41], contentLength: "0001")
        #expect(try server.exchange(request).text == "POSTA")
    }

    @Test func `the maximum is accepted, one more is not`() throws {
        let server = try Server(configuration: Server.configuration { $0.maximumBodyBytes = 100 })
        let most = [UInt8](repeating: 0x41, count: 100)
        #expect(try server.exchange(Records.request(body: most)).status == 200)
        let client = try server.connect()
        #expect(try client.exchange(Records.request(body: most + [0x41], keep: true)).status == 413)
        #expect(client.isClosedByServer())
    }

    @Test(arguments: ["4294967296", "9223372036854775807", "99999999999999999999999999"])
    func `lengths past any integer are too large, not small`(length: String) throws {
        let server = try Server()
        let request = Records.request(body: [1], contentLength: length)
        #expect(try server.exchange(request).status == 413)
    }

    /// Far more than the socket holds, so the peer is still sending when the answer is there.
    @Test func `413 reaches a peer that sends its body first`() throws {
        let server = try Server()
        let body = [UInt8](repeating: 0x41, count: 8 << 20)
        let client = try server.connect()
        #expect(try client.exchange(Records.request(body: body)).status == 413)
        client.close()
        #expect(eventually { server.worker.statistics.connections == 0 })
    }

    @Test func `refusals are answered as configured`() throws {
        let configuration = Server.configuration {
            $0.maximumBodyBytes = 3
            $0.refusal = { refusal in
                Response(status: refusal.status, body: Array("\(refusal)".utf8))
            }
        }
        let server = try Server(configuration: configuration)
        let large = try server.exchange(Records.request(body: [1, 2, 3, 4]))
        #expect(large.text == "bodyTooLarge")
        let malformed = try server.exchange(Records.request(contentLength: "-"))
        #expect(malformed.text == "malformedBody")
    }
}
