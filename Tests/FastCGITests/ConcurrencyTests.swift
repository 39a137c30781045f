import FastCGI
import Synchronization
import Testing

/// Any number of requests are in flight at once.
struct ConcurrencyTests {
    @Test func `requests that wait hold up nobody`() throws {
        let gate = Gate()
        let server = try Server { request in
            if request["WAIT"] != nil { await gate.pass() }
            return Response(status: 200, body: request.body)
        }
        let waiting = try (0..<200).map { _ in try server.connect() }
        for (number, client) in waiting.enumerated() {
            try client.send(Records.request([("WAIT", "1")], body: Array("\(number)".utf8), keep: true))
        }
        #expect(eventually { gate.waitingCount == waiting.count })
        #expect(server.worker.statistics.requestsInFlight == waiting.count)
        #expect(try server.exchange(Records.request(body: [7])).body == [7])
        gate.open()
        for (number, client) in waiting.enumerated() {
            #expect(try client.answer().text == "\(number)")
        }
        #expect(server.worker.statistics.requestsInFlight == 0)
    }

    /// What comes first need not be answered first.
    @Test func `answers go to whom they belong, in whatever order they are made`() throws {
        let gates = (0..<16).map { _ in Gate() }
        let server = try Server { request in
            let number = Int(request["NUMBER"] ?? "") ?? 0
            await gates[number].pass()
            return Response(status: 200, body: Array("\(number)".utf8))
        }
        let clients = try (0..<16).map { _ in try server.connect() }
        for (number, client) in clients.enumerated() {
            try client.send(Records.request([("NUMBER", "\(number)")], keep: true))
        }
        for number in (0..<16).shuffled() {
            gates[number].open()
            #expect(try clients[number].answer().text == "\(number)")
        }
    }
}
