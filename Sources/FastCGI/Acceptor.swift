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
        let descriptor = accept4(socket.descriptor, nil, nil, CInt(SOCK_CLOEXEC.rawValue))
        guard descriptor >= 0 else { return Acceptor.result(errno) }
        return .connection(Connection(descriptor: descriptor))
    }

    private static func result(_ code: CInt) -> Result {
        switch code {
        case EAGAIN, EINTR, ECONNABORTED, EPROTO, EBUSY: .nothing
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: .shortage
        default: .failure(code)
        }
    }
}
