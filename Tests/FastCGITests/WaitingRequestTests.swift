import EventLoop
import FastCGI
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

/// A request may wait without a task, and goes on when what it waits for has come.
struct WaitingRequestTests {
    /// Answers the number that it is given at last.
    private final class Waiting: WaitingRequest, @unchecked Sendable {
        // Unchecked because the server's loop alone uses it.
        private var action: (() -> Void)?
        private var number: Int?

        func whenReady(_ action: @escaping () -> Void) {
            if number != nil { action() } else { self.action = action }
        }

        func tell(_ number: Int) {
            self.number = number
            action.take()?()
        }

        func resume() async -> HandlerResult {
            // Zero is nothing to answer with: it waits again.
            guard let number, number > 0 else {
                self.number = nil
                return .waiting(self)
            }
            return .response(Response(status: 200, body: Array("\(number)".utf8)))
        }
    }

    private static func server(_ requests: [Waiting]) throws -> Server {
        try Server(waiting: { request in
            guard let number = request["NUMBER"].flatMap({ Int($0) }) else {
                return .response(Response(status: 200, body: request.body))
            }
            return .waiting(requests[number])
        })
    }

    @Test func `each goes on when its own time has come and holds up nobody until then`() throws {
        let requests = (0..<16).map { _ in Waiting() }
        let server = try Self.server(requests)
        let clients = try requests.indices.map { number in
            let client = try server.connect()
            try client.send(Records.request([("NUMBER", "\(number)")], keep: true))
            return client
        }
        #expect(eventually { server.worker.statistics.requestsInFlight == requests.count })
        #expect(try server.exchange(Records.request(body: [7])).body == [7])
        for number in requests.indices.shuffled() {
            server.loop.sync { requests[number].tell(number + 1) }
            #expect(try clients[number].answer().text == "\(number + 1)")
        }
        #expect(server.worker.statistics.requestsInFlight == 0)
        // The connection is as good as new.
        #expect(try clients[0].exchange(Records.request(body: [8], keep: true)).body == [8])
    }

    @Test func `one that is woken for nothing waits again`() throws {
        let request = Waiting()
        let server = try Self.server([request])
        let client = try server.connect()
        try client.send(Records.request([("NUMBER", "0")], keep: true))
        #expect(eventually { server.worker.statistics.requestsInFlight == 1 })
        for _ in 0..<3 { server.loop.sync { request.tell(0) } }
        #expect(server.worker.statistics.requestsInFlight == 1)
        server.loop.sync { request.tell(5) }
        #expect(try client.answer().text == "5")
    }

    @Test func `one whose time has come already is answered at once`() throws {
        let request = Waiting()
        let server = try Self.server([request])
        server.loop.sync { request.tell(3) }
        #expect(try server.exchange(Records.request([("NUMBER", "0")])).text == "3")
    }

    @Test func `a worker that stops waits for it`() throws {
        let request = Waiting()
        let server = try Self.server([request])
        let client = try server.connect()
        try client.send(Records.request([("NUMBER", "0")]))
        #expect(eventually { server.worker.statistics.requestsInFlight == 1 })
        server.worker.stop()
        #expect(!server.hasEnded(within: 0.2))
        server.loop.sync { request.tell(1) }
        #expect(try client.answer().text == "1")
        #expect(server.hasEnded(within: 20))
    }

    /// In a process of its own: what others allocate meanwhile is not counted.
    @Test func `it keeps nothing of the task that began it`() async {
        await #expect(processExitsWith: .success) {
            let requests = (0..<400).map { _ in Waiting() }
            let server = try Server(waiting: { request in
                let number = Int(request["NUMBER"] ?? "") ?? 0
                return await deep(100, .waiting(requests[number]))
            })
            let clients = try requests.map { _ in try server.connect() }
            let before = try residentBytes()
            for (number, client) in clients.enumerated() {
                try client.send(Records.request([("NUMBER", "\(number)")], keep: true))
            }
            precondition(eventually { server.worker.statistics.requestsInFlight == requests.count })
            server.loop.sync {}
            let each = (try residentBytes() - before) / requests.count
            precondition(each < 8000, "\(each) bytes each")
            server.loop.sync { for request in requests { request.tell(1) } }
            for client in clients { _ = try client.answer() }
        }
    }
}

private func residentBytes() throws -> Int {
    let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")[1]
    return (Int(pages) ?? 0) * Int(getpagesize())
}

/// Needs many kilobytes of its task.
@inline(never)
private func deep(_ depth: Int, _ result: HandlerResult) async -> HandlerResult {
    var numbers: InlineArray<32, Int> = .init(repeating: depth)
    if depth > 0 {
        let result = await deep(depth - 1, result)
        numbers[depth % 32] &+= 1
        withExtendedLifetime(numbers) {}
        return result
    }
    return result
}
