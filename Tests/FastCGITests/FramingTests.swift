import FastCGI
import Foundation
import Testing

/// However the bytes are cut, the request is the same.
@Suite struct FramingTests {
    @Test func `split at every byte`() throws {
        let server = try Server()
        let bytes = Records.request(body: Array("split".utf8), keep: true, size: 9, padding: 3)
        for position in 1..<bytes.count {
            let client = try server.connect()
            try client.send(Array(bytes[..<position]))
            usleep(1_000)
            #expect(try client.exchange(Array(bytes[position...])).text == "POSTsplit")
        }
        #expect(server.worker.statistics.broken == 0)
    }

    @Test func `byte by byte`() throws {
        let server = try Server()
        let client = try server.connect()
        for byte in Records.request(body: Array("bytes".utf8)) {
            try client.send([byte])
            usleep(100)
        }
        #expect(try client.answer().text == "POSTbytes")
    }

    @Test func `every padding`() throws {
        let server = try Server()
        let client = try server.connect()
        for padding in 0...255 {
            let body = Array("padding \(padding)".utf8)
            let bytes = Records.request(body: body, keep: true, size: 7, padding: padding)
            #expect(try client.exchange(bytes).body == Array("POST".utf8) + body)
        }
    }

    @Test(arguments: [1, 2, 3, 5, 8, 100])
    func `parameters in many records`(size: Int) throws {
        let server = try Server { request in
            let values = (0..<100).map { request["NAME_\($0)"] ?? "nil" }
            return Response(status: 200, body: Array(values.joined(separator: ",").utf8))
        }
        let parameters = (0..<100).map { ("NAME_\($0)", String(repeating: "v", count: $0)) }
        let answer = try server.exchange(Records.request(parameters, size: size))
        #expect(answer.text == parameters.map(\.1).joined(separator: ","))
    }

    @Test func `parameters of more than 64 KiB`() throws {
        let server = try Server { request in
            let name = String(repeating: "N", count: 70_000)
            let sizes = [request["LONG"]?.count ?? -1, request[name]?.count ?? -1]
            return Response(status: 200, body: Array("\(sizes)".utf8))
        }
        let parameters = [
            ("LONG", String(repeating: "x", count: 200_000)),
            (String(repeating: "N", count: 70_000), "value"),
        ]
        #expect(try server.exchange(Records.request(parameters)).text == "[200000, 5]")
    }

    /// The length of a name is the peer's word only; it goes away after a bit of it.
    @Test func `a name longer than what arrives`() throws {
        let server = try Server()
        let client = try server.connect()
        let claim: [UInt8] = [0x84, 0, 0, 0, 0x84, 0, 0, 0] + Array("NAME".utf8)
        try client.send(Records.begin(keep: true) + Records.stream(.parameters, claim))
        #expect(client.isClosedByServer())
        #expect(try server.exchange(Records.request()).status == 200)
        #expect(server.worker.statistics.requests == 1)
    }

    /// This side takes one request at a time, as web servers know.
    @Test func `records of another request are turned away`() throws {
        let server = try Server()
        let client = try server.connect()
        let other = Records.record(.standardInput, id: 9, [1, 2, 3], padding: 5)
        let bytes =
            Records.begin(keep: false)
            + Records.stream(.parameters, Records.pair(Array("CONTENT_LENGTH".utf8), [0x31]))
            + Records.record(.standardInput, [0x41]) + other + Records.record(.standardInput)
        try client.send(bytes)
        #expect(client.isClosedByServer())
        #expect(server.worker.statistics.broken == 1 && server.worker.statistics.requests == 0)
    }
}
