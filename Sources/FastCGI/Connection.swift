import Glibc

/// A connection from nginx. What closes it is `Worker.close`, after which its number may be another's.
struct Connection: Hashable, Sendable {
    let descriptor: CInt

    init(descriptor: CInt) { self.descriptor = descriptor }

    init(token: UInt64) { descriptor = CInt(truncatingIfNeeded: token) }

    /// What epoll carries.
    var token: UInt64 { UInt64(UInt32(bitPattern: descriptor)) }

    /// Lets the peer read an answer to a request that has not been taken whole: closed at once,
    /// its next write would fail and nginx would answer 502 instead.
    func linger() {
        shutdown(descriptor, CInt(SHUT_WR))
        unsafe withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) { buffer in
            while unsafe read(descriptor, buffer.baseAddress, buffer.count) > 0 {}
        }
    }

    func close() { _ = Glibc.close(descriptor) }
}
