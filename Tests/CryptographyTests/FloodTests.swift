import Dispatch
import Foundation
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
