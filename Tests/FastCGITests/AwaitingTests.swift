import Foundation
import Glibc
import Synchronization
import Testing

@testable import FastCGI

/// Requests that await something hold no thread.
struct AwaitingTests {
    /// What a request awaits, for as long as the test likes.
    private final class Event: Sendable {
        private let pipe = Pipe()
        let resumptions = Atomic(0)

        var descriptor: CInt { pipe.fileHandleForReading.fileDescriptor }

        func happen() { pipe.fileHandleForWriting.write(Data([1])) }

        /// What comes of it. Waits for it.
        func answer(_ request: Request) -> Response {
            resumptions.add(1, ordering: .sequentiallyConsistent)
            var byte: UInt8 = 0
            while unsafe read(descriptor, &byte, 1) < 0, errno == EINTR {}
            return Response(status: 200, body: Array((request["EVENT"] ?? "").utf8))
        }
    }

    /// Awaits the event that a request names by its number; `now` is answered at once.
    private func server(
        _ events: [Event], threads: Int = 1, concurrency: Int? = nil,
        _ change: (inout WorkerConfiguration) -> Void = { _ in }
    ) throws -> Server {
        let configuration = Server.configuration(threads: threads) {
            $0.concurrency = concurrency
            change(&$0)
        }
        return try Server(configuration: configuration) { request, _ in
            guard let number = Int(request["EVENT"] ?? "") else {
                return .ready(Response(status: 204))
            }
            let event = events[number]
            return .later(descriptor: event.descriptor) { _ in event.answer(request) }
        }
    }

    private func ask(_ server: Server, _ number: Int) throws -> Client {
        let client = try server.connect()
        try client.send(Records.request([("EVENT", "\(number)")], keep: true))
        return client
    }

    @Test func `they are answered in the order of what they await, on kept connections`() throws {
        let events = (0..<4).map { _ in Event() }
        let server = try server(events, threads: 4)
        let clients = try (0..<4).map { try ask(server, $0) }
        for _ in 0..<20 {
            #expect(eventually { server.worker.statistics.requestsInHand == 4 })
            for number in [2, 0, 3, 1] {
                events[number].happen()
                #expect(try clients[number].answer().text == "\(number)")
            }
            #expect(eventually { server.worker.statistics.requestsInHand == 0 })
            for (number, client) in clients.enumerated() {
                try client.send(Records.request([("EVENT", "\(number)")], keep: true))
            }
        }
        for event in events { event.happen() }
        for client in clients { #expect(try client.answer().status == 200) }
    }

    @Test func `who awaits for long is given a thread, and the others go on`() throws {
        let events = (0..<3).map { _ in Event() }
        let server = try server(events, threads: 4, concurrency: 2)
        let clients = try (0..<3).map { try ask(server, $0) }
        for event in events {
            #expect(
                eventually { event.resumptions.load(ordering: .sequentiallyConsistent) == 1 })
        }
        #expect(try server.exchange(Records.request()).status == 204)
        for (client, event) in zip(clients, events) {
            event.happen()
            #expect(try client.answer().status == 200)
        }
        #expect(events.allSatisfy { $0.resumptions.load(ordering: .sequentiallyConsistent) == 1 })
        #expect(eventually { server.worker.statistics.admittedRequests == 2 })
    }

