import Synchronization

/// Events that wait, of each sort in the order in which they came: at most one for each descriptor.
final class Backlog: Sendable {
    private struct State {
        /// For what is in hand already.
        var urgent: [Poller.Event] = []
        /// For one request more.
        var fresh: [Poller.Event] = []
    }

    private let state = Mutex(State())

    var hasFresh: Bool { state.withLock { !$0.fresh.isEmpty } }

    func append(_ event: Poller.Event) {
        state.withLock {
            if event.isForOneMore { $0.fresh.append(event) } else { $0.urgent.append(event) }
        }
    }

    /// - Parameter hasRoom: whether another request may be in hand.
    func next(hasRoom: Bool) -> Poller.Event? {
        state.withLock {
            if !$0.urgent.isEmpty { return $0.urgent.removeFirst() }
            return hasRoom && !$0.fresh.isEmpty ? $0.fresh.removeFirst() : nil
        }
    }
}
