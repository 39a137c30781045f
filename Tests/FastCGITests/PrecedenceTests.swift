import Foundation
import Glibc
import Testing

@testable import FastCGI

/// Workers that share a listener, as processes of one host do.
@Suite struct PrecedenceTests {
    private final class Host {
        let directory = "/tmp/precedence-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        let path = Server.freshPath()
        let listener: Listener

        init() throws {
            mkdir(directory, 0o700)
            listener = try Listener(path: path)
        }

        deinit { try? FileManager.default.removeItem(atPath: directory) }

        func worker(
            threads: Int = 4,
            handler: @escaping Worker.Handler = Server.echo
        ) throws -> Server {
            let configuration = Server.configuration(threads: threads) {
                $0.precedence = Precedence(directory: directory, count: 1)
            }
            return try Server(
                listener: Listener(inherited: dup(listener.descriptor)), path: path,
                configuration: configuration, handler: handler)
        }

        /// Milliseconds that a request on a new connection takes.
        func exchange() throws -> Double {
            let began = monotonicNanoseconds()
            let answer = try Client(path: path).exchange(Records.request())
            try #require(answer.status == 200)
            return Double(monotonicNanoseconds() - began) / 1e6
        }
    }

    private func requests(_ servers: [Server]) -> [Int] {
        servers.map { $0.worker.statistics.requests }
    }

    @Test func `one takes the connections, and the others next to none`() throws {
        let host = try Host()
        let servers = try (0..<3).map { _ in try host.worker() }
        for _ in 0..<100 { _ = try host.exchange() }
        // On a machine that stood still for a moment the others have helped.
        let shares = requests(servers).sorted()
        #expect(shares[2] > 60 && shares.reduce(0, +) == 100, "\(shares)")
    }

    @Test func `as many go first as are wanted`() throws {
        let host = try Host()
        let precedences = (0..<4).map { _ in Precedence(directory: host.directory, count: 2) }
        for _ in 0..<3 {
            #expect(precedences.map { $0.goesFirst() } == [true, true, false, false])
        }
        precedences[0].leave()
        #expect(precedences.map { $0.goesFirst() } == [false, true, true, false])
    }

    @Test func `who stands by takes what the first has no room for`() throws {
        let host = try Host()
        let gate = Gate()
        let first = try host.worker(threads: 1) {
            gate.wait()
            return Server.echo($0)
        }
        let held = try Client(path: host.path)
        try held.send(Records.request())
        #expect(eventually { gate.waitingCount == 1 })
        let other = try host.worker()
        let waited = try host.exchange()
        #expect((90...5000).contains(waited), "\(waited) ms")
        // And from then on at once what comes next.
        let times = try (0..<20).map { _ in try host.exchange() }
        #expect(times.sorted()[10] < 50, "\(times)")
        #expect(requests([first, other]) == [1, 21])
        gate.open()
        #expect(try held.answer().status == 200)
    }

    @Test func `who stands by takes the place of one that stops, at once`() throws {
        let host = try Host()
        let servers = try (0..<2).map { _ in try host.worker() }
        _ = try host.exchange()
        let first = try #require(servers.first { $0.worker.statistics.requests == 1 })
        let other = try #require(servers.first { $0.worker.statistics.requests == 0 })
        // It goes on serving what it has, and takes no more.
        let kept = try Client(path: host.path)
        _ = try kept.exchange(Records.request(keep: true))
        first.worker.stop()
        let times = try (0..<20).map { _ in try host.exchange() }
        #expect(requests([first, other]) == [2, 20])
        #expect(times.sorted()[10] < 50, "\(times)")
        #expect(try kept.exchange(Records.request()).status == 200)
        #expect(first.hasEnded(within: 20))
    }

    /// The kernel frees the place of a process however it ends: here it is one that has only taken the place.
    @Test func `the place of one that has died is free`() throws {
        let host = try Host()
        var dead: Precedence? = Precedence(directory: host.directory, count: 1)
        #expect(dead?.goesFirst() == true)
        let next = Precedence(directory: host.directory, count: 1)
        #expect(!next.goesFirst())
        dead = nil
        #expect(next.goesFirst())
        next.leave()
        #expect(!next.goesFirst(), "for good")
        #expect(Precedence(directory: host.directory, count: 1).goesFirst())
    }

    @Test func `without a directory everyone goes first`() {
        let precedences = (0..<2).map { _ in Precedence(directory: "/nonexistent", count: 1) }
        #expect(precedences.allSatisfy { $0.goesFirst() })
    }

    /// Nobody else takes connections from a listener of one's own.
    @Test func `a worker with a listener of its own leaves nothing to others`() throws {
        let host = try Host()
        let elsewhere = Precedence(directory: host.directory, count: 1)
        #expect(elsewhere.goesFirst())
        let server = try Server(
            configuration: Server.configuration {
                $0.precedence = Precedence(directory: host.directory, count: 1)
            })
        let began = monotonicNanoseconds()
        for _ in 0..<20 { #expect(try server.exchange(Records.request()).status == 200) }
        #expect(monotonicNanoseconds() - began < 20 * Precedence.patience / 2)
    }
}
