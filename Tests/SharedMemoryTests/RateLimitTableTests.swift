import Foundation
import Synchronization
import Testing

@testable import SharedMemory

@Suite("Requests of a user in a minute")
struct RateLimitTableTests {
    private static let minute = 29_900_000
    private static func freshPath() -> String { "/tmp/rates-\(UUID().uuidString)" }

    private static func someone() -> UInt128 { .random(in: .min ... .max) }

    /// Users of one bucket.
    private static func neighbours(_ count: Int) -> [UInt128] {
        var users: [UInt128] = []
        var next: UInt128 = 1
        while users.count < count {
            if RateLimitTable.Place(next).bucket == 77 { users.append(next) }
            next += 1
        }
        return users
    }

    private let table: RateLimitTable

    init() throws { table = try RateLimitTable(path: nil) }

    /// How many of so many requests are accepted.
    private func accepted(_ user: UInt128, _ requests: Int, at minute: Int = minute) -> Int {
        (0..<requests).count { _ in table.count(user: user, minute: minute) <= 100 }
    }

    @Test("The hundredth is accepted, the next is refused and not counted on")
    func limit() {
        let user = Self.someone()
        for number in 1...100 {
            #expect(table.count(user: user, minute: Self.minute) == number)
        }
        for _ in 0..<1000 { #expect(table.count(user: user, minute: Self.minute) == 101) }
        table.refund(user: user, minute: Self.minute)
        #expect(table.count(user: user, minute: Self.minute) == 100)
        #expect(table.count(user: user, minute: Self.minute) == 101)
    }

    @Test("Limits are up to the caller, up to 127")
    func limits() {
        let user = Self.someone()
        #expect(
            (1...5).map { _ in table.count(user: user, minute: 1, limit: 3) } == [1, 2, 3, 4, 4])
        let other = Self.someone()
        for number in 1...127 {
            #expect(table.count(user: other, minute: 1, limit: 127) == number)
        }
        #expect(table.count(user: other, minute: 1, limit: 127) == 128)
    }

    @Test("Each minute begins anew", arguments: [minute, 0, -1, 1 << 20 - 1, .max - 1])
    func minutes(start: Int) {
        let user = Self.someone()
        #expect(accepted(user, 150, at: start) == 100)
        #expect(accepted(user, 150, at: start &+ 1) == 100)
        #expect(accepted(user, 150, at: start &+ 2000) == 100)
    }

