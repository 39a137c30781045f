import Synchronization

/// The requests of a worker that await something without a thread.
final class Suspensions: Sendable {
    private struct Line {
        let descriptor: CInt
        /// First come first, never empty.
        var waiting: [Suspension]
    }

    private struct State {
        var last: UInt64 = 0
        /// Those that await a descriptor of their own.
        var alone: [UInt64: Suspension] = [:]
        /// Those that await one together. Few lines: looking at each is quicker than hashing.
        var lines: [Line] = []

        func line(of descriptor: CInt) -> Int? {
            lines.firstIndex { $0.descriptor == descriptor }
        }

        mutating func remove(_ place: Int, from line: Int) {
            lines[line].waiting.remove(at: place)
            if lines[line].waiting.isEmpty { lines.remove(at: line) }
        }
    }

    private let state = Mutex(State())

    var lineCount: Int { state.withLock(\.lines.count) }

    /// Returns a number that no other has had.
    func insert(_ suspension: Suspension) -> UInt64 {
        state.withLock {
            $0.last += 1
            $0.alone[$0.last] = suspension
            return $0.last
        }
    }

    /// Nil where somebody else was quicker.
    func remove(_ number: UInt64) -> Suspension? {
        state.withLock { $0.alone.removeValue(forKey: number) }
    }

    /// Returns whether the caller has to await the descriptor: there was nobody in its line.
    func insertIntoLine(_ suspension: Suspension) -> Bool {
        state.withLock { state in
            guard let line = state.line(of: suspension.descriptor) else {
                state.lines.append(
                    Line(descriptor: suspension.descriptor, waiting: [suspension]))
                return true
            }
            state.lines[line].waiting.append(suspension)
            return false
        }
    }

    func first(inLine descriptor: CInt) -> Suspension? {
        state.withLock { state in
            state.line(of: descriptor).flatMap { state.lines[$0].waiting.first }
        }
    }

    /// Returns whether it was the first of its line still.
    func leaveLine(_ suspension: Suspension) -> Bool {
        state.withLock { state in
            guard let line = state.line(of: suspension.descriptor),
                state.lines[line].waiting.first === suspension
            else { return false }
            state.remove(0, from: line)
            return true
        }
    }

    /// One that began to wait before this moment, and whether there are more.
    func removeOne(before moment: UInt64) -> (suspension: Suspension, hasMore: Bool)? {
        state.withLock { state in
            let overdue = (Array(state.alone.values) + state.lines.flatMap(\.waiting))
                .filter { $0.since < moment }
            guard let oldest = overdue.min(by: { $0.since < $1.since }) else { return nil }
            if let line = state.line(of: oldest.descriptor),
                let place = state.lines[line].waiting.firstIndex(where: { $0 === oldest })
            {
                state.remove(place, from: line)
            }
            state.alone = state.alone.filter { $0.value !== oldest }
            return (oldest, overdue.count > 1)
        }
    }

    func hasAny(before moment: UInt64) -> Bool {
        state.withLock { state in
            state.alone.values.contains { $0.since < moment }
                || state.lines.contains { $0.waiting.contains { $0.since < moment } }
        }
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
