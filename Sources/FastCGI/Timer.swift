import CFastCGI
import Glibc

/// A descriptor that is readable once a time is over.
final class Timer: Sendable {
    let descriptor: CInt

    init() throws(FastCGIError) {
        let flags = CInt(TFD_CLOEXEC | TFD_NONBLOCK)
        descriptor = try systemCall("timerfd_create") { timerfd_create(CLOCK_MONOTONIC, flags) }
    }

    deinit { close(descriptor) }

    /// Not readable from now on, for so long.
    func begin(nanoseconds: UInt64) {
        var time = itimerspec()
        time.it_value.tv_sec = Int(nanoseconds / 1_000_000_000)
        time.it_value.tv_nsec = Int(nanoseconds % 1_000_000_000)
        _ = unsafe timerfd_settime(descriptor, 0, &time, nil)
    }
}
