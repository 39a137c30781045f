import EventLoop
import FastCGI
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

/// What `stop()` lets finish, and what it does not wait for.
@Suite struct DrainTests {
    @Test func `idle, it ends at once`() throws {
        let server = try Server()
        #expect(try server.exchange(Records.request()).status == 200)
        #expect(eventually { server.worker.statistics.connections == 0 })
        let began = ContinuousClock.now
        server.worker.stop()
        #expect(server.hasEnded(within: 20))
        // Some milliseconds; the margin is for a machine busy with the other tests.
        #expect(began.duration(to: .now) < .seconds(2))
        #expect(throws: Client.Failure.self) { try server.connect() }
    }

    @Test func `stopped before it runs, it never serves`() throws {
        let path = Server.freshPath()
        defer { unlink(path) }
        let loop = TestLoop.start()
        defer { loop.stop() }
        let worker = try Worker(listener: Listener(path: path), on: loop, handler: Server.echo)
        worker.stop()
        worker.stop()
        try loop.wait { try await worker.serve() }
        #expect(worker.statistics == WorkerStatistics())
    }

    @Test func `a request being served is answered`() throws {
        let gate = Gate()
        let server = try Server { _ in
            await gate.pass()
            return Response(status: 200)
        }
        let client = try server.connect()
        try client.send(Records.request(keep: false))
        #expect(eventually { gate.waitingCount == 1 })
        server.worker.stop()
        #expect(!server.hasEnded(within: 0.2))
        gate.open()
        #expect(try client.answer().status == 200)
        #expect(server.hasEnded(within: 20))
    }

    @Test func `a request being read is read whole and answered`() throws {
        let server = try Server()
        let client = try server.connect()
        let bytes = Records.request(body: Array("0123456789".utf8))
        try client.send(Array(bytes.dropLast(13)))
        #expect(eventually { server.worker.statistics.connections == 1 })
        server.worker.stop()
        #expect(!server.hasEnded(within: 0.2))
        #expect(throws: Client.Failure.self) { try server.connect() }
        #expect(try client.exchange(Array(bytes.suffix(13))).text == "POST0123456789")
        #expect(server.hasEnded(within: 20))
    }

    @Test func `kept connections are served until their peers close them`() throws {
        let server = try Server()
        let clients = try (0..<10).map { _ in try server.connect() }
        for client in clients {
            #expect(try client.exchange(Records.request(keep: true)).status == 200)
        }
        server.worker.stop()
        #expect(!server.hasEnded(within: 0.2))
        for client in clients {
            #expect(try client.exchange(Records.request(keep: true)).status == 200)
            client.close()
        }
        #expect(server.hasEnded(within: 20))
        #expect(server.worker.statistics.connections == 0)
    }

    /// Nobody else would ever serve them; that the first is of no use must not end it for the others.
    @Test func `connections still queued at a listener of its own are served`() throws {
        let server = try Server()
        let (entered, door) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        // Nothing is accepted meanwhile.
        server.loop.task {
            entered.signal()
            door.block()
        }
        entered.wait()
        let broken = try server.connect()
        try broken.send([UInt8](repeating: 0, count: 64))
        let clients = try (0..<20).map { _ in try server.connect() }
        for client in clients { try client.send(Records.request()) }
        server.worker.stop()
        door.signal()
        for client in clients { #expect(try client.answer().status == 200) }
        #expect(broken.isClosedByServer())
        #expect(server.hasEnded(within: 20))
        #expect(server.worker.statistics.requests == clients.count)
    }

    @Test func `it waits for what was queued`() throws {
        let gate = Gate()
        let server = try Server { _ in
            await gate.pass()
            return Response(status: 200)
        }
        let (entered, door) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        // Nothing is accepted meanwhile.
        server.loop.task {
            entered.signal()
            door.block()
        }
        entered.wait()
        let broken = try server.connect()
        try broken.send([UInt8](repeating: 0, count: 64))
        let client = try server.connect()
        try client.send(Records.request())
        server.worker.stop()
        door.signal()
        #expect(eventually { gate.waitingCount == 1 })
        #expect(!server.hasEnded(within: 0.2))
        gate.open()
        #expect(try client.answer().status == 200)
        #expect(server.hasEnded(within: 20))
    }

    @Test func `the drain timeout ends what peers do not`() throws {
        let gate = Gate()
        let configuration = Server.configuration {
            $0.drainTimeout = .milliseconds(300)
            $0.readTimeout = .seconds(300)
        }
        let server = try Server(configuration: configuration) { request in
            if request["WAIT"] != nil { await gate.pass() }
            return Response(status: 200)
        }
        let idle = try server.connect()
        #expect(try idle.exchange(Records.request(keep: true)).status == 200)
        let half = try server.connect()
        try half.send(Array(Records.request(body: [1, 2, 3]).dropLast(11)))
        let slow = try server.connect()
        try slow.send(Records.request([("WAIT", "1")], keep: true))
        #expect(
            eventually { server.worker.statistics.connections == 3 && gate.waitingCount == 1 })
        server.worker.stop()
        #expect(half.isClosedByServer())
        #expect(!server.hasEnded(within: 0.3))
        gate.open()
        #expect(try slow.answer().status == 200)
        #expect(server.hasEnded(within: 20))
        #expect(idle.isClosedByServer())
    }

    /// New connections all the time; one of two workers on the listener goes.
    @Test func `of two workers on one listener one stops, and nobody notices`() throws {
        let path = Server.freshPath()
        let listener = try Listener(path: path)
        let servers = try (0..<2).map { _ in
            try Server(listener: Listener(inherited: dup(listener.descriptor)), path: path)
        }
        let failures = Atomic(0)
        let answers = Atomic(0)
        let isOver = Atomic(false)
        let threads = DispatchGroup()
        for number in 0..<4 {
            threads.enter()
            Thread.detachNewThread {
                var kept: Client?
                while !isOver.load(ordering: .relaxed) {
                    do {
                        let client = try kept ?? Client(path: path)
                        kept = number % 2 == 0 ? client : nil
                        _ = try client.exchange(Records.request(keep: kept != nil))
                        // As nginx's keepalive_time does, so that the worker can end.
                        if Int.random(in: 0..<50) == 0 { kept = nil }
                        answers.add(1, ordering: .relaxed)
                    } catch {
                        failures.add(1, ordering: .relaxed)
                        kept = nil
                    }
                }
                threads.leave()
            }
        }
        #expect(eventually { servers.allSatisfy { $0.worker.statistics.requests > 20 } })
        servers[0].worker.stop()
        #expect(servers[0].hasEnded(within: 20))
        let soFar = answers.load(ordering: .relaxed)
        #expect(eventually { answers.load(ordering: .relaxed) > soFar + 50 })
        isOver.store(true, ordering: .relaxed)
        threads.wait()
        #expect(failures.load(ordering: .relaxed) == 0)
    }
}
