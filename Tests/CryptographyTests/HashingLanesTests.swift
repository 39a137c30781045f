import Testing

@testable import Cryptography

@Suite("The hashing queue's order")
struct HashingLanesTests {
    private let now = ContinuousClock.now

    private func lanes(concurrency: Int = 1, limit: Int = 16) -> Lanes {
        Lanes(HashingLanes(concurrency: concurrency, limit: limit, timeout: .seconds(5)))
    }

    private func job(_ name: String, for caller: PasswordCaller) -> HashingJob {
        HashingJob([], setting: name, for: caller)
    }

    private func startAll(_ lanes: Lanes) -> [String] {
        var order: [String] = []
        while let job = lanes.start() { order.append(job.setting) }
        return order
    }

    @Test("First come, first served")
    func order() {
        for caller in [PasswordCaller.newDevice, .knownDevice] {
            let lanes = lanes()
            for number in 0..<5 { #expect(lanes.add(job("\(number)", for: caller), at: now)) }
            #expect(startAll(lanes) == ["0", "1", "2", "3", "4"])
        }
    }

    @Test("Neither lane starves the other, whoever came first and however many they are")
    func alternating() {
        for (flood, single) in [
            (PasswordCaller.knownDevice, PasswordCaller.newDevice), (.newDevice, .knownDevice),
        ] {
            let lanes = lanes()
            for number in 0..<10 { _ = lanes.add(job("flood \(number)", for: flood), at: now) }
            _ = lanes.start()
            #expect(lanes.add(job("single", for: single), at: now))
            // It waits for one of the flood at most, besides the one that runs.
            let order = startAll(lanes)
            #expect(order.count == 10)
            #expect(order.prefix(2).contains("single"), "\(order)")
        }
    }

    @Test("A full lane refuses, the other one still accepts")
    func full() {
        let lanes = lanes(limit: 2)
        #expect(lanes.add(job("a", for: .newDevice), at: now))
        #expect(lanes.add(job("b", for: .newDevice), at: now))
        #expect(!lanes.accepts(.newDevice))
        #expect(!lanes.add(job("c", for: .newDevice), at: now))
        #expect(lanes.add(job("d", for: .user(1)), at: now))
        #expect(lanes.statistics.waiting == 3 && lanes.statistics.refused == 1)
        #expect(lanes.statistics.limit == 4)
    }

    @Test("One check of a user at a time, from when it waits until it has been computed")
    func oneOfAUser() throws {
        let lanes = lanes(concurrency: 2)
        let first = job("first", for: .user(7))
        #expect(lanes.add(first, at: now))
        #expect(!lanes.add(job("second", for: .user(7)), at: now))
        #expect(lanes.add(job("other", for: .user(8)), at: now))
        let running = try #require(lanes.start())
        #expect(running === first)
        // Its caller has gone, it runs on.
        lanes.cancel(first)
        #expect(!lanes.accepts(.user(7)))
        lanes.end(first, after: .milliseconds(200))
        #expect(lanes.accepts(.user(7)))
    }

    @Test("A user whose check was cancelled, expired or refused may ask again")
    func again() {
        let lanes = lanes(limit: 1)
        let waiting = job("waits", for: .user(7))
        #expect(lanes.add(waiting, at: now))
        #expect(!lanes.add(job("no room", for: .user(8)), at: now))
        lanes.cancel(waiting)
        #expect(lanes.add(job("8", for: .user(8)), at: now))
        #expect(lanes.expire(at: now + .seconds(5)).map(\.setting) == ["8"])
        #expect(lanes.accepts(.user(7)) && lanes.accepts(.user(8)))
        #expect(lanes.statistics.waiting == 0)
    }

    @Test("Who would probably wait for too long is refused at once")
    func inVain() {
        let lanes = lanes()
        let first = job("first", for: .newDevice)
        _ = lanes.add(first, at: now)
        _ = lanes.start()
        lanes.end(first, after: .seconds(1))
        // 4 s of 5 are allowed: the fourth would wait for the running one and three others.
        for number in 1...3 {
            #expect(lanes.add(job("\(number)", for: .newDevice), at: now), "\(number)")
        }
        #expect(!lanes.add(job("4", for: .newDevice), at: now))
        // Alternately with the other lane: one of its own kind, one of the others.
        #expect(lanes.add(job("5", for: .knownDevice), at: now))
        #expect(!lanes.add(job("6", for: .knownDevice), at: now))
    }

    @Test("However long a job takes, one may wait")
    func slow() {
        let lanes = lanes()
        let first = job("first", for: .newDevice)
        _ = lanes.add(first, at: now)
        _ = lanes.start()
        lanes.end(first, after: .seconds(60))
        #expect(lanes.add(job("second", for: .newDevice), at: now))
        #expect(!lanes.add(job("third", for: .newDevice), at: now))
    }

    @Test("Who has waited for the whole timeout is taken out, the others stay")
    func timeout() {
        let lanes = lanes()
        _ = lanes.add(job("new", for: .newDevice), at: now)
        _ = lanes.add(job("known", for: .knownDevice), at: now + .seconds(1))
        #expect(lanes.nextDeadline == now + .seconds(5))
        #expect(lanes.expire(at: now + .seconds(4)).isEmpty)
        #expect(lanes.expire(at: now + .seconds(5)).map(\.setting) == ["new"])
        #expect(lanes.nextDeadline == now + .seconds(6))
        #expect(lanes.statistics.refused == 1)
        #expect(startAll(lanes) == ["known"])
    }

    @Test("Closed, it gives up those that wait and accepts nobody")
    func close() {
        let lanes = lanes()
        _ = lanes.add(job("a", for: .newDevice), at: now)
        _ = lanes.add(job("b", for: .user(1)), at: now)
        #expect(Set(lanes.close().map(\.setting)) == ["a", "b"])
        #expect(!lanes.add(job("c", for: .newDevice), at: now))
        #expect(lanes.start() == nil && lanes.nextDeadline == nil)
    }
}

/// A reference, as `#expect` cannot call what changes a value.
@dynamicMemberLookup
private final class Lanes {
    private var lanes: HashingLanes

    init(_ lanes: HashingLanes) { self.lanes = lanes }

    subscript<Value>(dynamicMember path: KeyPath<HashingLanes, Value>) -> Value {
        lanes[keyPath: path]
    }

    func accepts(_ caller: PasswordCaller) -> Bool { lanes.accepts(caller) }

    func add(_ job: HashingJob, at now: ContinuousClock.Instant) -> Bool {
        lanes.add(job, at: now)
    }

    func start() -> HashingJob? { lanes.start() }

    func end(_ job: HashingJob, after time: Duration) { lanes.end(job, after: time) }

    func cancel(_ job: HashingJob) { lanes.cancel(job) }

    func expire(at now: ContinuousClock.Instant) -> [HashingJob] { lanes.expire(at: now) }

    func close() -> [HashingJob] { lanes.close() }
}
