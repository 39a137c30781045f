import Glibc
import Synchronization

/// A table from numbers to numbers, of a fixed size, in memory that the processes of a host share. It forgets: where a key's places
/// are taken, one of them is given to the next.
///
/// A place is read and written as a whole, so that there are no locks that a killed process could leave behind.
@safe public final class SharedTable: Sendable {
    /// A key and its value, 0 and 0 in a place that was never used.
    public struct Entry: Sendable, Equatable {
        public var key: UInt64
        public var value: UInt64

        public init(key: UInt64, value: UInt64) {
            self.key = key
            self.value = value
        }
    }

    /// The places of one key: together one line of the processor's cache.
    private static let ways = 4

    private let buckets: Int
    // `unsafe`: the memory is mapped until `deinit`, and touched by atomic operations alone.
    private nonisolated(unsafe) let places: UnsafeMutablePointer<Atomic<WordPair>>

    /// - Parameters:
    ///   - path: a file that the processes share, made where there is none; nil for memory of this process alone.
    ///   - capacity: entries, a power of two of at least 4. Of a file, the same for all of its processes.
    public init(path: String?, capacity: Int) throws(SharedMemoryError) {
        precondition(capacity >= Self.ways && capacity.nonzeroBitCount == 1)
        buckets = capacity / Self.ways
        let bytes = capacity * MemoryLayout<Atomic<WordPair>>.stride
        let memory = try unsafe Self.map(path, bytes)
        unsafe places = memory.bindMemory(to: Atomic<WordPair>.self, capacity: capacity)
    }

    deinit {
        _ = unsafe munmap(places, buckets * Self.ways * MemoryLayout<Atomic<WordPair>>.stride)
    }

    /// Where the entry of a key may be. Keys should be spread evenly over all numbers.
    public func places(of key: UInt64) -> Range<Int> {
        let first = Int(key % UInt64(buckets)) * Self.ways
        return first..<first + Self.ways
    }

    public subscript(place: Int) -> Entry {
        let pair = unsafe places[place].load(ordering: .sequentiallyConsistent)
        return Entry(key: UInt64(pair.first), value: UInt64(pair.second))
    }

    /// Returns false, and changes nothing, where the place holds something else by now.
    public func replace(_ old: Entry, at place: Int, by new: Entry) -> Bool {
        unsafe places[place].compareExchange(
            expected: WordPair(first: UInt(old.key), second: UInt(old.value)),
            desired: WordPair(first: UInt(new.key), second: UInt(new.value)),
            ordering: .sequentiallyConsistent
        ).exchanged
    }

    /// Empties all places.
    public func clear() {
        for place in 0..<buckets * Self.ways {
            unsafe places[place].store(
                WordPair(first: 0, second: 0), ordering: .sequentiallyConsistent)
        }
    }

    private static func map(
        _ path: String?, _ bytes: Int
    ) throws(SharedMemoryError) -> UnsafeMutableRawPointer {
        var descriptor: CInt = -1
        if let path {
            descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else { throw SharedMemoryError("open", path, errno) }
            // All of it at once: a page that has no room later would end the process.
            let code = posix_fallocate(descriptor, 0, off_t(bytes))
            guard code == 0 else {
                close(descriptor)
                throw SharedMemoryError("posix_fallocate", path, code)
            }
        }
        let flags = MAP_SHARED | (path == nil ? MAP_ANONYMOUS : 0)
        let memory = unsafe mmap(nil, bytes, PROT_READ | PROT_WRITE, flags, descriptor, 0)
        let code = errno
        if descriptor >= 0 { close(descriptor) }
        guard let memory = unsafe memory, unsafe memory != MAP_FAILED else {
            throw SharedMemoryError("mmap", path ?? "memory", code)
        }
        return unsafe memory
    }
}
