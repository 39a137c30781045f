import Glibc

/// An address that only this machine can reach, with a port: `127.0.0.1:9101` or `[::1]:9101`.
public struct LoopbackAddress: Sendable, Equatable {
    let isVersion6: Bool
    /// 127.0.0.0/8 or ::1.
    let host: String
    /// 0 stands for any that is free.
    let port: UInt16

    /// Nil for any other address, and for names: what a name stands for may change.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[colon...].dropFirst())
        else { return nil }
        let host = text[..<colon]
        if host == "[::1]" {
            self.host = "::1"
            isVersion6 = true
        } else {
            var address = in_addr()
            guard inet_pton(AF_INET, String(host), &address) == 1,
                UInt32(bigEndian: address.s_addr) >> 24 == 127
            else { return nil }
            self.host = String(host)
            isVersion6 = false
        }
        self.port = port
    }

    /// A listening socket, or nil and `errno`.
    func listen() -> Int32? {
        let family = isVersion6 ? AF_INET6 : AF_INET
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(family, type, 0)
        guard descriptor >= 0 else { return nil }
        var yes: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        // The port of a worker that has just ended may be used again at once.
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, size)
        guard bind(descriptor), Glibc.listen(descriptor, 16) == 0 else {
            let code = errno
            close(descriptor)
            errno = code
            return nil
        }
        return descriptor
    }

    private func bind(_ descriptor: Int32) -> Bool {
        if isVersion6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            inet_pton(AF_INET6, host, &address.sin6_addr)
            return Self.bind(descriptor, to: &address)
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        inet_pton(AF_INET, host, &address.sin_addr)
        return Self.bind(descriptor, to: &address)
    }

    private static func bind<Address>(_ descriptor: Int32, to address: inout Address) -> Bool {
        withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<Address>.size)) == 0
            }
        }
    }
}
