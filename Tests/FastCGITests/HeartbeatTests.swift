import FastCGI
import Foundation
import Glibc
import Synchronization
import Testing

/// The sign of life that a watchdog is fed with.
@Suite struct HeartbeatTests {
    private final class Beats: Sendable {
        let count = Atomic(0)

        var heartbeat: Heartbeat {
            Heartbeat(interval: .milliseconds(20)) {
                self.count.wrappingAdd(1, ordering: .relaxed)
            }
        }

        func goOn() -> Bool {
            let before = count.load(ordering: .relaxed)
            return eventually { count.load(ordering: .relaxed) > before + 3 }
        }
    }

    @Test func `an idle worker gives it again and again`() throws {
        let beats = Beats()
        let server = try Server(
            configuration: Server.configuration { $0.heartbeat = beats.heartbeat })
        #expect(beats.goOn())
        #expect(try server.exchange(Records.request()).status == 200)
        #expect(beats.goOn())
    }

    @Test func `it stays out while the loop is stuck, and comes back`() throws {
        let beats = Beats()
        let entered = DispatchSemaphore(value: 0)
        let door = DispatchSemaphore(value: 0)
        let server = try Server(configuration: Server.configuration { $0.heartbeat = beats.heartbeat }) { _ in
            entered.signal()
            door.block()
            return Response(status: 200)
        }
        let client = try server.connect()
        try client.send(Records.request(keep: false))
        entered.wait()
        let before = beats.count.load(ordering: .relaxed)
        usleep(300_000)
        #expect(beats.count.load(ordering: .relaxed) == before)
        door.signal()
        #expect(try client.answer().status == 200)
        #expect(beats.goOn())
    }

    @Test func `requests that wait do not keep it out`() throws {
        let beats = Beats()
        let gate = Gate()
        let server = try Server(configuration: Server.configuration { $0.heartbeat = beats.heartbeat }) { _ in
            await gate.pass()
            return Response(status: 200)
        }
        let clients = try (0..<20).map { _ in try server.connect() }
        for client in clients { try client.send(Records.request(keep: false)) }
        #expect(eventually { gate.waitingCount == 20 })
        #expect(beats.goOn())
        gate.open()
        for client in clients { #expect(try client.answer().status == 200) }
    }

    @Test func `a draining worker still gives it`() throws {
        let beats = Beats()
        let gate = Gate()
        let server = try Server(
            configuration: Server.configuration { $0.heartbeat = beats.heartbeat }
        ) { _ in
            await gate.pass()
            return Response(status: 200)
        }
        let client = try server.connect()
        try client.send(Records.request(keep: false))
        #expect(eventually { gate.waitingCount == 1 })
        server.worker.stop()
        #expect(beats.goOn())
        gate.open()
        #expect(try client.answer().status == 200)
        #expect(server.hasEnded(within: 20))
    }
}