    /// As long as nobody looks stuck, that is for 20 ms.
    @Test func `they count among those in hand`() throws {
        let most = Atomic(0)
        let events = (0..<200).map { _ in Event() }
        let worker = Mutex<Worker?>(nil)
        let configuration = Server.configuration(threads: 8) { $0.concurrency = 2 }
        let server = try Server(configuration: configuration) { request, _ in
            let inHand = worker.withLock { $0?.statistics.requestsInHand ?? 0 }
            most.max(inHand, ordering: .relaxed)
            guard let number = Int(request["EVENT"] ?? "") else {
                return .ready(Response(status: 204))
            }
            events[number].happen()
            return .later(descriptor: events[number].descriptor) { _ in
                events[number].answer(request)
            }
        }
        worker.withLock { $0 = server.worker }
        let clients = try (0..<20).map { _ in try server.connect() }
        for round in 0..<10 {
            for (number, client) in clients.enumerated() {
                let event = ("EVENT", "\(round * 20 + number)")
                try client.send(Records.request([event], keep: true))
            }
            for client in clients { #expect(try client.answer().status == 200) }
        }
        #expect(most.load(ordering: .relaxed) >= 1)
        // A machine that does other things may have kept a thread from its processor for so long that it looked stuck.
        #expect(most.load(ordering: .relaxed) < 8)
        worker.withLock { $0 = nil }
    }

    @Test func `what is awaited again and again is awaited without a thread each time`() throws {
        let event = Event()
        let withoutThread = Atomic(0)
        let server = try Server(configuration: Server.configuration(threads: 2)) { request, _ in
            event.happen()
            return .later(descriptor: event.descriptor) { turn in
                // Whoever is given a thread has handed the turn over.
                if turn.isTaking { withoutThread.add(1, ordering: .relaxed) }
                return event.answer(request)
            }
        }
        let client = try server.connect()
        for _ in 0..<40 {
            #expect(try client.exchange(Records.request(keep: true)).status == 200)
        }
        #expect(withoutThread.load(ordering: .relaxed) > 30)
    }

    @Test func `who releases its turn is replaced at once`() throws {
        let gates = (0..<15).map { _ in Gate() }
        let server = try Server(configuration: Server.configuration(threads: 3)) { request, turn in
            guard let number = Int(request["GATE"] ?? "") else {
                return .ready(Response(status: 204))
            }
            turn.release()
            gates[number].wait()
            return .ready(Response(status: 200))
        }
        var times: [Duration] = []
        for (number, gate) in gates.enumerated() {
            let client = try server.connect()
            try client.send(Records.request([("GATE", "\(number)")]))
            #expect(eventually { gate.waitingCount == 1 })
            let other = try server.connect()
            let start = ContinuousClock.now
            let answer = try other.exchange(Records.request())
            times.append(.now - start)
            #expect(answer.status == 204)
            gate.open()
            #expect(try client.answer().status == 200)
        }
        // The median: who waited for the watch over stuck threads waited for up to 20 ms.
        #expect(times.sorted()[7] < .milliseconds(5))
    }

    /// Both have come when the thread asks what there is, and it takes the first.
    @Test func `who releases its turn leaves nobody behind`() throws {
        let doors = (0..<15).map { _ in [Gate(), Gate()] }
        let server = try Server(configuration: Server.configuration(threads: 3)) { request, turn in
            let way = (request["GATE"] ?? "").split(separator: " ").compactMap { Int($0) }
            guard way.count == 2 else { return .ready(Response(status: 204)) }
            if way[1] == 1 { turn.release() }
            doors[way[0]][way[1]].wait()
            return .ready(Response(status: 200))
        }
        var times: [Duration] = []
        let clients = try (0..<3).map { _ in try server.connect() }
        for client in clients {
            #expect(try client.exchange(Records.request(keep: true)).status == 204)
        }
        for (number, gates) in doors.enumerated() {
            try clients[0].send(Records.request([("GATE", "\(number) 0")], keep: true))
            #expect(eventually { gates[0].waitingCount == 1 })
            try clients[1].send(Records.request([("GATE", "\(number) 1")], keep: true))
            try clients[2].send(Records.request(keep: true))
            usleep(2_000)
            let start = ContinuousClock.now
            gates[0].open()
            #expect(try clients[2].answer().status == 204)
            times.append(.now - start)
            gates[1].open()
            for client in clients[..<2] { #expect(try client.answer().status == 200) }
        }
        // The median: who is left behind is found within 20 ms.
        #expect(times.sorted()[7] < .milliseconds(3))
    }

    @Test func `a worker that stops answers them`() throws {
        let event = Event()
        let server = try server([event])
        let client = try ask(server, 0)
        #expect(eventually { server.worker.statistics.requestsInHand == 1 })
        server.worker.stop()
        #expect(!server.hasEnded(within: 0.2))
        event.happen()
        #expect(try client.answer().text == "0")
        client.close()
        #expect(server.hasEnded(within: 20))
    }

    /// Before and after it has been given a thread.
    @Test(arguments: [1, 4], [1, 100])
    func `one whose time to drain is over, too`(threads: Int, milliseconds: Int) throws {
        let events = (0..<4).map { _ in Event() }
        let server = try server(events, threads: threads) {
            $0.drainTimeout = .milliseconds(milliseconds)
        }
        let clients = try (0..<threads).map { try ask(server, $0) }
        #expect(eventually { server.worker.statistics.requestsInHand == threads })
        server.worker.stop()
        #expect(!server.hasEnded(within: 0.5))
        for event in events { event.happen() }
        for client in clients { #expect(try client.answer().status == 200) }
        #expect(server.hasEnded(within: 20))
    }

    @Test func `a peer that goes away meanwhile harms nobody`() throws {
        let events = (0..<2).map { _ in Event() }
        let server = try server(events, threads: 2)
        let gone = try ask(server, 0)
        #expect(eventually { server.worker.statistics.requestsInHand == 1 })
        gone.close()
        let other = try ask(server, 1)
        for event in events { event.happen() }
        #expect(try other.answer().text == "1")
        #expect(eventually { server.worker.statistics.requestsInHand == 0 })
        #expect(eventually { server.worker.statistics.connections == 1 })
    }

    @Test func `what cannot be waited for like that is waited for by the thread`() throws {
        let server = try Server(configuration: Server.configuration(threads: 1)) { _, _ in
            .later(descriptor: -1) { _ in Response(status: 202) }
        }
        for _ in 0..<3 { #expect(try server.exchange(Records.request()).status == 202) }
        #expect(eventually { server.worker.statistics.requestsInHand == 0 })
    }

    @Test func `who releases its turn keeps nobody waiting, who does not for 20 ms`() throws {
        let gates = [Gate(), Gate()]
        let server = try Server(configuration: Server.configuration(threads: 3)) { request, turn in
            guard let number = Int(request["GATE"] ?? "") else {
                return .ready(Response(status: 204))
            }
            if number == 0 { turn.release() }
            gates[number].wait()
            turn.release()
            return .ready(Response(status: 200))
        }
        let clients = try (0..<2).map { number in
            let client = try server.connect()
            try client.send(Records.request([("GATE", "\(number)")]))
            #expect(eventually { gates[number].waitingCount == 1 })
            #expect(try server.exchange(Records.request()).status == 204)
            return client
        }
        for gate in gates { gate.open() }
        for client in clients { #expect(try client.answer().status == 200) }
        for _ in 0..<50 { #expect(try server.exchange(Records.request()).status == 204) }
    }
}
