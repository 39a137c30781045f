import Foundation
import Glibc
import Synchronization
import Testing

@testable import FastCGI

/// Requests that await one descriptor together.
struct LineTests {
    /// Answers that come one after the other, as those of a database session do: whoever looks takes in all that has come.
    private final class Line: Sendable {
        private let pipe = Pipe()
        private let places = Atomic(0)
        private let came = Atomic(0)
        /// How often an answer was waited for by a thread that took nothing else meanwhile, and how often by none.
        let withThread = Atomic(0)
        let withoutThread = Atomic(0)
        /// Of the one who waits.
        private let lock = Mutex(())

        init() { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }

        var descriptor: CInt { pipe.fileHandleForReading.fileDescriptor }

        func happen(_ times: Int = 1) {
            pipe.fileHandleForWriting.write(Data(repeating: 1, count: times))
        }

        func awaitNext(_ request: Request) -> Answer {
            let place = places.add(1, ordering: .sequentiallyConsistent).oldValue
            func answer(_ turn: Turn) -> Response {
                if turn.isTaking {
                    self.withoutThread.add(1, ordering: .sequentiallyConsistent)
                } else {
                    self.withThread.add(1, ordering: .sequentiallyConsistent)
                }
                self.lock.withLock { _ in
                    while !self.hasCome(place) { usleep(500) }
                }
                return Response(status: 200, body: Array((request["NAME"] ?? "").utf8))
            }
            return .later(
                descriptor: descriptor, isHere: { self.isHere(place) }, then: answer)
        }

        private func isHere(_ place: Int) -> Bool {
            lock.withLockIfAvailable { _ in hasCome(place) } ?? false
        }

        private func hasCome(_ place: Int) -> Bool {
            var bytes = [UInt8](repeating: 0, count: 64)
            let count = unsafe read(descriptor, &bytes, 64)
            if count > 0 { came.add(count, ordering: .sequentiallyConsistent) }
            return came.load(ordering: .sequentiallyConsistent) > place
        }
    }

    /// Whoever has a NAME gets in line, anybody else is answered at once.
    private func server(
        _ line: Line, threads: Int = 4, concurrency: Int = 1, length: Int = 16
    ) throws -> Server {
        let configuration = Server.configuration(threads: threads) {
            $0.concurrency = concurrency
            $0.lineLength = length
        }
        return try Server(configuration: configuration) { request, _ in
            request["NAME"] == nil ? .ready(Response(status: 204)) : line.awaitNext(request)
        }
    }

    private func inHand(_ server: Server, _ count: Int) -> Bool {
        eventually {
            let statistics = server.worker.statistics
            return statistics.requestsInHand + statistics.requestsInLine == count
        }
    }

    private func send(_ client: Client, _ name: Int) throws {
        try client.send(Records.request([("NAME", "\(name)")], keep: true))
    }

    @Test func `they are answered as they came, and need no room of their own`() throws {
        let line = Line()
        let server = try server(line)
        let clients = try (0..<5).map { _ in try server.connect() }
        for round in 0..<20 {
            for (index, client) in clients.enumerated() {
                try send(client, index)
                #expect(inHand(server, index + 1))
            }
            #expect(try server.exchange(Records.request()).status == 204)
            var next = 0
            for count in [1 + round % 2, 1, 3 - round % 2] {
                line.happen(count)
                for _ in 0..<count {
                    #expect(try clients[next].answer().text == "\(next)")
                    next += 1
                }
                #expect(inHand(server, 5 - next))
            }
        }
        #expect(line.withoutThread.load(ordering: .sequentiallyConsistent) > 50)
    }

