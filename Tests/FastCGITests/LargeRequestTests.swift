import FastCGI
import Foundation
import Glibc
import Testing

/// A request that does not fit into its socket is read apart, and holds up nobody.
struct LargeRequestTests {
    private static let large = (0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 7) }

    @Test func `small requests go on while a large one arrives`() throws {
        let server = try Server()
        let client = try server.connect()
        let bytes = Records.request(body: Self.large, keep: true)
        let parts = stride(from: 0, to: bytes.count, by: 100_000).map {
            Array(bytes[$0..<min($0 + 100_000, bytes.count)])
        }
        for (number, part) in parts.enumerated() {
            try client.send(part)
            #expect(try server.exchange(Records.request(body: Array("\(number)".utf8))).text == "POST\(number)")
        }
        #expect(try client.answer().body == Array("POST".utf8) + Self.large)
        // And the connection is as good as before.
        #expect(try client.exchange(Records.request(body: [7], keep: true)).body.last == 7)
        #expect(server.worker.statistics.broken == 0)
    }

    @Test func `more at once than are read at a time are all answered, each with its own`() throws {
        let server = try Server { Response(status: 200, body: $0.body) }
        let clients = try (0..<12).map { _ in try server.connect() }
        let bodies = clients.indices.map { number in
            [UInt8](repeating: UInt8(number), count: 300_000 + number)
        }
        let group = DispatchGroup()
        for (client, body) in zip(clients, bodies) {
            let descriptor = client.descriptor
            group.enter()
            Thread.detachNewThread {
                let bytes = Records.request(body: body, keep: true)
                var sent = 0
                while sent < bytes.count {
                    let count = bytes[sent...].withUnsafeBytes {
                        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                    }
                    guard count > 0 else { break }
                    sent += count
                }
                group.leave()
            }
        }
        for (client, body) in zip(clients, bodies) { #expect(try client.answer().body == body) }
        group.wait()
    }

    /// Four stall; the fifth waits for a place, and has all of its own time when it gets one.
    @Test func `a large request that waits for its turn is not out of time`() throws {
        let server = try Server(configuration: Server.configuration { $0.readTimeout = .milliseconds(600) })
        let bytes = Records.request(body: Self.large, keep: true)
        let stalled = try (0..<4).map { _ in try server.connect() }
        for client in stalled { try client.send(Array(bytes[..<150_000])) }
        usleep(300_000)
        let client = try server.connect()
        #expect(try client.exchange(bytes).body.count == Self.large.count + 4)
        for client in stalled { #expect(client.isClosedByServer()) }
        #expect(eventually { server.worker.statistics.connections == 1 })
        #expect(server.worker.statistics.timedOut == stalled.count)
        #expect(server.worker.statistics.broken == 0)
    }

    @Test func `a peer that goes away in the middle is let go`() throws {
        let server = try Server()
        let bytes = Records.request(body: Self.large, keep: true)
        for _ in 0..<6 {
            let client = try server.connect()
            try client.send(Array(bytes[..<200_000]))
            client.close()
        }
        #expect(eventually { server.worker.statistics.broken == 6 })
        #expect(eventually { server.worker.statistics.connections == 0 })
        #expect(try server.exchange(Records.request()).status == 200)
    }

    @Test func `a drain waits for it`() throws {
        let server = try Server()
        let client = try server.connect()
        let bytes = Records.request(body: Self.large, keep: false)
        try client.send(Array(bytes[..<200_000]))
        #expect(eventually { server.worker.statistics.connections == 1 })
        server.worker.stop()
        #expect(!server.hasEnded(within: 0.2))
        try client.send(Array(bytes[200_000...]))
        #expect(try client.answer().status == 200)
        #expect(server.hasEnded(within: 20))
    }
}
