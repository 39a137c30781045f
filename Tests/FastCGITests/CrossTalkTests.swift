import FastCGI
import Foundation
import Synchronization
import Testing

@Suite struct CrossTalkTests {
    /// Every request is unique; each answer has to be the one to it.
    @Test func `thousands of requests from many clients, kept and closed`() throws {
        let server = try Server { request in
            let name = Array((request["NAME"] ?? "").utf8)
            return Response(
                status: 200, headers: [("X-Name", request["NAME"] ?? "")], body: name + request.body
            )
        }
        let wrong = Atomic(0)
        let clients = 8
        let rounds = 500
        let group = DispatchGroup()
        for client in 0..<clients {
            group.enter()
            Thread.detachNewThread {
                var kept: Client?
                for round in 0..<rounds {
                    let name = "\(client)-\(round)"
                    let size = Int.random(in: 0...1_000) * (round % 50 == 0 ? 100 : 1)
                    let body = (0..<size).map { UInt8(truncatingIfNeeded: $0 &+ client &* round) }
                    let keep = Bool.random()
                    let bytes = Records.request([("NAME", name)], body: body, keep: keep)
                    do {
                        let connection = try kept ?? server.connect()
                        let answer = try connection.exchange(bytes)
                        let isRight =
                            answer.headers.first == "X-Name: \(name)"
                            && answer.body == Array(name.utf8) + body
                        if !isRight { wrong.add(1, ordering: .relaxed) }
                        kept = keep ? connection : nil
                    } catch {
                        wrong.add(1, ordering: .relaxed)
                        kept = nil
                    }
                }
                group.leave()
            }
        }
        group.wait()
        #expect(wrong.load(ordering: .relaxed) == 0)
        #expect(server.worker.statistics.requests == clients * rounds)
        #expect(eventually { server.worker.statistics.connections == 0 })
        #expect(server.worker.statistics.broken == 0)
    }
}
