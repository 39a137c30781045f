import EventLoop

/// Sends what is due, one thing after another, whenever it is woken, and looks every 15 s whether something is.
///
/// The table is the truth: a wake-up that gets lost costs a few seconds.
final class Delivery: Sendable {
    enum Step: Equatable {
        /// One was dealt with; there may be others.
        case done
        /// There is nothing to send, or nobody who takes it.
        case idle
        /// The same, and the next is due after that time.
        case idleFor(Duration)
    }

    private struct State {
        var isClosed = false
        var isWoken = false
        var idle: SuspendedTask?
        /// Who waits for the end.
        var leaving: SuspendedTask?
        var isRunning = false
    }

    private static let look = Duration.seconds(15)

    private let state: LoopBound<State>

    init(on loop: EventLoop) { state = LoopBound(State(), on: loop) }

    private var loop: EventLoop { state.loop }

    var isClosed: Bool { state.value.isClosed }

    /// Takes step after step until `close`. On the loop.
    func run(_ step: () async -> Step) async {
        state.value.isRunning = true
        while !isClosed {
            state.value.isWoken = false
            switch await step() {
            case .done: break
            case .idle: await pause(Self.look)
            case .idleFor(let duration): await pause(min(duration, Self.look))
            }
        }
        state.value.isRunning = false
        state.value.leaving.take()?.resume()
    }

    /// There may be something to send.
    func wake() {
        state.value.isWoken = true
        state.value.idle.take()?.resume()
    }

    /// Ends what `run` began after the step under way, and waits for that some seconds. On the loop.
    func close() async {
        state.value.isClosed = true
        wake()
        guard state.value.isRunning else { return }
        let timer = loop.after(.seconds(10)) { [state] in state.value.leaving.take()?.resume() }
        await suspend { state.value.leaving = $0 }
        timer.cancel()
    }

    private func pause(_ duration: Duration) async {
        guard !state.value.isWoken else { return }
        let timer = loop.after(duration) { [unowned self] in wake() }
        await suspend { state.value.idle = $0 }
        timer.cancel()
    }
}
