import CFastCGI
import Glibc

/// A descriptor that is readable once the flag is raised.
final class EventFlag: Sendable {
    let descriptor: CInt

    init() throws(FastCGIError) {
        let flags = CInt(EFD_CLOEXEC | EFD_NONBLOCK)
        descriptor = try systemCall("eventfd") { eventfd(0, flags) }
    }

    deinit { close(descriptor) }

    func raise() { _ = eventfd_write(descriptor, 1) }

    /// Waits until the flag is raised or the time is over, and lowers it.
    func wait(nanoseconds: UInt64) {
        // Rounded up: woken a moment early, the caller would only wait again.
        let milliseconds = CInt(clamping: (nanoseconds + 999_999) / 1_000_000)
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&entry, 1, milliseconds) == 1 else { return }
        lower()
    }

    func lower() {
        var value: eventfd_t = 0
        _ = unsafe eventfd_read(descriptor, &value)
    }
}
