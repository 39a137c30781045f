import FastCGI
import Foundation
import Glibc
import Testing

/// An answer that its socket does not take at once goes on when it does.
struct SlowReaderTests {
    private static let large = (0..<(4 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 17 ^ $0 >> 10) }

    private func server() throws -> Server {
        try Server { Response(status: 200, body: $0["LARGE"] == nil ? $0.body : Self.large) }
    }

    @Test func `others are served meanwhile, and it arrives whole`() throws {
        let server = try server()
        let slow = try (0..<5).map { _ in try server.connect() }
        for client in slow { try client.send(Records.request([("LARGE", "1")], keep: true)) }
        for number in 0..<20 {
            #expect(try server.exchange(Records.request(body: Array("\(number)".utf8))).text == "\(number)")
        }
        for client in slow { #expect(try client.answer().body == Self.large) }
        // The connection is as good as before.
        for client in slow { #expect(try client.exchange(Records.request(body: [7], keep: true)).body == [7]) }
        #expect(server.worker.statistics.timedOut == 0)
    }

    @Test func `a reader of a little at a time gets all of it`() throws {
        let server = try server()
        let client = try server.connect()
        var size: Int32 = 4096
        setsockopt(client.descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        #expect(try client.exchange(Records.request([("LARGE", "1")], keep: false)).body == Self.large)
        #expect(client.isClosedByServer())
    }

    @Test func `a drain waits for it`() throws {
        let server = try server()
        let client = try server.connect()
        try client.send(Records.request([("LARGE", "1")], keep: false))
        #expect(eventually { server.worker.statistics.requests == 1 && server.worker.statistics.requestsInFlight == 0 })
        server.worker.stop()
        #expect(!server.hasEnded(within: 0.2))
        #expect(try client.answer().body == Self.large)
        #expect(server.hasEnded(within: 20))
    }

    @Test func `a reader that goes away in the middle is let go`() throws {
        let server = try server()
        for _ in 0..<5 {
            let client = try server.connect()
            try client.send(Records.request([("LARGE", "1")], keep: true))
            var byte: UInt8 = 0
            #expect(recv(client.descriptor, &byte, 1, 0) == 1)
            client.close()
        }
        #expect(eventually { server.worker.statistics.connections == 0 })
        #expect(server.worker.statistics.broken == 5)
    }
}
