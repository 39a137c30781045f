import Synchronization

/// The counts behind `WorkerStatistics`.
final class WorkerCounters: Sendable {
    let requests = Atomic(0)
    let refused = Atomic(0)
    let broken = Atomic(0)
    let timedOut = Atomic(0)
    let descriptorShortages = Atomic(0)
    let busyThreads = Atomic(0)

    func snapshot(connections: Int) -> WorkerStatistics {
        WorkerStatistics(
            requests: requests.load(ordering: .relaxed),
            refused: refused.load(ordering: .relaxed),
            broken: broken.load(ordering: .relaxed),
            timedOut: timedOut.load(ordering: .relaxed),
            descriptorShortages: descriptorShortages.load(ordering: .relaxed),
            busyThreads: busyThreads.load(ordering: .relaxed),
            connections: connections)
    }
}

extension Atomic where Value == Int {
    func increment() { wrappingAdd(1, ordering: .relaxed) }

    func decrement() { wrappingSubtract(1, ordering: .relaxed) }
}
