import CFastCGI
import Glibc

/// Takes connections from the listener's queue.
struct Acceptor: Sendable {
    let socket: ListeningSocket

    enum Result {
        case connection(Connection)
        /// Another thread or process was quicker, or the peer is gone already.
        case nothing
        /// No descriptor or memory left: what others close will help.
        case shortage
        case failure(CInt)
    }

    func accept() -> Result {
        // The second descriptor first: with a connection in hand and no number for it, a thread
        // could only wait for others to close theirs, and all threads might wait like that.
        let stream = fcntl(socket.descriptor, F_DUPFD_CLOEXEC, 0)
        guard stream >= 0 else { return Acceptor.result(errno) }
        let flags = CInt(SOCK_CLOEXEC.rawValue)
        let control = accept4(socket.descriptor, nil, nil, flags)
        guard control >= 0, dup3(control, stream, O_CLOEXEC) == stream else {
            let code = errno
            if control >= 0 { close(control) }
            close(stream)
            return Acceptor.result(code)
        }
        return .connection(Connection(control: control, stream: stream))
    }

    private static func result(_ code: CInt) -> Result {
        switch code {
        case EAGAIN, EINTR, ECONNABORTED, EPROTO, EBUSY: .nothing
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: .shortage
        default: .failure(code)
        }
    }
}
