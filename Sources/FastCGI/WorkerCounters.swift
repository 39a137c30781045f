import Synchronization

/// What a worker has done and does, at one moment.
public struct WorkerStatistics: Sendable, Equatable {
    /// Requests given to the handler.
    public var requests = 0
    /// Requests answered with 400 or 413 by the worker itself.
    public var refused = 0
    /// Connections closed because their peer spoke no FastCGI, went away or aborted.
    public var broken = 0
    /// Connections closed because their peer took longer than a timeout.
    public var timedOut = 0
    /// Times no descriptor was left for a connection.
    public var descriptorShortages = 0
    /// Requests given to the handler and not answered yet.
    public var requestsInFlight = 0
    /// Connections open, the idle ones included.
    public var connections = 0

    public init() {}
}

/// The counts behind `WorkerStatistics`.
final class WorkerCounters: Sendable {
    let requests = Atomic(0)
    let refused = Atomic(0)
    let broken = Atomic(0)
    let timedOut = Atomic(0)
    let descriptorShortages = Atomic(0)
    let inFlight = Atomic(0)
    let connections = Atomic(0)

    var snapshot: WorkerStatistics {
        var statistics = WorkerStatistics()
        statistics.requests = requests.load(ordering: .relaxed)
        statistics.refused = refused.load(ordering: .relaxed)
        statistics.broken = broken.load(ordering: .relaxed)
        statistics.timedOut = timedOut.load(ordering: .relaxed)
        statistics.descriptorShortages = descriptorShortages.load(ordering: .relaxed)
        statistics.requestsInFlight = inFlight.load(ordering: .relaxed)
        statistics.connections = connections.load(ordering: .relaxed)
        return statistics
    }
}

extension Atomic where Value == Int {
    func increment() { add(1, ordering: .relaxed) }
    func decrement() { subtract(1, ordering: .relaxed) }
}
