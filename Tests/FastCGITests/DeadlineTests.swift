import FastCGI
import Foundation
import Testing

/// A peer has its time and no more, whatever it does, and costs the others none of theirs.
@Suite struct DeadlineTests {
    private func impatient(milliseconds: Int = 300) -> WorkerConfiguration {
        Server.configuration {
            $0.readTimeout = .milliseconds(milliseconds)
            $0.writeTimeout = .milliseconds(milliseconds)
        }
    }

    /// Nothing here is a whole request; the first stalls inside its first header.
    private static let starts: [[UInt8]] = [
        [1, 1, 0],
        Records.begin(keep: true),
        Array(Records.request().prefix(30)),
        Records.begin(keep: true) + Records.record(.parameters, Records.pair([0x41], [0x42])),
        Records.begin(keep: true) + Records.stream(.parameters, []),
        Array(Records.request(body: [1, 2, 3, 4, 5]).dropLast(11)),
        Array(Records.request(body: [1, 2, 3, 4, 5]).dropLast(8)),
    ]

    @Test(arguments: starts)
    func `stalled peers hold up nobody, and are let go`(start: [UInt8]) throws {
        let server = try Server(configuration: impatient())
        let peers = try (0..<7).map { _ in try server.connect() }
        for peer in peers { try peer.send(start) }
        #expect(try server.exchange(Records.request()).status == 200)
        for peer in peers { #expect(peer.isClosedByServer()) }
        #expect(eventually { server.worker.statistics.timedOut == peers.count })
        #expect(eventually { server.worker.statistics.connections == 0 })
    }

    /// Each byte comes well within the timeout, all of them together do not.
    @Test(arguments: [0, 8, 40])
    func `peers sending a byte at a time`(sentAtOnce: Int) throws {
        let server = try Server(configuration: impatient(milliseconds: 500))
        let peer = try server.connect()
        let bytes = Records.request(body: [UInt8](repeating: 1, count: 1_000))
        try peer.send(Array(bytes[..<sentAtOnce]))
        var failed = false
        for byte in bytes[sentAtOnce...] where !failed {
            do { try peer.send([byte]) } catch { failed = true }
            usleep(30_000)
        }
        #expect(failed)
        #expect(eventually { server.worker.statistics.timedOut == 1 })
        #expect(try server.exchange(Records.request()).status == 200)
    }

    @Test func `a peer that never reads its answer`() throws {
        let large = [UInt8](repeating: 0x41, count: 4 << 20)
        let server = try Server(configuration: impatient()) { request in
            Response(status: 200, body: request["LARGE"] == nil ? [] : large)
        }
        let peers = try (0..<5).map { _ in try server.connect() }
        for peer in peers { try peer.send(Records.request([("LARGE", "1")], keep: true)) }
        #expect(eventually { server.worker.statistics.timedOut == 5 })
        #expect(try server.exchange(Records.request()).status == 200)
        #expect(eventually { server.worker.statistics.connections == 0 })
    }

    @Test func `a refused peer that neither reads nor stops sending`() throws {
        let server = try Server(configuration: impatient())
        let peer = try server.connect()
        try peer.send(Array(Records.request(contentLength: "99999999999").dropLast(8)))
        var failed = false
        for _ in 0..<1_000 where !failed {
            do { try peer.send(Records.record(.standardInput, [1])) } catch { failed = true }
            usleep(30_000)
        }
        #expect(failed)
        #expect(try server.exchange(Records.request()).status == 200)
    }

    /// The handler's time is not the peer's.
    @Test func `a slow handler is not cut off`() throws {
        let server = try Server(configuration: impatient(milliseconds: 100)) { _ in
            try? await Task.sleep(for: .milliseconds(600))
            return Response(status: 200)
        }
        let client = try server.connect()
        for _ in 0..<2 {
            #expect(try client.exchange(Records.request(keep: true)).status == 200)
        }
        #expect(server.worker.statistics.timedOut == 0)
    }

    @Test func `an idle connection has no deadline`() throws {
        let server = try Server(configuration: impatient(milliseconds: 100))
        let fresh = try server.connect()
        let kept = try server.connect()
        #expect(try kept.exchange(Records.request(keep: true)).status == 200)
        usleep(500_000)
        #expect(try kept.exchange(Records.request(keep: true)).status == 200)
        #expect(try fresh.exchange(Records.request(keep: true)).status == 200)
    }
}
