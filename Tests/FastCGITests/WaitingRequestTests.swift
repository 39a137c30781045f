import EventLoop
import FastCGI
import Foundation
import Synchronization
import TestSupport
import Testing

/// A handler may wait for as long as it likes.
struct WaitingRequestTests {
    /// Suspended handlers, by the number that their requests bring. Unchecked because the server's loop alone uses it.
    private final class Waiting: @unchecked Sendable {
        private var tasks: [Int: SuspendedTask] = [:]
        private(set) var cancelled = 0

        func wait(_ number: Int) async {
            await withTaskCancellationHandler {
                await suspend { tasks[number] = $0 }
            } onCancel: {
                cancelled += 1
                resume(number)
            }
        }

        func resume(_ number: Int) { tasks.removeValue(forKey: number)?.resume() }
    }

    private static func server(_ waiting: Waiting) throws -> Server {
        try Server(handler: { request in
            guard let number = request["NUMBER"].flatMap({ Int($0) }) else {
                return Response(status: 200, body: request.body)
            }
            await waiting.wait(number)
            return Response(status: 200, body: Array("\(number)".utf8))
        })
    }

    @Test func `each goes on when its own time has come and holds up nobody until then`() throws {
        let waiting = Waiting()
        let server = try Self.server(waiting)
        let clients = try (0..<16).map { number in
            let client = try server.connect()
            try client.send(Records.request([("NUMBER", "\(number)")], keep: true))
            return client
        }
        #expect(eventually { server.worker.statistics.requestsInFlight == clients.count })
        #expect(try server.exchange(Records.request(body: [7])).body == [7])
        for number in clients.indices.shuffled() {
            server.loop.sync { waiting.resume(number) }
            #expect(try clients[number].answer().text == "\(number)")
        }
        #expect(server.worker.statistics.requestsInFlight == 0)
        // The connection is as good as new.
        #expect(try clients[0].exchange(Records.request(body: [8], keep: true)).body == [8])
    }

    @Test(arguments: [false, true]) func `a peer that hangs up cancels its handler at once`(keep: Bool) throws {
        let waiting = Waiting()
        let server = try Self.server(waiting)
        var client: Client? = try server.connect()
        try client?.send(Records.request([("NUMBER", "1")], keep: keep))
        #expect(eventually { server.worker.statistics.requestsInFlight == 1 })
        client = nil
        #expect(eventually { server.worker.statistics.requestsInFlight == 0 })
        #expect(server.loop.sync { waiting.cancelled } == 1)
        #expect(eventually { server.worker.statistics.connections == 0 })
    }

    @Test func `a worker that stops waits for it`() throws {
        let waiting = Waiting()
        let server = try Self.server(waiting)
        let client = try server.connect()
        try client.send(Records.request([("NUMBER", "1")]))
        #expect(eventually { server.worker.statistics.requestsInFlight == 1 })
        server.worker.stop()
        #expect(!server.hasEnded(within: 0.2))
        server.loop.sync { waiting.resume(1) }
        #expect(try client.answer().text == "1")
        #expect(server.hasEnded(within: 20))
    }
}
