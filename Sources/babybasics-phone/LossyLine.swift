import BabyBasicsClient
import Synchronization

/// Random numbers that a seed repeats: SplitMix64.
struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
        bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
        return bits ^ (bits >> 31)
    }
}

/// A line that loses requests on the way there and answers on the way back, as a seed says.
final class LossyLine: Sendable {
    private let state: Mutex<State>
    private let inner: Transport

    private struct State {
        var random: Seeded
        var loss = 0.0
        var isCut = false
        var lost = (requests: 0, answers: 0)
    }

    init(over inner: Transport, seed: UInt64) {
        self.inner = inner
        state = Mutex(State(random: Seeded(seed: seed)))
    }

    /// How likely each of the two ways loses something, 0 to 1.
    func setLoss(_ loss: Double) { state.withLock { $0.loss = loss } }

    /// Whether nothing gets through at all.
    func setCut(_ isCut: Bool) { state.withLock { $0.isCut = isCut } }

    var isCut: Bool { state.withLock { $0.isCut } }

    var lost: (requests: Int, answers: Int) { state.withLock { $0.lost } }

    var transport: Transport {
        Transport { [self] request, timeout in
            try lose(\.requests)
            let answer = try await inner.perform(request, timeout)
            try lose(\.answers)
            return answer
        }
    }

    private func lose(_ way: WritableKeyPath<(requests: Int, answers: Int), Int>) throws {
        try state.withLock { state in
            guard !state.isCut else { throw TransportFailure(.cannotConnect, "The line is cut") }
            guard Double.random(in: 0..<1, using: &state.random) < state.loss else { return }
            state.lost[keyPath: way] += 1
            throw TransportFailure(.connectionLost, "Lost on the way")
        }
    }
}
