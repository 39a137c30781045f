import Glibc

/// Looks at what has arrived on a connection and leaves it there for libfcgi.
@safe final class PeekBuffer {
    enum Look {
        case nothing
        case closed
        /// The peer hung up in the middle of a request.
        case brokenOff
        /// `isFull`: there may be more than was looked at.
        case bytes(ArrivedRequest, isFull: Bool)
    }

    /// More than any request but a large batch. The kernel holds about 200 KiB for a unix socket.
    private static let size = 64 << 10
    private let memory: UnsafeMutableRawBufferPointer

    init() { unsafe memory = .allocate(byteCount: Self.size, alignment: 16) }

    deinit { unsafe memory.deallocate() }

    func look(at descriptor: CInt) -> Look {
        let first = peek(at: descriptor)
        guard case .bytes(.incomplete, isFull: false) = first, hasHungUp(descriptor) else { return first }
        // What is there now is all there will ever be.
        let last = peek(at: descriptor)
        guard case .bytes(.incomplete, isFull: false) = last else { return last }
        return .brokenOff
    }

    /// POLLRDHUP, which Swift does not import.
    private static let hangUp: Int16 = 0x2000

    private func hasHungUp(_ descriptor: CInt) -> Bool {
        var state = pollfd(fd: descriptor, events: Self.hangUp, revents: 0)
        return unsafe poll(&state, 1, 0) > 0
    }

    private func peek(at descriptor: CInt) -> Look {
        while true {
            let count = unsafe recv(
                descriptor, memory.baseAddress, memory.count,
                CInt(MSG_PEEK | MSG_DONTWAIT))
            if count > 0 {
                let arrived = unsafe ArrivedRequest(
                    RawSpan(_unsafeBytes: UnsafeRawBufferPointer(rebasing: memory[..<count])))
                return .bytes(arrived, isFull: count == Self.size)
            }
            if count == 0 { return .closed }
            if errno != EINTR { return errno == EAGAIN ? .nothing : .closed }
        }
    }

    /// Throws away some of what is there. Returns whether the peer has hung up.
    func discard(from descriptor: CInt) -> Bool {
        let count = unsafe recv(descriptor, memory.baseAddress, memory.count, CInt(MSG_DONTWAIT))
        return count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)
    }
}
