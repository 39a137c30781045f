import Synchronization

/// The counts behind `WorkerStatistics`.
final class WorkerCounters: Sendable {
    let requests = Atomic(0)
    let refused = Atomic(0)
    let broken = Atomic(0)
    let timedOut = Atomic(0)
    let descriptorShortages = Atomic(0)

    func snapshot(connections: Int) -> WorkerStatistics {
        var statistics = WorkerStatistics()
        statistics.requests = requests.load(ordering: .relaxed)
        statistics.refused = refused.load(ordering: .relaxed)
        statistics.broken = broken.load(ordering: .relaxed)
        statistics.timedOut = timedOut.load(ordering: .relaxed)
        statistics.descriptorShortages = descriptorShortages.load(ordering: .relaxed)
        statistics.connections = connections
        return statistics
    }
}

extension Atomic where Value == Int {
    @discardableResult
    func increment() -> Int { wrappingAdd(1, ordering: .relaxed).newValue }

    func decrement() { wrappingSubtract(1, ordering: .relaxed) }
}
