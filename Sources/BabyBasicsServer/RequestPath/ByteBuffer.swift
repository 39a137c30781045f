import Glibc

/// Bytes in the making. The buffer is plain memory, and each piece is written where it will stay: an array would check on every append that
/// nobody else holds it.
struct ByteBuffer: ~Copyable {
    private var start: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private var count = 0

    init(capacity: Int) {
        self.capacity = capacity
        start = .allocate(capacity: capacity)
    }

    deinit { start.deallocate() }

    /// What has been written so far.
    var bytes: [UInt8] { Array(UnsafeBufferPointer(start: start, count: count)) }

    /// Lets `write` put at most `most` bytes at the end; it returns how many.
    mutating func append(atMost most: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) {
        if capacity - count < most { grow(by: most) }
        let written = write(start + count)
        precondition(written <= most)
        count += written
    }

    mutating func append(_ byte: UInt8) {
        if capacity == count { grow(by: 1) }
        start[count] = byte
        count += 1
    }

    mutating func append(_ text: String) {
        text.utf8.span.withUnsafeBufferPointer { append($0) }
    }

    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        append(atMost: bytes.count) { target in
            if let source = bytes.baseAddress { memcpy(target, source, bytes.count) }
            return bytes.count
        }
    }

    private mutating func grow(by most: Int) {
        capacity = max(2 * capacity, count + most)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        memcpy(larger, start, count)
        start.deallocate()
        start = larger
    }
}