    @Test func `no more are read than the line may be long`() throws {
        let line = Line()
        let server = try server(line, length: 2)
        let clients = try (0..<3).map { _ in try server.connect() }
        for (index, client) in clients.enumerated() {
            try send(client, index)
            if index < 2 { #expect(inHand(server, index + 1)) }
        }
        usleep(5_000)
        let statistics = server.worker.statistics
        // Those that are overdue leave the line.
        if line.withThread.load(ordering: .sequentiallyConsistent) == 0 {
            #expect(statistics.requestsInLine == 2 && statistics.requestsInHand == 0)
        }
        #expect(statistics.lineLength == 2)
        line.happen(3)
        for index in 0..<3 { #expect(try clients[index].answer().text == "\(index)") }
        #expect(inHand(server, 0))
    }

    @Test func `who was given a thread leaves the line in order`() throws {
        let line = Line()
        let server = try server(line)
        let client = try server.connect()
        for _ in 0..<3 {
            line.withoutThread.store(0, ordering: .sequentiallyConsistent)
            line.withThread.store(0, ordering: .sequentiallyConsistent)
            try send(client, 7)
            #expect(eventually { line.withThread.load(ordering: .sequentiallyConsistent) == 1 })
            line.happen()
            #expect(try client.answer().text == "7")
            for _ in 0..<10 {
                try send(client, 8)
                line.happen()
                #expect(try client.answer().text == "8")
            }
            // A busy machine may take one of them for overdue.
            #expect(line.withoutThread.load(ordering: .sequentiallyConsistent) >= 7)
        }
    }

    @Test func `who came later need not wait until they are overdue, too`() throws {
        let line = Line()
        let server = try server(line)
        let clients = try (0..<3).map { _ in try server.connect() }
        var times: [Duration] = []
        for _ in 1...9 {
            line.withThread.store(0, ordering: .sequentiallyConsistent)
            try send(clients[0], 0)
            #expect(eventually { line.withThread.load(ordering: .sequentiallyConsistent) == 1 })
            for index in 1...2 { try send(clients[index], index) }
            #expect(inHand(server, 3))
            let start = ContinuousClock.now
            line.happen(3)
            for client in clients { #expect(try client.answer().status == 200) }
            times.append(.now - start)
        }
        #expect(times.sorted()[4] < .milliseconds(8))
    }

    /// What one has taken in nobody else is told of by the descriptor.
    @Test func `what came for others while one waited with a thread is handed out`() throws {
        let line = Line()
        let server = try server(line, threads: 1)
        let clients = try (0..<6).map { _ in try server.connect() }
        for (index, client) in clients.enumerated() {
            try send(client, index)
            #expect(inHand(server, index + 1))
        }
        #expect(eventually { line.withThread.load(ordering: .sequentiallyConsistent) == 2 })
        line.happen(6)
        for (index, client) in clients.enumerated() {
            #expect(try client.answer().text == "\(index)")
        }
        #expect(try server.exchange(Records.request()).status == 204)
        #expect(inHand(server, 0))
    }

    @Test func `a worker that stops answers them`() throws {
        let line = Line()
        let server = try server(line)
        let clients = try (0..<3).map { _ in try server.connect() }
        for (index, client) in clients.enumerated() {
            try send(client, index)
            #expect(inHand(server, index + 1))
        }
        server.worker.stop()
        #expect(!server.hasEnded(within: 0.2))
        line.happen(3)
        for (index, client) in clients.enumerated() {
            #expect(try client.answer().text == "\(index)")
            client.close()
        }
        #expect(server.hasEnded(within: 20))
    }

    @Test func `a peer that goes away meanwhile harms nobody`() throws {
        let line = Line()
        let server = try server(line)
        let gone = try server.connect()
        try send(gone, 0)
        #expect(inHand(server, 1))
        gone.close()
        let other = try server.connect()
        try send(other, 1)
        #expect(inHand(server, 2))
        line.happen(2)
        #expect(try other.answer().text == "1")
        #expect(inHand(server, 0))
        #expect(eventually { server.worker.statistics.connections == 1 })
    }

    @Test func `what cannot be waited for like that is waited for by a thread`() throws {
        let server = try Server(configuration: Server.configuration(threads: 1)) { _, _ in
            .later(descriptor: -1, isHere: { false }) { _ in Response(status: 202) }
        }
        for _ in 0..<3 { #expect(try server.exchange(Records.request()).status == 202) }
        #expect(inHand(server, 0))
    }

    @Test func `a line that its last has left is forgotten, others never`() throws {
        let suspensions = Suspensions()
        func suspension(_ descriptor: CInt) throws -> Suspension {
            try Library.initialize()
            return Suspension(
                connection: Connection(descriptor: -1), isNew: true, exchange: Exchange(),
                since: 0, descriptor: descriptor, isHere: { true },
                then: { _ in Response(status: 204) })
        }
        let patient = try suspension(5000)
        #expect(suspensions.insertIntoLine(patient))
        for descriptor: CInt in 0..<1000 {
            let first = try suspension(descriptor)
            let second = try suspension(descriptor)
            #expect(suspensions.insertIntoLine(first))
            #expect(!suspensions.insertIntoLine(second))
            #expect(!suspensions.leaveLine(second))
            #expect(suspensions.leaveLine(first))
            #expect(suspensions.first(inLine: descriptor) === second)
            #expect(suspensions.leaveLine(second))
            #expect(suspensions.first(inLine: descriptor) == nil)
            #expect(suspensions.lineCount == 1)
        }
        #expect(suspensions.first(inLine: 5000) === patient)
    }
}
