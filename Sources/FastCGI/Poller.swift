import CFastCGI
import Glibc

/// What the threads of a worker wait for, all together: one epoll.
///
/// Connections and the listener are one-shot: an event goes to one thread, and there is no other
/// until that thread asks for it again.
struct Poller: Sendable {
    enum Event {
        case listener
        case connection(Connection)
        case heartbeat
        case finish
    }

    private static let listenerToken = UInt64.max
    private static let finishToken = UInt64.max - 1
    private static let heartbeatToken = UInt64.max - 2

    let descriptor: CInt

    init() throws(FastCGIError) {
        descriptor = try systemCall("epoll_create1") { epoll_create1(CInt(EPOLL_CLOEXEC)) }
    }

    func close() { _ = Glibc.close(descriptor) }

    /// Waits for one event. One, not several: a thread serves what it is given before it looks
    /// again, and what it had fetched beyond that would wait with it.
    func wait() -> Event {
        var event = unsafe epoll_event()
        while unsafe epoll_wait(descriptor, &event, 1, -1) != 1 {}
        switch unsafe event.data.u64 {
        case Poller.listenerToken: return .listener
        case Poller.finishToken: return .finish
        case Poller.heartbeatToken: return .heartbeat
        case let token: return .connection(Connection(token: token))
        }
    }

    /// Every thread is told, again and again, once this one is readable.
    func addFinish(_ event: CInt) throws(FastCGIError) {
        let result = control(EPOLL_CTL_ADD, event, EPOLLIN.rawValue, Poller.finishToken)
        if result != 0 { throw .systemCall("epoll_ctl", errno: result) }
    }

    /// One thread is told when this one is readable, and then none until `rearmHeartbeat`.
    func addHeartbeat(_ event: CInt) throws(FastCGIError) {
        let result = control(EPOLL_CTL_ADD, event, Poller.once, Poller.heartbeatToken)
        if result != 0 { throw .systemCall("epoll_ctl", errno: result) }
    }

    func rearmHeartbeat(_ event: CInt) {
        _ = control(EPOLL_CTL_MOD, event, Poller.once, Poller.heartbeatToken)
    }

    func addListener(_ listener: CInt) throws(FastCGIError) {
        let result = control(EPOLL_CTL_ADD, listener, Poller.once, Poller.listenerToken)
        if result != 0 { throw .systemCall("epoll_ctl", errno: result) }
    }

    /// Does nothing once the listener has been removed.
    func rearmListener(_ listener: CInt) {
        _ = control(EPOLL_CTL_MOD, listener, Poller.once, Poller.listenerToken)
    }

    func removeListener(_ listener: CInt) {
        _ = control(EPOLL_CTL_DEL, listener, 0, 0)
    }

    /// Asks for the next request on a connection. Returns whether that was possible.
    func park(_ connection: Connection, isNew: Bool) -> Bool {
        let operation = isNew ? EPOLL_CTL_ADD : EPOLL_CTL_MOD
        return control(operation, connection.control, Poller.once, connection.token) == 0
    }

    private static var once: UInt32 { EPOLLIN.rawValue | EPOLLONESHOT.rawValue }

    /// 0, or the `errno`.
    private func control(
        _ operation: CInt, _ target: CInt, _ events: UInt32, _ token: UInt64
    ) -> CInt {
        var event = unsafe epoll_event()
        unsafe event.events = events
        unsafe event.data.u64 = token
        return unsafe epoll_ctl(descriptor, operation, target, &event) == 0 ? 0 : errno
    }
}
