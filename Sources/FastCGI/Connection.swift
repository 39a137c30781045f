import CFastCGI
import Glibc

/// A connection, by two descriptors of the same socket.
///
/// libfcgi closes the descriptor it was given whenever a request does not begin well. The number
/// may be somebody else's the next moment, and nothing tells us before. So it gets one of its own,
/// `stream`, while epoll and the deadline hold on to `control`, which only we close.
struct Connection: Hashable, Sendable {
    let control: CInt
    let stream: CInt

    init(control: CInt, stream: CInt) {
        self.control = control
        self.stream = stream
    }

    init(token: UInt64) {
        control = CInt(truncatingIfNeeded: token >> 32)
        stream = CInt(truncatingIfNeeded: token)
    }

    /// What epoll carries.
    var token: UInt64 {
        UInt64(UInt32(bitPattern: control)) << 32 | UInt64(UInt32(bitPattern: stream))
    }

    private static let peek = CInt(MSG_PEEK) | CInt(MSG_DONTWAIT)

    enum Opening {
        case nothingYet
        case request
        case garbage
        case closed
    }

    /// Looks at the first bytes, without taking them.
    ///
    /// libfcgi answers a management record from a buffer of 64 bytes on its stack, and a peer that
    /// asks for enough values writes past it. No web server ever sends one; here is where they,
    /// and whatever else does not begin with a request, are turned away. (The socket's mode guards
    /// what can follow later in the stream.) nginx sends these 16 bytes in one piece; for a peer
    /// that does not, `deadline` decides how long to look.
    func opening(before deadline: Deadline) -> Opening {
        var pause: CInt = 1
        var isComplete = false
        while true {
            var first: (UInt64, UInt64) = (0, 0)
            let count = unsafe recv(control, &first, 16, Connection.peek)
            switch count {
            case 16: return Connection.isResponderBegin(first) ? .request : .garbage
            case 0: return .closed
            case ..<0:
                if errno == EINTR { continue }
                return errno == EAGAIN ? .nothingYet : .closed
            default:
                if isComplete || deadline.isOver() { return .closed }
                // What is there keeps it readable: only the end, or time, is worth waiting for.
                var entry = pollfd(fd: control, events: Int16(EPOLLRDHUP.rawValue), revents: 0)
                isComplete = unsafe poll(&entry, 1, pause) == 1
                pause = min(pause * 2, 16)
            }
        }
    }

    /// FastCGI 1.0, 3.3 and 5.1: version 1, FCGI_BEGIN_REQUEST, an id other than 0, 8 bytes of
    /// content, of which the first two are the role: FCGI_RESPONDER. And no padding, which libfcgi
    /// would take for the next record here.
    private static func isResponderBegin(_ bytes: (UInt64, UInt64)) -> Bool {
        let header = UInt64(bigEndian: bytes.0)
        let role = UInt64(bigEndian: bytes.1) >> 48
        return header >> 48 == 0x0101 && header >> 32 & 0xffff != 0
            && header >> 8 & 0xff_ffff == 0x0800 && role == 1
    }

    /// Lets the peer read an answer to a request that has not been taken whole: closed at once,
    /// its next write would fail and nginx would answer 502 instead.
    func linger() {
        shutdown(control, CInt(SHUT_WR))
        unsafe withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) { buffer in
            while unsafe read(control, buffer.baseAddress, buffer.count) > 0 {}
        }
    }

    func close() {
        closeStream()
        closeControl()
    }

    func closeStream() { _ = Glibc.close(stream) }

    func closeControl() { _ = Glibc.close(control) }
}
