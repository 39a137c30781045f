import Glibc

/// Writes answers as FastCGI records (FastCGI 1.0, 3.3 and 5.5), each into one piece that goes out by one `send`.
///
/// libfcgi's own stream passes on 8 KiB with each write, and nginx wakes up for every one of them.
struct ResponseWriter {
    private static let headerBytes = 8
    /// The most that one record holds, padding not needed.
    private static let capacity = 65_528

    private(set) var bytes: [UInt8] = []
    private var requestID: UInt16 = 0
    /// Where the record under way begins.
    private var start = 0

    init() { bytes.reserveCapacity(8192) }

    /// All of an answer, the end of the request included.
    mutating func write(_ response: Response, requestID: UInt16) {
        bytes.removeAll(keepingCapacity: bytes.capacity <= 256 << 10)
        self.requestID = requestID
        beginRecord()
        response.putHead(into: &self)
        put(response.body)
        endRecord()
        beginRecord()
        endRecord()
        // The application's status, 0, and FCGI_REQUEST_COMPLETE, which is 0 as well.
        bytes += [1, 3, UInt8(requestID >> 8), UInt8(requestID & 0xff), 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    }

    mutating func put(_ text: String) { bytes.append(contentsOf: text.utf8) }

    mutating func put(literal text: StaticString) {
        text.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
    }

    /// - Parameter number: 0 or more.
    mutating func put(decimal number: Int) { put(String(number)) }

    /// A body may take several records.
    mutating func put(_ body: [UInt8]) {
        var rest = body[...]
        while true {
            let room = Self.capacity - (bytes.count - start - Self.headerBytes)
            bytes.append(contentsOf: rest.prefix(room))
            rest = rest.dropFirst(room)
            if rest.isEmpty { return }
            endRecord()
            beginRecord()
        }
    }

    private mutating func beginRecord() {
        start = bytes.count
        bytes.append(contentsOf: [1, 6, UInt8(requestID >> 8), UInt8(requestID & 0xff), 0, 0, 0, 0])
    }

    private mutating func endRecord() {
        let content = bytes.count - start - Self.headerBytes
        bytes[start + 4] = UInt8(content >> 8)
        bytes[start + 5] = UInt8(content & 0xff)
    }
}
