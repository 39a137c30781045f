import Glibc
import Synchronization

/// Which of the workers that share a listener take connections at once; the others stand by.
///
/// A worker that has the work of two sleeps less often and finds more to do whenever it wakes up: on two processors it takes a tenth to a
/// fifth less of them for the same requests. One that stands by takes what nobody has taken for a moment, and the place of one that has ended.
public final class Precedence: Sendable {
    /// How long connections are left to those that go first, in nanoseconds.
    static let patience: UInt64 = 100_000_000
    /// How long no more are left to them after they have left one lying, in nanoseconds.
    static let help: UInt64 = 1_000_000_000

    private struct State {
        /// Holds the kernel's lock; negative if there is none.
        var place: CInt = -1
        var hasLeft = false
        var helpsUntil: UInt64 = 0
    }

    private let paths: [String]
    private let state = Mutex(State())

    /// - Parameters:
    ///   - directory: of all these workers, where a file is made for each place: who holds the kernel's lock on it has it, and whoever dies
    ///     has left. Where they cannot be made, everyone goes first.
    ///   - count: workers that go first, at least 1.
    public init(directory: String, count: Int = Precedence.halfTheProcessors) {
        paths = (0..<max(1, count)).map { "\(directory)/accepting.\($0)" }
    }

    deinit { leave() }

    /// One worker keeps two processors busy, together with nginx and PostgreSQL.
    public static var halfTheProcessors: Int { max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN)) / 2) }

    /// Takes a place if there is one. Who helps goes first for a while, too.
    func goesFirst() -> Bool {
        state.withLock { state in
            if state.place >= 0 || monotonicNanoseconds() < state.helpsUntil { return true }
            if state.hasLeft { return false }
            for path in paths {
                let place = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
                if place < 0 { return true }
                if flock(place, LOCK_EX | LOCK_NB) == 0 {
                    state.place = place
                    return true
                }
                close(place)
            }
            return false
        }
    }

    /// Those that go first are at their limit, or stand still.
    func foundLeftover() {
        state.withLock { $0.helpsUntil = monotonicNanoseconds() + Self.help }
    }

    /// Leaves the place to another, for good.
    func leave() {
        state.withLock { state in
            state.hasLeft = true
            if state.place >= 0 { close(state.place) }
            state.place = -1
        }
    }
}
