import Synchronization

/// The requests of a worker that await something without a thread.
final class Suspensions: Sendable {
    private struct State {
        var last: UInt64 = 0
        var waiting: [UInt64: Suspension] = [:]
    }

    private let state = Mutex(State())

    /// Returns a number that no other has had.
    func insert(_ suspension: Suspension) -> UInt64 {
        state.withLock {
            $0.last += 1
            $0.waiting[$0.last] = suspension
            return $0.last
        }
    }

    /// Nil where somebody else was quicker.
    func remove(_ number: UInt64) -> Suspension? {
        state.withLock { $0.waiting.removeValue(forKey: number) }
    }

    /// One that began to wait before this moment, and whether there are more.
    func removeOne(before moment: UInt64) -> (suspension: Suspension, hasMore: Bool)? {
        state.withLock { state in
            let overdue = state.waiting.filter { $0.value.since < moment }
            guard let number = overdue.keys.min(),
                let suspension = state.waiting.removeValue(forKey: number)
            else { return nil }
            return (suspension, overdue.count > 1)
        }
    }

    func hasAny(before moment: UInt64) -> Bool {
        state.withLock { $0.waiting.contains { $0.value.since < moment } }
    }
}

/// Libfcgi's requests that nobody uses at present, to be used again.
final class SpareExchanges: Sendable {
    /// Unchecked because an exchange is for one thread at a time: who appends it gives it up, and the list hands it to one.
    private struct Spare: @unchecked Sendable { let exchange: Exchange }
    private let spare = Mutex<[Spare]>([])

    func next() -> Exchange { spare.withLock { $0.popLast() }?.exchange ?? Exchange() }

    func append(_ exchange: Exchange) {
        spare.withLock { $0.append(Spare(exchange: exchange)) }
    }
}
