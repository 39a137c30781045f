import Synchronization

/// The requests of a worker that await something without a thread.
final class Suspensions: Sendable {
    private struct State {
        var last: UInt64 = 0
        var waiting: [UInt64: Suspension] = [:]
        /// By descriptor those that await it together, first come first.
        var lines: [CInt: [UInt64]] = [:]
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

    /// Returns whether the caller has to await the descriptor: there was nobody in its line.
    func insertIntoLine(_ suspension: Suspension) -> Bool {
        state.withLock { state in
            state.last += 1
            state.waiting[state.last] = suspension
            state.lines[suspension.descriptor, default: []].append(state.last)
            return state.lines[suspension.descriptor]?.count == 1
        }
    }

    func first(inLine descriptor: CInt) -> (number: UInt64, suspension: Suspension)? {
        state.withLock { state in
            guard let number = state.lines[descriptor]?.first,
                let suspension = state.waiting[number]
            else { return nil }
            return (number, suspension)
        }
    }

    /// Returns whether it was the first of its line still.
    func leaveLine(_ descriptor: CInt, _ number: UInt64) -> Bool {
        state.withLock { state in
            guard state.lines[descriptor]?.first == number else { return false }
            state.lines[descriptor]?.removeFirst()
            return true
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
            state.lines[suspension.descriptor]?.removeAll { $0 == number }
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
