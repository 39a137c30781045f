import CCurl
import Glibc

/// Addresses of the internet, to which anybody's name may lead us: not this machine, its neighbours, or anything else
/// that is not reachable from everywhere (IANA's special-purpose registries, RFC 6890).
enum PublicAddress {
    /// - Parameter bytes: 4 or 16, as they travel.
    static func isPublic(_ bytes: [UInt8]) -> Bool {
        switch bytes.count {
        case 4: !reserved.contains { $0.contains(bytes) }
        case 16:
            if nat64.contains(bytes) {
                isPublic(Array(bytes[12...]))
            } else {
                global.contains(bytes) && !reservedLong.contains { $0.contains(bytes) }
            }
        default: false
        }
    }

    private struct Network {
        let prefix: [UInt8]
        let length: Int

        init(_ prefix: [UInt8], _ length: Int) {
            self.prefix = prefix
            self.length = length
        }

        func contains(_ bytes: [UInt8]) -> Bool {
            (0..<length).allSatisfy { bit in
                let mask: UInt8 = 0x80 >> UInt8(bit & 7)
                let own = bit >> 3 < prefix.count ? prefix[bit >> 3] : 0
                return bytes[bit >> 3] & mask == own & mask
            }
        }
    }

    private static let reserved: [Network] = [
        Network([0], 8), Network([10], 8), Network([100, 64], 10), Network([127], 8), Network([169, 254], 16),
        Network([172, 16], 12), Network([192, 0, 0], 24), Network([192, 0, 2], 24), Network([192, 31, 196], 24),
        Network([192, 52, 193], 24), Network([192, 88, 99], 24), Network([192, 168], 16),
        Network([192, 175, 48], 24), Network([198, 18], 15), Network([198, 51, 100], 24),
        Network([203, 0, 113], 24), Network([224], 4), Network([240], 4),
    ]
    /// What is given out to networks at all: 2000::/3.
    private static let global = Network([0x20], 3)
    private static let reservedLong: [Network] = [
        Network([0x20, 0x01, 0x00], 23), Network([0x20, 0x01, 0x0d, 0xb8], 32), Network([0x20, 0x02], 16),
        Network([0x26, 0x20, 0x00, 0x4f, 0x80], 48), Network([0x3f, 0xff], 20),
    ]
    /// 64:ff9b::/96, by which a network without IPv4 reaches its addresses.
    private static let nat64 = Network([0x00, 0x64, 0xff, 0x9b], 96)
}

/// Where a request may lead.
public enum Reach: Sendable, Equatable {
    /// To whatever address its host's name stands for, if it is a public one.
    case `public`
    /// To this port of 127.0.0.1 alone, whose certificate is checked by this file, or by the system's where it is nil.
    case loopback(port: UInt16, authorities: String?)

    /// The number by which `open` knows it again.
    var mark: Int {
        switch self {
        case .public: 0
        case .loopback(let port, _): Int(port)
        }
    }

    /// Opens a socket for libcurl to connect with: called with the very address that it will connect to, after it has
    /// resolved the name, so that there is no other between what is checked and what is used.
    static let open: curl_opensocket_callback = { mark, purpose, address in
        guard purpose == CURLSOCKTYPE_IPCXN, let address = unsafe address else { return CURL_SOCKET_BAD }
        let port = Int(bitPattern: mark)
        guard unsafe Self.allows(&address.pointee.addr, port: port) else { return CURL_SOCKET_BAD }
        let type = unsafe address.pointee.socktype | CInt(SOCK_CLOEXEC.rawValue)
        let descriptor = unsafe socket(address.pointee.family, type, address.pointee.protocol)
        guard descriptor >= 0 else { return CURL_SOCKET_BAD }
        // Whoever does not even acknowledge what we send is gone: others would be sent on the same connection.
        var milliseconds: CUnsignedInt = 20_000
        let length = socklen_t(MemoryLayout.size(ofValue: milliseconds))
        _ = unsafe setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_USER_TIMEOUT, &milliseconds, length)
        return descriptor
    }

    private static func allows(_ address: UnsafeMutablePointer<sockaddr>, port: Int) -> Bool {
        switch unsafe CInt(address.pointee.sa_family) {
        case AF_INET:
            let found = unsafe address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { unsafe $0.pointee }
            let bytes = unsafe withUnsafeBytes(of: found.sin_addr.s_addr) { unsafe Array($0) }
            guard port != 0 else { return PublicAddress.isPublic(bytes) }
            return bytes == [127, 0, 0, 1] && Int(UInt16(bigEndian: found.sin_port)) == port
        case AF_INET6:
            let found = unsafe address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { unsafe $0.pointee }
            let bytes = unsafe withUnsafeBytes(of: found.sin6_addr) { unsafe Array($0) }
            return port == 0 && PublicAddress.isPublic(bytes)
        default: return false
        }
    }
}
