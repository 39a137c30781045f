import Foundation
import Testing

@testable import SharedMemory

@Suite("The file of a table")
struct MappedFileTests {
    private let path = "/tmp/rates-\(UUID().uuidString)"
    private let user: UInt128 = 42

    private func attributes() throws -> stat {
        var file = stat()
        try #require(lstat(path, &file) == 0)
        return file
    }

    @Test("What one counts, another who has the file goes on from, and so does the next process")
    func shared() throws {
        defer { unlink(path) }
        var one: RateLimitTable? = try RateLimitTable(path: path)
        let other = try RateLimitTable(path: path)
        #expect(one?.count(user: user, minute: 1) == 1)
        #expect(other.count(user: user, minute: 1) == 2)
        one = nil
        #expect(try RateLimitTable(path: path).count(user: user, minute: 1) == 3)
    }

    @Test("Memory without a file is one's own")
    func own() throws {
        let tables = try (0..<2).map { _ in try RateLimitTable(path: nil) }
        #expect(tables.map { $0.count(user: user, minute: 1) } == [1, 1])
    }

    @Test("It is 1 MiB that its owner alone can read and write, whatever it was before")
    func mode() throws {
        defer { unlink(path) }
        for _ in 0..<2 {
            _ = try RateLimitTable(path: path)
            let file = try attributes()
            #expect(file.st_size == 1 << 20 && file.st_mode & 0o7777 == 0o600)
            chmod(path, 0o666)
        }
    }

    @Test(
        "A file of another size is replaced; who has mapped it goes on with what was",
        arguments: [
            0, 1, 4096, 1 << 20 - 1, 1 << 20 + 1,
        ])
    func otherSize(_ size: Int) throws {
        defer { unlink(path) }
        let before = try RateLimitTable(path: path)
        _ = before.count(user: user, minute: 1)
        // Of another name meanwhile: to shorten it would kill us.
        let mapped = path + ".mapped"
        defer { unlink(mapped) }
        try #require(rename(path, mapped) == 0)
        try Data(repeating: 0xff, count: size).write(to: URL(filePath: path))
        let after = try RateLimitTable(path: path)
        #expect(after.count(user: user, minute: 1) == 1)
        #expect(before.count(user: user, minute: 1) == 2)
        #expect(try attributes().st_size == 1 << 20)
    }

    @Test("Garbage of the right size refuses nobody and counts for nobody")
    func garbage() throws {
        defer { unlink(path) }
        var generator = SystemRandomNumberGenerator()
        let words = (0..<1 << 17).map { _ in UInt64.random(in: .min ... .max, using: &generator) }
        try words.withUnsafeBytes { Data($0) }.write(to: URL(filePath: path))
        let table = try RateLimitTable(path: path)
        for user in UInt128(0)..<2000 {
            #expect(table.count(user: user, minute: 29_900_000) == 1)
        }
        // All bits set are a count of 127 in the last minute of the cycle.
        try Data(repeating: 0xff, count: 1 << 20).write(to: URL(filePath: path))
        let full = try RateLimitTable(path: path)
        for number in 1...100 { #expect(full.count(user: user, minute: 29_900_000) == number) }
        #expect(full.count(user: user, minute: 29_900_000) == 101)
    }

    @Test("A link is replaced and what it leads to is left alone")
    func link() throws {
        let target = path + ".target"
        defer { for name in [path, target] { unlink(name) } }
        try Data("precious".utf8).write(to: URL(filePath: target))
        try #require(symlink(target, path) == 0)
        _ = try RateLimitTable(path: path)
        #expect(try Data(contentsOf: URL(filePath: target)) == Data("precious".utf8))
        #expect(try attributes().st_mode & S_IFMT == S_IFREG)
    }

    @Test("Those who start together have one file, even where there was a bad one")
    func together() throws {
        for round in 0..<20 {
            let path = "\(self.path)-\(round)"
            defer { unlink(path) }
            if round % 2 == 0 { try Data([1]).write(to: URL(filePath: path)) }
            DispatchQueue.concurrentPerform(iterations: 8) { _ in
                _ = try? RateLimitTable(path: path).count(user: user, minute: 1)
            }
            #expect(try RateLimitTable(path: path).count(user: user, minute: 1) == 9)
        }
    }

    @Test("A file that cannot be had is told by its name")
    func nowhere() {
        #expect {
            try RateLimitTable(path: "/nowhere/rates")
        } throws: {
            "\($0)".contains("/nowhere/rates") && "\($0)".contains("No such file")
        }
        mkdir(path, 0o700)
        defer { rmdir(path) }
        #expect(throws: SharedMemoryError.self) { try RateLimitTable(path: path) }
    }
}
