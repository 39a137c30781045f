import FastCGI
import Testing

@Suite struct ExchangeTests {
    @Test func `a simple exchange`() throws {
        let server = try Server()
        let answer = try server.exchange(Records.request(body: Array("hello".utf8)))
        #expect(answer.status == 200)
        #expect(answer.text == "POSThello")
        #expect(answer.headers == ["Content-Type: text/plain", "Content-Length: 9"])
        #expect(server.worker.statistics.requests == 1)
    }

    @Test func `parameters arrive as they were sent`() throws {
        let server = try Server { request in
            let text = ["A", "EMPTY", "WITH", "MISSING", "a"].map { request[$0] ?? "nil" }
            return Response(status: 200, body: Array(text.joined(separator: ",").utf8))
        }
        let parameters = [("A", "1"), ("EMPTY", ""), ("A", "2"), ("WITH", "x=y=ü")]
        #expect(try server.exchange(Records.request(parameters)).text == "1,,x=y=ü,nil,nil")
    }

    @Test func `a value that is not UTF-8 is repaired, its bytes are kept`() throws {
        let server = try Server { request in
            let bytes = request.bytes(of: "RAW").map(Array.init) ?? []
            return Response(status: 200, body: bytes + Array((request["RAW"] ?? "nil").utf8))
        }
        let pair = Records.pair(Array("RAW".utf8), [0x61, 0xff, 0x62])
        let bytes =
            Records.begin(keep: false) + Records.stream(.parameters, pair)
            + Records.stream(.standardInput, [])
        #expect(try server.exchange(bytes).body == [0x61, 0xff, 0x62] + Array("a\u{fffd}b".utf8))
    }

    @Test(arguments: [0, 1, 7_900, 8_100, 8_184, 8_192, 65_535, 65_536, 3_000_000])
    func `answers of any size arrive whole`(size: Int) throws {
        let body = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
        let server = try Server { _ in Response(status: 200, body: body) }
        let answer = try server.exchange(Records.request())
        #expect(answer.body == body)
        #expect(answer.headers == ["Content-Length: \(size)"])
    }

    @Test func `bodies of a megabyte arrive whole`() throws {
        let server = try Server { Response(status: 200, body: $0.body) }
        let body = (0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 131 ^ $0 >> 9) }
        #expect(try server.exchange(Records.request(body: body)).body == body)
    }

    @Test func `a header cannot begin another`() throws {
        let server = try Server { _ in
            Response(
                status: 201,
                headers: [
                    ("X", "a\r\nSet-Cookie: b\0"), ("content-length", "77"), ("STATUS", "999"),
                    ("Y\nZ", ""),
                ], body: [1])
        }
        let answer = try server.exchange(Records.request())
        #expect(answer.status == 201)
        #expect(answer.headers == ["X: a  Set-Cookie: b ", "Y Z: ", "Content-Length: 1"])
    }

    @Test func `204 has no length, an impossible status is a 500`() throws {
        let server = try Server { Response(status: Int($0["WANTED"] ?? "") ?? 0) }
        let empty = try server.exchange(Records.request([("WANTED", "204")]))
        #expect(empty == Client.Answer(status: 204, headers: [], body: []))
        for status in ["0", "-1", "99", "600", "1000"] {
            #expect(try server.exchange(Records.request([("WANTED", status)])).status == 500)
        }
    }

    @Test func `a request can be made without a socket`() {
        let request = Request(parameters: [("A", "1"), ("B", ""), ("A", "2")], body: [7])
        #expect(request["A"] == "1")
        #expect(request["B"] == "")
        #expect(request["C"] == nil)
        #expect(request[""] == nil)
        #expect(request.body == [7])
    }
}
