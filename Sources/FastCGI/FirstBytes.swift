import CFastCGITransport
import Glibc

/// The first bytes of a request, taken from its connection before libfcgi sees them. One for each `Exchange`, used again.
///
/// libfcgi answers a management record from a buffer of 64 bytes on its stack, and a peer that asks for enough values writes past it. No
/// web server ever sends one; here is where they, and whatever else does not begin with a request, are turned away. (The socket's mode
/// guards what can follow later in the stream.)
@safe struct FirstBytes: ~Copyable {
    enum Kind {
        case nothingYet
        case request
        case garbage
        case closed
    }

    /// As many as libfcgi asks for at a time: mostly the whole request.
    private static let most = 8192
    /// A record of its header and FCGI_BEGIN_REQUEST's content.
    private static let fewest = 16

    private let memory: UnsafeMutableRawPointer
    private var count = 0

    init() { unsafe memory = .allocate(byteCount: Self.most, alignment: 8) }

    deinit { unsafe memory.deallocate() }

    /// Takes what has come, without waiting for the first of it. nginx sends it in one piece; of a peer that does not, as much is waited
    /// for as has to be looked at, until its deadline shuts the connection down.
    mutating func take(from connection: Connection) -> Kind {
        count = 0
        while count < Self.fewest {
            let flags = count == 0 ? CInt(MSG_DONTWAIT) : 0
            let received = unsafe recv(
                connection.descriptor, memory + count, Self.most - count, flags)
            if received > 0 {
                count += received
            } else if received == 0 {
                return .closed
            } else if errno != EINTR {
                return errno == EAGAIN ? .nothingYet : .closed
            }
        }
        return isResponderBegin ? .request : .garbage
    }

    /// Takes these instead.
    mutating func take(_ bytes: [UInt8]) {
        count = min(bytes.count, Self.most)
        unsafe memory.copyMemory(from: bytes, byteCount: count)
    }

    /// Has libfcgi read them first of all on this thread.
    func give() { unsafe fastcgi_transport_begin(memory, count) }

    /// FastCGI 1.0, 3.3 and 5.1: version 1, FCGI_BEGIN_REQUEST, an id other than 0, 8 bytes of content, of which the first two are the role:
    /// FCGI_RESPONDER. And no padding, which libfcgi would take for the next record here.
    private var isResponderBegin: Bool {
        let header = UInt64(bigEndian: unsafe memory.load(as: UInt64.self))
        let role = UInt16(bigEndian: unsafe memory.load(fromByteOffset: 8, as: UInt16.self))
        return header >> 48 == 0x0101 && header >> 32 & 0xffff != 0
            && header >> 8 & 0xff_ffff == 0x0800 && role == 1
    }
}
