import Glibc
import Synchronization

/// The moment until which one thread waits for its peer.
///
/// The thread sits in a blocking read or write, of libfcgi mostly, which knows no time. `SO_RCVTIMEO`
/// would only limit each read, so a peer sending a byte a second could hold the thread for days,
/// and it makes a stopped and continued process see `EINTR`. Instead the worker's `run()` shuts
/// the socket down when the time is over, and the call returns. Only under this lock, so never
/// when the connection is closed already and its number perhaps another's.
final class Deadline: Sendable {
    private struct State {
        var expires = UInt64.max
        var descriptor: CInt = -1
        var isReading = false
        var isOver = false
    }

    private let state = Mutex(State())

    func begin(_ connection: Connection, isReading: Bool, nanoseconds: UInt64) {
        let expires = monotonicNanoseconds() + nanoseconds
        state.withLock {
            $0 = State(
                expires: expires, descriptor: connection.descriptor, isReading: isReading,
                isOver: false)
        }
    }

    /// Returns whether it was in time. From here on the connection may be closed.
    func end() -> Bool {
        state.withLock {
            let wasInTime = !$0.isOver
            $0 = State()
            return wasInTime
        }
    }

    /// Shuts the connection down if its time is over, or if it is still reading and `endsReading`.
    /// Returns when to look again.
    func enforce(now: UInt64, endsReading: Bool) -> UInt64 {
        state.withLock {
            if now >= $0.expires || (endsReading && $0.isReading) {
                shutdown($0.descriptor, CInt(SHUT_RDWR))
                $0.isOver = true
                $0.isReading = false
                $0.expires = .max
            }
            return $0.expires
        }
    }
}
