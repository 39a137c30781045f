import FastCGI
import Foundation
import Testing

/// A connection serves one request after the other, and costs a descriptor in between.
@Suite struct KeptConnectionTests {
    @Test func `many requests on one connection`() throws {
        let server = try Server()
        let client = try server.connect()
        for number in 0..<500 {
            let body = Array("\(number)".utf8)
            let answer = try client.exchange(Records.request(body: body, keep: true))
            #expect(answer.text == "POST\(number)")
        }
        #expect(server.worker.statistics.connections == 1)
        #expect(server.worker.statistics.requests == 500)
    }

    @Test func `the peer's wish decides`() throws {
        let server = try Server()
        let client = try server.connect()
        #expect(try client.exchange(Records.request(keep: true)).status == 200)
        #expect(try client.exchange(Records.request(keep: false)).status == 200)
        #expect(client.isClosedByServer())
        #expect(eventually { server.worker.statistics.connections == 0 })
    }

    @Test func `idle connections stop nobody`() throws {
        let server = try Server()
        let idle = try (0..<50).map { _ in try server.connect() }
        for client in idle {
            #expect(try client.exchange(Records.request(keep: true)).status == 200)
        }
        let silent = try (0..<50).map { _ in try server.connect() }
        #expect(try server.exchange(Records.request()).status == 200)
        for client in idle + silent {
            #expect(try client.exchange(Records.request(keep: true)).status == 200)
        }
        #expect(eventually { server.worker.statistics.connections == 100 })
        #expect(server.worker.statistics.requestsInFlight == 0)
    }

    @Test func `nothing of one request is left for the next`() throws {
        let server = try Server { request in
            let text = "\(request["ONLY_FIRST"] ?? "nil") \(request.body.count)"
            return Response(status: 200, body: Array(text.utf8))
        }
        let client = try server.connect()
        let first = Records.request([("ONLY_FIRST", "yes")], body: [1, 2], keep: true)
        #expect(try client.exchange(first).text == "yes 2")
        #expect(try client.exchange(Records.request([], keep: true)).text == "nil 0")
    }
}