    @Test("A clock that is behind does not begin a minute again, nor is it given one of its own")
    func olderClock() {
        let user = Self.someone()
        #expect(accepted(user, 60, at: Self.minute + 1) == 60)
        #expect(accepted(user, 60, at: Self.minute) == 40)
        #expect(accepted(user, 60, at: Self.minute + 1) == 0)
        // Nor does it take the slots of others.
        let users = Self.neighbours(8)
        for user in users { #expect(accepted(user, 100, at: Self.minute + 1) == 100) }
        #expect(accepted(users[0], 1, at: Self.minute) == 0)
        #expect(users.allSatisfy { accepted($0, 1, at: Self.minute + 1) == 0 })
    }

    @Test("A refund is for its own minute, and never below nothing")
    func refunds() {
        let user = Self.someone()
        table.refund(user: user, minute: Self.minute)
        #expect(table.count(user: user, minute: Self.minute) == 1)
        for _ in 0..<5 { table.refund(user: user, minute: Self.minute) }
        #expect(table.count(user: user, minute: Self.minute) == 1)
        #expect(table.count(user: user, minute: Self.minute + 1) == 1)
        table.refund(user: user, minute: Self.minute)
        #expect(table.count(user: user, minute: Self.minute + 1) == 2)
    }

    @Test("Nobody's requests are counted as another's")
    func apart() {
        // As UUIDs of version 7 are: alike but for a few bits.
        let first = Self.someone()
        let users = (0..<20_000).map { first &+ $0 } + (0..<1000).map { _ in Self.someone() }
        #expect(users.allSatisfy { table.count(user: $0, minute: Self.minute) == 1 })
        let places = Set(users.map { "\(RateLimitTable.Place($0))" })
        #expect(places.count == users.count)
    }

    @Test("A full bucket lets the one with the fewest requests begin anew, and nobody is refused")
    func full() {
        let users = Self.neighbours(9)
        for (index, user) in users.prefix(8).enumerated() {
            #expect(accepted(user, 100, at: Self.minute) == 100, "\(index)")
        }
        // One of them has used less.
        table.refund(user: users[3], minute: Self.minute)
        #expect(table.count(user: users[8], minute: Self.minute) == 1)
        for (index, user) in users.prefix(8).enumerated() where index != 3 {
            #expect(table.count(user: user, minute: Self.minute) == 101)
        }
        // Its place was taken: it takes that of the newcomer, who has one request.
        #expect(table.count(user: users[3], minute: Self.minute) == 1)
        #expect(table.count(user: users[8], minute: Self.minute) == 1)
    }

    @Test("Slots of minutes that are over are used again before anybody has to go")
    func reuse() {
        let users = Self.neighbours(24)
        for (index, minute) in (Self.minute...Self.minute + 2).enumerated() {
            for user in users[index * 8..<(index + 1) * 8] {
                #expect(accepted(user, 100, at: minute) == 100)
            }
            for user in users[index * 8..<(index + 1) * 8] {
                #expect(accepted(user, 1, at: minute) == 0)
            }
        }
    }

    @Test("Of the requests of 8 threads exactly 100 are accepted, each with its own number")
    func threads() {
        let users = (0..<3000).map { _ in Self.someone() }
        let numbers = Mutex([UInt128: [Int]]())
        let ready = Atomic(0)
        let ended = DispatchGroup()
        for _ in 0..<8 {
            ended.enter()
            Thread.detachNewThread { [table] in
                ready.add(1, ordering: .relaxed)
                while ready.load(ordering: .relaxed) < 8 { usleep(20) }
                var mine = [UInt128: [Int]]()
                for first in stride(from: 0, to: users.count, by: 50) {
                    for _ in 0..<20 {
                        for user in users[first..<first + 50] {
                            mine[user, default: []].append(table.count(user: user, minute: 1))
                        }
                    }
                }
                numbers.withLock { [mine] in $0.merge(mine, uniquingKeysWith: +) }
                ended.leave()
            }
        }
        ended.wait()
        for numbers in numbers.withLock({ $0 }).values {
            #expect(numbers.count == 160)
            #expect(numbers.filter { $0 <= 100 }.sorted() == Array(1...100))
        }
    }

    @Test("A slot stays its user's at 0, or two requests at once might take one each")
    func refundedToNothing() {
        let slot = RateLimitTable.Slot(tag: 5, minute: 7, count: 0)
        #expect(slot.isCurrent(at: 7) && !slot.isCurrent(at: 8))
        #expect(!RateLimitTable.Slot(0).isCurrent(at: 0))
    }

    @Test("Threads that use one bucket give each of its eight users 100")
    func crowdedBucket() {
        let users = Self.neighbours(8)
        for round in 0..<50 {
            let accepted = Mutex([UInt128: Int]())
            DispatchQueue.concurrentPerform(iterations: 8) { thread in
                var mine = [UInt128: Int]()
                for request in 0..<320 {
                    let user = users[(request + thread) % 8]
                    if table.count(user: user, minute: Self.minute + round) <= 100 {
                        mine[user, default: 0] += 1
                    }
                }
                accepted.withLock { [mine] in $0.merge(mine, uniquingKeysWith: +) }
            }
            #expect(
                accepted.withLock { $0 }
                    == Dictionary(uniqueKeysWithValues: users.map { ($0, 100) }))
        }
    }

    @Test("Two processes that race accept exactly 100 of each user")
    func processes() async throws {
        // On a busy machine one may be done before the other gets a processor.
        for _ in 0..<10 where try await race() { return }
        Issue.record("they did not race")
    }

    /// Returns whether both got some of a user's 100.
    private func race() async throws -> Bool {
        let path = Self.freshPath()
        let names = (1...2).flatMap { ["\(path).\($0)", "\(path).\($0).ready"] }
        defer { for name in names + [path] { unlink(name) } }
        async let one: ExitTest.Result? = #expect(processExitsWith: .success) {
            [path = path as String] in
            try count(asProcess: 1, waitingFor: 2, path)
        }
        async let two: ExitTest.Result? = #expect(processExitsWith: .success) {
            [path = path as String] in
            try count(asProcess: 2, waitingFor: 1, path)
        }
        _ = await (one, two)
        let counts = try (1...2).map {
            try String(contentsOfFile: "\(path).\($0)", encoding: .utf8).split(separator: " ")
                .compactMap { Int($0) }
        }
        #expect(counts.allSatisfy { $0.count == racedUsers.count })
        #expect(zip(counts[0], counts[1]).allSatisfy { $0 + $1 == 100 })
        return zip(counts[0], counts[1]).contains { $0 > 0 && $1 > 0 }
    }
}

private let racedUsers = (0..<3000).map { UInt128($0) << 64 + 7 }

private func count(asProcess number: Int, waitingFor other: Int, _ path: String) throws {
    let table = try RateLimitTable(path: path)
    try Data().write(to: URL(filePath: "\(path).\(number).ready"))
    let end = ContinuousClock.now + .seconds(60)
    while access("\(path).\(other).ready", F_OK) != 0, ContinuousClock.now < end { usleep(20) }
    // A few users at a time, over and over: the two meet at most of them.
    var counts = racedUsers.map { _ in 0 }
    for first in stride(from: 0, to: racedUsers.count, by: 50) {
        for _ in 0..<110 {
            for index in first..<first + 50
            where table.count(user: racedUsers[index], minute: 1) <= 100 {
                counts[index] += 1
            }
        }
    }
    let text = counts.map(String.init).joined(separator: " ")
    try text.write(toFile: "\(path).\(number)", atomically: true, encoding: .utf8)
}
