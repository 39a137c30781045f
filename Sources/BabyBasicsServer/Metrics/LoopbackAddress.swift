import Glibc

/// `127.0.0.1` with a port, which only this machine can reach.
public struct LoopbackAddress: Sendable, Equatable {
    /// 0 stands for any that is free.
    let port: UInt16

    /// Nil for any other address, and for names: what a name stands for may change.
    public init?(_ text: String) {
        guard text.hasPrefix("127.0.0.1:"), let port = UInt16(text.dropFirst(10)) else { return nil }
        self.port = port
    }

    /// A listening socket, or nil and `errno`.
    func listen() -> Int32? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var yes: Int32 = 1
        // The port of a worker that has just ended may be used again at once.
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isBound, Glibc.listen(descriptor, 16) == 0 else {
            let code = errno
            close(descriptor)
            errno = code
            return nil
        }
        return descriptor
    }
}
