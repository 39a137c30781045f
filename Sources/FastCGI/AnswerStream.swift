import Glibc

/// An answer on its way out, as FastCGI records (FastCGI 1.0, 3.3 and 5.5).
///
/// libfcgi's own stream passes on 8 KiB with each write, and nginx wakes up for every one of them;
/// this one 64 KiB, and the end of the request with the last. One for each thread, used again.
@safe struct AnswerStream: ~Copyable {
    private static let headerBytes = 8
    /// The most that one record holds, padding not needed.
    private static let capacity = 65_528
    /// The empty record that ends the stream, and FCGI_END_REQUEST.
    private static let endBytes = 24

    private let memory: UnsafeMutablePointer<UInt8>
    /// Of the record under way, its header not included.
    private var count = 0
    private var descriptor: CInt = -1
    private var requestID: UInt16 = 0
    private var isBroken = false

    init() {
        unsafe memory = .allocate(capacity: Self.headerBytes + Self.capacity + Self.endBytes)
    }

    deinit { unsafe memory.deallocate() }

    mutating func begin(on descriptor: CInt, requestID: CInt) {
        self.descriptor = descriptor
        self.requestID = UInt16(truncatingIfNeeded: requestID)
        count = 0
        isBroken = false
    }

    mutating func put(_ text: String) {
        unsafe text.utf8.span.withUnsafeBufferPointer { unsafe put($0) }
    }

    mutating func put(literal text: StaticString) {
        unsafe put(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// - Parameter number: 0 or more.
    mutating func put(decimal number: Int) {
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var start = digits.count
            var rest = UInt(number)
            repeat {
                start -= 1
                unsafe digits[start] = UInt8(truncatingIfNeeded: 48 + rest % 10)
                rest /= 10
            } while rest > 0
            unsafe put(UnsafeBufferPointer(rebasing: digits[start...]))
        }
    }

    mutating func put(_ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBufferPointer { unsafe put($0) }
    }

    mutating func put(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        guard bytes.count <= Self.capacity - count else { return unsafe putInRecords(bytes) }
        unsafe memcpy(memory + Self.headerBytes + count, start, bytes.count)
        count += bytes.count
    }

    /// Sends each record when it is full.
    private mutating func putInRecords(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard var next = bytes.baseAddress else { return }
        var left = bytes.count
        while left > 0 {
            if count == Self.capacity {
                writeHeader(.output, contentBytes: count, at: 0)
                send(Self.headerBytes + count)
                count = 0
            }
            let part = min(left, Self.capacity - count)
            unsafe memcpy(memory + Self.headerBytes + count, next, part)
            unsafe next += part
            count += part
            left -= part
        }
    }

    /// Sends what is left, and the end of the request. Returns whether all of the answer was accepted.
    mutating func end() -> Bool {
        var size = 0
        if count > 0 {
            writeHeader(.output, contentBytes: count, at: 0)
            size = Self.headerBytes + count
        }
        writeHeader(.output, contentBytes: 0, at: size)
        writeHeader(.endRequest, contentBytes: 8, at: size + 8)
        // The application's status, 0, and FCGI_REQUEST_COMPLETE, which is 0 as well.
        unsafe memset(memory + size + 16, 0, 8)
        send(size + Self.endBytes)
        return !isBroken
    }

    private enum RecordType: UInt8 {
        case endRequest = 3
        case output = 6
    }

    private func writeHeader(_ type: RecordType, contentBytes: Int, at offset: Int) {
        let header = unsafe memory + offset
        unsafe header[0] = 1
        unsafe header[1] = type.rawValue
        unsafe header[2] = UInt8(requestID >> 8)
        unsafe header[3] = UInt8(requestID & 0xff)
        unsafe header[4] = UInt8(contentBytes >> 8)
        unsafe header[5] = UInt8(contentBytes & 0xff)
        unsafe header[6] = 0
        unsafe header[7] = 0
    }

    private mutating func send(_ size: Int) {
        var sent = 0
        while sent < size, !isBroken {
            let result = unsafe Glibc.send(
                descriptor, memory + sent, size - sent, CInt(MSG_NOSIGNAL))
            if result > 0 {
                sent += result
            } else if result == 0 || errno != EINTR {
                isBroken = true
            }
        }
    }
}
