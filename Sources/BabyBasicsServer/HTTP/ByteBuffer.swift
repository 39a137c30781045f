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

    /// Has `read` look at what has been written so far, without a copy.
    func withBytes<Value>(_ read: (UnsafeBufferPointer<UInt8>) -> Value) -> Value {
        read(UnsafeBufferPointer(start: start, count: count))
    }

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

    mutating func append(literal text: StaticString) { append(text.bytes) }

    mutating func append(_ text: String) {
        text.utf8.span.withUnsafeBufferPointer { append($0) }
    }

    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        append(atMost: bytes.count) { target in
            if let source = bytes.baseAddress { memcpy(target, source, bytes.count) }
            return bytes.count
        }
    }

    /// As decimal digits.
    mutating func append(decimal value: UInt64) {
        var count = 1
        var power: UInt64 = 10
        while value >= power, count < 20 {
            count += 1
            power = power &* 10
        }
        append(atMost: count) { target in
            var rest = value
            for index in (0..<count).reversed() {
                target[index] = UInt8(truncatingIfNeeded: 48 + rest % 10)
                rest /= 10
            }
            return count
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

extension StaticString {
    /// There for as long as the program runs.
    var bytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount)
    }
}
