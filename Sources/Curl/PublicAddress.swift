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

    private static let reserved: [AddressNetwork] = [
        AddressNetwork([0], 8), AddressNetwork([10], 8), AddressNetwork([100, 64], 10), AddressNetwork([127], 8),
        AddressNetwork([169, 254], 16),
        AddressNetwork([172, 16], 12), AddressNetwork([192, 0, 0], 24), AddressNetwork([192, 0, 2], 24),
        AddressNetwork([192, 31, 196], 24),
        AddressNetwork([192, 52, 193], 24), AddressNetwork([192, 88, 99], 24), AddressNetwork([192, 168], 16),
        AddressNetwork([192, 175, 48], 24), AddressNetwork([198, 18], 15), AddressNetwork([198, 51, 100], 24),
        AddressNetwork([203, 0, 113], 24), AddressNetwork([224], 4), AddressNetwork([240], 4),
    ]
    /// What is given out to networks at all: 2000::/3.
    private static let global = AddressNetwork([0x20], 3)
    private static let reservedLong: [AddressNetwork] = [
        AddressNetwork([0x20, 0x01, 0x00], 23), AddressNetwork([0x20, 0x01, 0x0d, 0xb8], 32),
        AddressNetwork([0x20, 0x02], 16),
        AddressNetwork([0x26, 0x20, 0x00, 0x4f, 0x80], 48), AddressNetwork([0x3f, 0xff], 20),
    ]
    /// 64:ff9b::/96, by which a network without IPv4 reaches its addresses.
    private static let nat64 = AddressNetwork([0x00, 0x64, 0xff, 0x9b], 96)
}

/// Where a request may lead.
public enum Reach: Sendable, Equatable {
    /// To whatever address its host's name stands for, if it is a public one.
    case `public`
    /// To this port of 127.0.0.1 alone, whose certificate is checked by this file, or by the system's where it is nil.
    case loopback(port: UInt16, authorities: String?)
    /// To public addresses and to those of some networks; certificates are checked by this file, too.
    case internet(and: [AddressNetwork], authorities: String?)

    /// Whether a connection to a port of an address may be made.
    func allows(_ address: [UInt8], port: UInt16) -> Bool {
        switch self {
        case .public: PublicAddress.isPublic(address)
        case .loopback(let only, _): address == [127, 0, 0, 1] && port == only
        case .internet(let networks, _):
            PublicAddress.isPublic(address)
                || networks.contains { $0.prefix.count == address.count && $0.contains(address) }
        }
    }

    /// Whether a URL's host may lead there. An address is known at once; what a name stands for shows when it is connected to.
    public func mayInclude(host: String) -> Bool {
        let own = host == "localhost" || host.hasSuffix(".localhost") ? [127, 0, 0, 1] : AddressNetwork.bytes(of: host)
        return own.map { allows($0, port: 443) } ?? (Self.number(of: host).map { allows($0, port: 443) } ?? true)
    }

    /// What libcurl takes for an address of IPv4 besides: `2130706433`, `0x7f.1`.
    private static func number(of host: String) -> [UInt8]? {
        var address = in_addr()
        return unsafe inet_aton(host, &address) == 0 ? nil : unsafe withUnsafeBytes(of: address) { unsafe Array($0) }
    }

    /// Opens a socket for libcurl to connect with: called with the very address that it will connect to, after it has
    /// resolved the name, so that there is no other between what is checked and what is used. The mark is a `ReachMark`.
    static let open: curl_opensocket_callback = { mark, purpose, address in
        guard purpose == CURLSOCKTYPE_IPCXN, let mark = unsafe mark, let address = unsafe address else {
            return CURL_SOCKET_BAD
        }
        let reach = unsafe Unmanaged<ReachMark>.fromOpaque(mark).takeUnretainedValue().reach
        guard unsafe reach.allows(&address.pointee.addr) else { return CURL_SOCKET_BAD }
        let type = unsafe address.pointee.socktype | CInt(SOCK_CLOEXEC.rawValue)
        let descriptor = unsafe socket(address.pointee.family, type, address.pointee.protocol)
        guard descriptor >= 0 else { return CURL_SOCKET_BAD }
        // Whoever does not even acknowledge what we send is gone: others would be sent on the same connection.
        var milliseconds: CUnsignedInt = 20_000
        let length = socklen_t(MemoryLayout.size(ofValue: milliseconds))
        _ = unsafe setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_USER_TIMEOUT, &milliseconds, length)
        return descriptor
    }

    private func allows(_ address: UnsafeMutablePointer<sockaddr>) -> Bool {
        switch unsafe CInt(address.pointee.sa_family) {
        case AF_INET:
            let found = unsafe address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { unsafe $0.pointee }
            let bytes = unsafe withUnsafeBytes(of: found.sin_addr.s_addr) { unsafe Array($0) }
            return allows(bytes, port: UInt16(bigEndian: found.sin_port))
        case AF_INET6:
            let found = unsafe address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { unsafe $0.pointee }
            let bytes = unsafe withUnsafeBytes(of: found.sin6_addr) { unsafe Array($0) }
            return allows(bytes, port: UInt16(bigEndian: found.sin6_port))
        default: return false
        }
    }
}

/// By what `Reach.open` knows where a request may lead; it lives as long as the request.
final class ReachMark {
    let reach: Reach

    init(_ reach: Reach) { self.reach = reach }
}
