import Glibc
import Synchronization

/// A listening unix stream socket that connections are taken from.
///
/// It is never `shutdown()`: systemd and other workers may share it, and would all be refused.
public struct Listener: Sendable {
    let socket: ListeningSocket

    /// Binds `path`, atomically replacing the socket file of a server that is gone.
    ///
    /// The file has `mode` from its first moment. The worker that runs this listener owns it: at
    /// `stop()` it takes what is queued and closes it. The file itself stays, because by then a
    /// newer worker may have put its own there; the next start replaces it.
    ///
    /// For several processes on one path, bind it once and let them inherit the descriptor: a
    /// restarted one then finds the queue as its predecessor left it.
    ///
    /// - Parameters:
    ///   - path: at most 103 bytes.
    ///   - mode: who may connect. libfcgi trusts its peers, so no more than nginx's group.
    ///   - backlog: connections queued; past it they fail. `net.core.somaxconn` caps it.
    /// - Throws: `addressInUse` while somebody listens there, `notASocket`, `pathTooLong`,
    ///   `systemCall`.
    public init(path: String, mode: UInt32 = 0o660, backlog: Int32 = 4096) throws(FastCGIError) {
        let descriptor = try SocketFile(path: path).bind(mode: mode, backlog: backlog)
        socket = ListeningSocket(descriptor: descriptor, isShared: false)
    }

    /// Adopts a listening descriptor made by systemd or by a parent process.
    ///
    /// It is closed when the last copy of this value is gone, and only then. It becomes
    /// non-blocking (for all who share it) and closed on exec (in this process).
    ///
    /// - Throws: `notAListener`, `systemCall`.
    public init(inherited descriptor: Int32) throws(FastCGIError) {
        guard SocketFile.option(SO_ACCEPTCONN, of: descriptor) == 1,
            SocketFile.option(SO_DOMAIN, of: descriptor) == AF_UNIX,
            SocketFile.option(SO_TYPE, of: descriptor) == CInt(SOCK_STREAM.rawValue)
        else { throw .notAListener(descriptor) }
        let flags = try systemCall("fcntl") { fcntl(descriptor, F_GETFL) }
        _ = try systemCall("fcntl") { fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) }
        _ = try systemCall("fcntl") { fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        socket = ListeningSocket(descriptor: descriptor, isShared: true)
    }

    /// Closed on exec.
    public var descriptor: Int32 { socket.descriptor }
}

/// The descriptor itself, closed once.
final class ListeningSocket: Sendable {
    let descriptor: CInt
    /// Whether other processes take connections from the same queue.
    let isShared: Bool
    private let isOpen = Mutex(true)

    init(descriptor: CInt, isShared: Bool) {
        self.descriptor = descriptor
        self.isShared = isShared
    }

    deinit { close() }

    func close() {
        isOpen.withLock { isOpen in
            if isOpen { _ = Glibc.close(descriptor) }
            isOpen = false
        }
    }
}
