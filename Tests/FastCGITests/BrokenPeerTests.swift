import FastCGI
import Foundation
import Glibc
import Testing

/// Peers that go away, or speak something else.
@Suite struct BrokenPeerTests {
    @Test func `a peer that closes in the middle, at every byte`() throws {
        let server = try Server()
        let bytes = Records.request(body: Array("middle".utf8), keep: true)
        for position in 0..<bytes.count {
            let client = try server.connect()
            try client.send(Array(bytes[..<position]))
            if position % 3 == 0 { usleep(500) }
            client.close()
        }
        #expect(try server.exchange(Records.request()).status == 200)
        // All but the one that said nothing, and none by its deadline.
        #expect(eventually { server.worker.statistics.broken == bytes.count - 1 })
        #expect(eventually { server.worker.statistics.connections == 0 })
        #expect(server.worker.statistics.timedOut == 0)
        #expect(server.worker.statistics.requests == 1)
        #expect(server.worker.statistics.requestsInFlight == 0)
    }

    @Test func `an aborted request is dropped, wherever it was`() throws {
        let server = try Server()
        let parameters = Records.pair(Array("CONTENT_LENGTH".utf8), [0x35])
        let starts = [
            Records.begin(keep: true),
            Records.begin(keep: true) + Records.record(.parameters, parameters),
            Records.begin(keep: true) + Records.stream(.parameters, parameters),
            Records.begin(keep: true) + Records.stream(.parameters, parameters)
                + Records.record(.standardInput, [1, 2]),
        ]
        for start in starts {
            let client = try server.connect()
            try client.send(start + Records.record(.abortRequest))
            #expect(client.isClosedByServer())
        }
        #expect(server.worker.statistics.requests == 0)
        #expect(server.worker.statistics.broken == starts.count)
    }

    /// The one that overflows libfcgi's stack is among them.
    @Test func `what does not begin a request is turned away`() throws {
        let server = try Server()
        let value = Records.pair(Array("FCGI_MPXS_CONNS".utf8), [])
        let values = (0..<50).flatMap { _ in value }
        var begin = Records.begin(keep: true)
        begin[2...3] = [0, 0]
        let openings: [[UInt8]] = [
            Records.record(.getValues, id: 0, values),
            Records.record(.getValues, id: 1, values),
            Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8),
            [UInt8](repeating: 0, count: 64),
            [2] + Records.begin(keep: true).dropFirst(),
            begin,
            Records.begin(keep: true, role: 2),
            Records.begin(keep: true, role: 3),
            Records.begin(keep: true, padding: 8),
            Records.record(.beginRequest, [0, 1, 0, 0, 0, 0, 0, 0, 0]),
            Records.stream(.parameters, value),
            Records.record(.abortRequest, [0, 0, 0, 0, 0, 0, 0, 0]),
        ]
        for opening in openings {
            let client = try server.connect()
            try client.send(opening)
            #expect(client.isClosedByServer())
        }
        #expect(try server.exchange(Records.request()).status == 200)
        #expect(server.worker.statistics.broken == openings.count)
    }

    @Test func `garbage after a request on a kept connection is turned away`() throws {
        let server = try Server()
        let client = try server.connect()
        #expect(try client.exchange(Records.request(keep: true)).status == 200)
        try client.send(Records.record(.getValues, id: 0, [UInt8](repeating: 0, count: 20)))
        #expect(client.isClosedByServer())
        // At once: libfcgi would answer it, and hold a thread until its time to read is over.
        #expect(server.worker.statistics.broken == 1)
        #expect(server.worker.statistics.timedOut == 0)
    }

    @Test func `what comes first is looked at however late it comes`() throws {
        let server = try Server()
        let client = try server.connect()
        #expect(eventually { server.worker.statistics.connections == 1 })
        usleep(50_000)
        let value = Records.pair(Array("FCGI_MPXS_CONNS".utf8), [])
        try client.send(Records.record(.getValues, id: 0, (0..<50).flatMap { _ in value }))
        #expect(client.isClosedByServer())
        #expect(server.worker.statistics.broken == 1)
    }

    @Test func `a kept connection that its peer closes is not broken`() throws {
        let server = try Server()
        for _ in 0..<20 {
            let client = try server.connect()
            #expect(try client.exchange(Records.request(keep: true)).status == 200)
            client.close()
        }
        #expect(eventually { server.worker.statistics.connections == 0 })
        #expect(server.worker.statistics.broken == 0)
    }

    @Test func `a last request on a kept connection whose peer says no more is answered`() throws {
        let server = try Server()
        let client = try server.connect()
        #expect(try client.exchange(Records.request(keep: true)).status == 200)
        try client.send(Records.request(body: [3], keep: true))
        #expect(shutdown(client.descriptor, Int32(SHUT_WR)) == 0)
        #expect(try client.answer().body.last == 3)
        #expect(client.isClosedByServer())
        #expect(server.worker.statistics.broken == 0)
    }

    @Test func `a peer that is gone before the answer costs nothing`() throws {
        let gate = Gate()
        let server = try Server { _ in
            await gate.pass()
            return Response(status: 200, body: [UInt8](repeating: 0, count: 1 << 20))
        }
        for _ in 0..<4 {
            let client = try server.connect()
            try client.send(Records.request(keep: true))
            client.close()
        }
        #expect(eventually { gate.waitingCount == 4 })
        gate.open()
        #expect(eventually { server.worker.statistics.connections == 0 })
        #expect(try server.exchange(Records.request()).status == 200)
        #expect(server.worker.statistics.timedOut == 0)
    }
}
