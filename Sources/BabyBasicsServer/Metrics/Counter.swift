import Synchronization

/// A number that any thread adds to and that only grows.
///
/// Relaxed is enough: nothing else is read by the order of these additions, and none is ever lost.
final class Counter: Sendable {
    private let number = Atomic<UInt64>(0)

    func add(_ amount: UInt64 = 1) { number.wrappingAdd(amount, ordering: .relaxed) }

    var value: UInt64 { number.load(ordering: .relaxed) }
}

/// How many requests took how long.
final class LatencyHistogram: Sendable {
    /// The upper ends of the buckets, in microseconds; what takes longer is counted beyond the last.
    static let bounds: [UInt64] = [
        500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000,
        2_500_000, 5_000_000, 10_000_000,
    ]

    /// One more than there are bounds. Each request is in one bucket alone: they are added up when somebody reads.
    private let buckets: InlineArray<15, Atomic<UInt64>> = .init { _ in Atomic(0) }
    private let sum = Counter()

    func record(nanoseconds: UInt64) {
        // Most requests are over within the first few bounds.
        var index = 0
        let microseconds = (nanoseconds + 999) / 1000
        while index < Self.bounds.count, microseconds > Self.bounds[index] { index += 1 }
        buckets[index].wrappingAdd(1, ordering: .relaxed)
        sum.add(nanoseconds)
    }

    /// What was counted so far, bucket by bucket, and the time of all together in nanoseconds.
    /// While requests go on, the sum may be ahead of the buckets or behind them by those of this moment.
    var snapshot: (buckets: [UInt64], nanoseconds: UInt64) {
        (buckets.indices.map { buckets[$0].load(ordering: .relaxed) }, sum.value)
    }
}
