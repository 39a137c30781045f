import CFastCGI
import Glibc

/// What the threads of a worker wait for, all together: one epoll.
///
/// Connections and the listener are one-shot: an event goes to one thread, and there is no other
/// until that thread asks for it again.
struct Poller: Sendable {
    enum Event {
        case listener
        /// Connections may be waiting that were left to other workers.
        case leftovers
        case connection(Connection)
        case heartbeat
        case finish
        /// What the request with this number awaits, see `Suspensions`.
        case awaited(UInt64)
        /// What several requests await together may have come for some of them.
        case line(CInt)
        /// Something is to be done that no descriptor tells of.
        case nudge

        /// Whether it may bring another request into hand. The sign of life is given when one could be.
        var isForOneMore: Bool {
            switch self {
            case .listener, .leftovers, .connection, .heartbeat: true
            case .finish, .awaited, .line, .nudge: false
            }
        }
    }

    private static let listenerToken = UInt64.max
    private static let finishToken = UInt64.max - 1
    private static let heartbeatToken = UInt64.max - 2
    private static let nudgeToken = UInt64.max - 3
    private static let leftoversToken = UInt64.max - 4
    /// Of what is awaited, with its number in the other bits. Descriptors do not have it.
    private static let awaitedBit = UInt64(1) << 63
    /// Of a descriptor that is awaited by several.
    private static let lineBit = UInt64(1) << 62

    let descriptor: CInt

    init() throws(FastCGIError) {
        descriptor = try systemCall("epoll_create1") { epoll_create1(CInt(EPOLL_CLOEXEC)) }
    }

    func close() { _ = Glibc.close(descriptor) }

    /// The most events that `wait` gives at once.
    static let most = 16

    /// Waits for events and puts all but the first into the backlog, where whoever comes next finds them: the thread that was given them
    /// may have something to do for a while.
    ///
    /// - Parameter milliseconds: how long; -1 for ever.
    /// - Returns: nil where there was nothing for so long.
    func wait(leaving backlog: Backlog, milliseconds: CInt = -1) -> Event? {
        unsafe withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: Self.most) { events in
            var count: CInt = 0
            while count < 1 {
                count = unsafe epoll_wait(
                    descriptor, events.baseAddress, CInt(Self.most), milliseconds)
                if count == 0 { return nil }
            }
            for index in 1..<max(1, Int(count)) {
                backlog.append(Self.event(unsafe events[index].data.u64))
            }
            return Self.event(unsafe events[0].data.u64)
        }
    }

    private static func event(_ token: UInt64) -> Event {
        switch token {
        case listenerToken: .listener
        case finishToken: .finish
        case heartbeatToken: .heartbeat
        case nudgeToken: .nudge
        case leftoversToken: .leftovers
        case let token where token & awaitedBit != 0: .awaited(token & ~awaitedBit)
        case let token where token & lineBit != 0: .line(CInt(truncatingIfNeeded: token))
        case let token: .connection(Connection(token: token))
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

    /// One thread is told when this one is readable, and then none until `rearmNudge`.
    func addNudge(_ event: CInt) throws(FastCGIError) {
        let result = control(EPOLL_CTL_ADD, event, Poller.once, Poller.nudgeToken)
        if result != 0 { throw .systemCall("epoll_ctl", errno: result) }
    }

    func rearmNudge(_ event: CInt) {
        _ = control(EPOLL_CTL_MOD, event, Poller.once, Poller.nudgeToken)
    }

    /// One thread is told when this one is readable, and then none until `rearmPatience`.
    func addPatience(_ timer: CInt) throws(FastCGIError) {
        let result = control(EPOLL_CTL_ADD, timer, Poller.once, Poller.leftoversToken)
        if result != 0 { throw .systemCall("epoll_ctl", errno: result) }
    }

    func rearmPatience(_ timer: CInt) {
        _ = control(EPOLL_CTL_MOD, timer, Poller.once, Poller.leftoversToken)
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
        return control(operation, connection.descriptor, Poller.once, connection.token) == 0
    }

    /// Asks for one event when there is something to read from a descriptor, which is most likely known from before.
    /// Returns whether that was possible.
    func await(_ descriptor: CInt, number: UInt64) -> Bool {
        askOnce(descriptor, Poller.awaitedBit | number)
    }

    /// The same for those that await it together.
    func awaitTogether(_ descriptor: CInt) -> Bool {
        askOnce(descriptor, Poller.lineBit | UInt64(UInt32(bitPattern: descriptor)))
    }

    private func askOnce(_ descriptor: CInt, _ token: UInt64) -> Bool {
        let result = control(EPOLL_CTL_MOD, descriptor, Poller.once, token)
        if result != ENOENT { return result == 0 }
        return control(EPOLL_CTL_ADD, descriptor, Poller.once, token) == 0
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
