import FastCGI
import Synchronization
import Testing

/// Of many threads, only so many take requests at a time.
struct ConcurrencyTests {
    @Test func `requests that run on do not meet`() throws {
        let running = Mutex((now: 0, most: 0))
        let configuration = Server.configuration(threads: 8) { $0.concurrency = 2 }
        let server = try Server(configuration: configuration) { _ in
            running.withLock {
                $0.now += 1
                $0.most = max($0.most, $0.now)
            }
            defer { running.withLock { $0.now -= 1 } }
            return Response(status: 200)
        }
        let clients = try (0..<16).map { _ in try server.connect() }
        for _ in 0..<50 {
            for client in clients { try client.send(Records.request(keep: true)) }
            for client in clients { #expect(try client.answer().status == 200) }
        }
        #expect(eventually { server.worker.statistics.requestsInHand == 0 })
        // A machine that does other things may have kept a thread from its processor for so long that it looked stuck.
        #expect(running.withLock { $0.most } < 8)
    }

    @Test func `who was stuck goes back to sleep, again and again`() throws {
        let configuration = Server.configuration(threads: 6) { $0.concurrency = 2 }
        let gates = Mutex([Gate()])
        let server = try Server(configuration: configuration) { _ in
            gates.withLock { $0[$0.count - 1] }.wait()
            return Response(status: 200)
        }
        let clients = try (0..<6).map { _ in try server.connect() }
        for _ in 0..<5 {
            let gate = gates.withLock { $0[$0.count - 1] }
            for client in clients { try client.send(Records.request(keep: true)) }
            #expect(eventually { gate.waitingCount == 6 })
            #expect(eventually { server.worker.statistics.admittedRequests == 6 })
            gates.withLock { $0.append(Gate()) }
            gate.open()
            for client in clients { #expect(try client.answer().status == 200) }
            #expect(eventually { server.worker.statistics.admittedRequests == 2 })
        }
    }
}
