import Dispatch
import Foundation
import Synchronization
import Testing

@testable import Cryptography

@Suite("Hashing under a flood")
struct FloodTests {
    @Test("Who is preferred goes before those that wait already, and finds room in a full queue")
    func preferred() throws {
        let gate = Gate(width: 1, queue: 2, patience: .seconds(30))
        let order = Order()
        let release = DispatchSemaphore(value: 0)
        let group = DispatchGroup()
        func enter(_ name: String, isPreferred: Bool) {
            group.enter()
            Thread.detachNewThread {
                try? gate.enter(isPreferred: isPreferred) {
                    if name == "first" { release.wait() }
                    order.append(name)
                }
                group.leave()
            }
        }
        enter("first", isPreferred: false)
        while gate.statistics.running == 0 { usleep(1000) }
        enter("stranger", isPreferred: false)
        enter("stranger", isPreferred: false)
        while gate.statistics.waiting < 2 { usleep(1000) }
        #expect(throws: CryptographyError.hashingQueueFull) { try gate.enter {} }
        enter("known", isPreferred: true)
        while gate.statistics.waiting < 3 { usleep(1000) }
        release.signal()
        group.wait()
        #expect(order.names == ["first", "known", "stranger", "stranger"])
    }

    @Test("First come, first served")
    func order() throws {
        let gate = Gate(width: 1, queue: 20, patience: .seconds(30))
        let order = Order()
        let release = DispatchSemaphore(value: 0)
        let group = DispatchGroup()
        for number in 0...20 {
            group.enter()
            Thread.detachNewThread {
                try? gate.enter {
                    if number == 0 { release.wait() }
                    order.append("\(number)")
                }
                group.leave()
            }
            while gate.statistics.running + gate.statistics.waiting <= number { usleep(200) }
        }
        release.signal()
        group.wait()
        #expect(order.names == (0...20).map { "\($0)" })
    }

    @Test("Two that leave together are followed by two")
    func bothPlaces() throws {
        for _ in 0..<50 {
            let gate = Gate(width: 2, queue: 2, patience: .seconds(30))
            let leaving = DispatchSemaphore(value: 0)
            let group = DispatchGroup()
            for number in 0..<4 {
                group.enter()
                Thread.detachNewThread {
                    try? gate.enter { leaving.wait() }
                    group.leave()
                }
                while gate.statistics.running + gate.statistics.waiting <= number { usleep(200) }
            }
            leaving.signal()
            leaving.signal()
            let end = ContinuousClock.now + .seconds(10)
            while gate.statistics.admitted < 4, ContinuousClock.now < end { usleep(200) }
            #expect(gate.statistics.admitted == 4)
            leaving.signal()
            leaving.signal()
            group.wait()
        }
    }

    @Test("Who would wait longer than anybody has patience for is told at once, not at the end")
    func inVain() throws {
        let gate = Gate(width: 1, queue: 16, patience: .seconds(2))
        try gate.enter { _ = usleep(400_000) }
        #expect(!gate.isFull)
        let refusals = Mutex<[Duration]>([])
        let group = DispatchGroup()
        for _ in 0..<16 {
            group.enter()
            Thread.detachNewThread {
                let began = ContinuousClock.now
                do { try gate.enter { _ = usleep(400_000) } } catch {
                    refusals.withLock { $0.append(ContinuousClock.now - began) }
                }
                group.leave()
            }
        }
        while gate.statistics.turnedAway == 0 { usleep(200) }
        #expect(gate.isFull)
        group.wait()
        // 0.4 s each: four in 1.6 s, at most; one that is inside and one that waits, at least.
        let refused = refusals.withLock { $0 }
        #expect((12...14).contains(refused.count), "\(refused)")
        #expect(refused.allSatisfy { $0 < .milliseconds(350) }, "\(refused)")
    }

    @Test("The decoy is of the form of a stored hash, matches nothing, and takes bcrypt's own work")
    func decoy() throws {
        let decoy = try Bcrypt.unmatchable(cost: 10)
        #expect(decoy.utf8.count == 60)
        #expect(Bcrypt.cost(of: decoy) == 10)
        let computed = try Bcrypt.crypt(Array("password".utf8), setting: decoy)
        #expect(computed.hasPrefix(decoy.prefix(29)))
        #expect(computed != decoy)
        #expect(try Bcrypt.unmatchable(cost: 10) != decoy)
    }

    /// What ran, in its order.
    private final class Order: @unchecked Sendable {
        // `@unchecked`: read and written under the lock alone.
        private let lock = NSLock()
        private var collected: [String] = []
        var names: [String] { lock.withLock { collected } }
        func append(_ name: String) { lock.withLock { collected.append(name) } }
    }
}
