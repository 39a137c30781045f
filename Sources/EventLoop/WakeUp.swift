import CEpoll
import Glibc

/// The descriptor by which other threads wake a loop.
struct WakeUp: Sendable {
    /// Of its events; no watch has it, as their places are counted from 1.
    static let token: UInt64 = 0

    private let descriptor: CInt

    init() throws(SystemCallError) {
        descriptor = try systemCall("eventfd") {
            eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
        }
    }

    func join(_ epoll: CInt) throws(SystemCallError) {
        var event = unsafe epoll_event()
        unsafe event.events = EPOLLIN.rawValue
        unsafe event.data.u64 = Self.token
        _ = try systemCall("epoll_ctl") { unsafe epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) }
    }

    func signal() { _ = eventfd_write(descriptor, 1) }

    func reset() {
        var count: eventfd_t = 0
        _ = unsafe eventfd_read(descriptor, &count)
    }

    func close() { _ = Glibc.close(descriptor) }
}
