import Synchronization

/// The connections of a worker, and how far it is on its way to the end.
///
/// A worker that was told to stop has finished when no connection is left, or when its time is
/// over: whoever causes that learns it from the result `true`, once.
final class WorkerState: Sendable {
    private struct State {
        var isStopping = false
        var isFinished = false
        var drainEnds = UInt64.max
        /// Threads between the listener's event and the end of their `accept4`.
        var accepting = 0
        var connections: Set<Connection> = []

        mutating func finishIfDrained() -> Bool {
            guard isStopping, !isFinished, accepting == 0, connections.isEmpty else { return false }
            isFinished = true
            return true
        }
    }

    private let state = Mutex(State())

    /// Whether this was the first call. The caller counts as accepting until `endAccepting()`.
    func beginStopping(drainEnds: UInt64) -> Bool {
        state.withLock {
            guard !$0.isStopping else { return false }
            $0.isStopping = true
            $0.drainEnds = drainEnds
            $0.accepting += 1
            return true
        }
    }

    /// False once the worker stops: then nothing may be accepted.
    func beginAccepting() -> Bool {
        state.withLock {
            guard !$0.isStopping else { return false }
            $0.accepting += 1
            return true
        }
    }

    func admit(_ connection: Connection) {
        state.withLock { _ = $0.connections.insert(connection) }
    }

    /// `isLast`: nobody will accept any more.
    func endAccepting() -> (isLast: Bool, hasFinished: Bool) {
        state.withLock {
            $0.accepting -= 1
            return ($0.isStopping && $0.accepting == 0, $0.finishIfDrained())
        }
    }

    /// To be called before its descriptors are closed: their numbers may come back at once.
    func remove(_ connection: Connection) -> Bool {
        state.withLock {
            $0.connections.remove(connection)
            return $0.finishIfDrained()
        }
    }

    /// When the drain ends by force, `UInt64.max` if there is none to end; and whether it has.
    func drain(now: UInt64) -> (ends: UInt64, hasEnded: Bool, hasFinished: Bool) {
        state.withLock {
            let hasEnded = now >= $0.drainEnds
            let hasFinished = hasEnded && !$0.isFinished
            if hasEnded { $0.isFinished = true }
            return (hasEnded ? .max : $0.drainEnds, hasEnded, hasFinished)
        }
    }

    /// What was left when the time was over.
    func removeAll() -> Set<Connection> {
        state.withLock {
            let connections = $0.connections
            $0.connections = []
            return connections
        }
    }

    var connectionCount: Int { state.withLock { $0.connections.count } }
}
