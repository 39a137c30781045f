import Foundation
import SharedMemory
import Synchronization
import Testing

/// A table in memory that processes share.
struct SharedTableTests {
    private static func freshPath() -> String { "/tmp/table-\(UUID().uuidString)" }

    @Test func `what one process writes, another reads`() throws {
        let path = Self.freshPath()
        defer { unlink(path) }
        let one = try SharedTable(path: path, capacity: 64)
        let entry = SharedTable.Entry(key: 7, value: 42)
        let place = one.places(of: 7).lowerBound
        #expect(one.replace(SharedTable.Entry(key: 0, value: 0), at: place, by: entry))
        let other = try SharedTable(path: path, capacity: 64)
        #expect(other[place] == entry)
        #expect(other.replace(entry, at: place, by: SharedTable.Entry(key: 7, value: 43)))
        #expect(one[place].value == 43)
        one.clear()
        #expect(other[place] == SharedTable.Entry(key: 0, value: 0))
    }

    @Test func `memory without a file is another one each time`() throws {
        let one = try SharedTable(path: nil, capacity: 4)
        let other = try SharedTable(path: nil, capacity: 4)
        let entry = SharedTable.Entry(key: 1, value: 1)
        #expect(one.replace(SharedTable.Entry(key: 0, value: 0), at: 0, by: entry))
        #expect(other[0] != entry)
    }

    @Test func `a place that was changed meanwhile is not replaced`() throws {
        let table = try SharedTable(path: nil, capacity: 4)
        let old = SharedTable.Entry(key: 0, value: 0)
        #expect(table.replace(old, at: 2, by: SharedTable.Entry(key: 9, value: 1)))
        #expect(!table.replace(old, at: 2, by: SharedTable.Entry(key: 8, value: 1)))
        #expect(table[2].key == 9)
    }

    @Test func `keys have places of their own, all of them within the table`() throws {
        let table = try SharedTable(path: nil, capacity: 64)
        var places = Set<Int>()
        for key in UInt64(0)..<16 { places.formUnion(table.places(of: key)) }
        #expect(places == Set(0..<64))
        #expect(table.places(of: .max).upperBound <= 64)
    }

    /// The threads map the file apart from each other, as processes do.
    @Test func `of what many take at once, each is taken once`() throws {
        let path = Self.freshPath()
        defer { unlink(path) }
        let count = 40_000
        let table = try SharedTable(path: path, capacity: 4)
        let full = SharedTable.Entry(key: 5, value: UInt64(count))
        #expect(table.replace(SharedTable.Entry(key: 0, value: 0), at: 1, by: full))
        let taken = Mutex([UInt64]())
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            guard let table = try? SharedTable(path: path, capacity: 4) else { return }
            var mine = [UInt64]()
            while table[1].value > 0 {
                let entry = table[1]
                let less = SharedTable.Entry(key: 5, value: entry.value &- 1)
                if entry.value > 0, table.replace(entry, at: 1, by: less) {
                    mine.append(entry.value)
                }
            }
            taken.withLock { [mine] in $0 += mine }
        }
        #expect(taken.withLock { $0.sorted() } == (1...UInt64(count)).map { $0 })
    }

    @Test func `a file that cannot be had is told by its name`() {
        #expect {
            try SharedTable(path: "/nowhere/table", capacity: 4)
        } throws: {
            "\($0)".contains("/nowhere/table") && "\($0)".contains("No such file")
        }
    }
}
