import Dispatch
import Foundation
import Synchronization
import Testing

@testable import Cryptography

@Suite("The hashing queue", .serialized)
struct HashingQueueTests {
    /// 0.05 s of a processor, or more.
    private static let quick = "$2y$10$.vGA1O9wmRjrwAVXD98HNOgsNpDczlqm3Jq7KnEd1rVAGv3Fykk1a"
    /// 16 times as long.
    private static let slow = quick.replacingOccurrences(of: "$10$", with: "$14$")
    /// 128 times as long.
    private static let endless = quick.replacingOccurrences(of: "$10$", with: "$17$")

    private func queue(
        concurrency: Int = 1, limit: Int = 16, timeout: Duration = .seconds(600),
        isIdle: Bool = false,
        report: @escaping @Sendable (String) -> Void = { _ in }
    ) throws -> HashingQueue {
        try HashingQueue(
            concurrency: concurrency, limit: limit, timeout: timeout, isIdle: isIdle,
            report: report)
    }

    private func job(
        _ setting: String = quick, _ secret: String = "rasmuslerdorf",
        for caller: PasswordCaller = .newDevice
    ) -> HashingJob { HashingJob(Array(secret.utf8), setting: setting, for: caller) }

    @Test("It answers as bcrypt does, whatever bytes the passwords have and whoever else asks")
    func answers() async throws {
        let queue = try queue(concurrency: 2, limit: 64)
        defer { queue.close() }
        let work = BcryptWork()
        let all = (1...255).map { UInt8($0) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for first in stride(from: 0, to: 255, by: 17) {
                let secret = Array(all[first..<min(255, first + 72)])
                work.prepare(secret, setting: Self.quick)
                work.compute()
                let expected = try work.result()
                group.addTask {
                    let job = HashingJob(secret, setting: Self.quick, for: .newDevice)
                    let result = try await queue.result(of: job)
                    #expect(result == expected)
                }
            }
            try await group.waitForAll()
        }
        #expect(try await queue.result(of: job()) == Self.quick)
        #expect(queue.statistics.started == 16 && queue.statistics.running == 0)
    }

    @Test("A setting that libcrypt cannot use is an error", arguments: ["", "*0", "x", "$2b$12$"])
    func badSetting(_ setting: String) async throws {
        let queue = try queue()
        defer { queue.close() }
        await #expect(throws: CryptographyError.hashingFailed) {
            try await queue.result(of: job(setting))
        }
        // A result of before is not taken for an answer.
        #expect(try await queue.result(of: job()) == Self.quick)
        await #expect(throws: CryptographyError.hashingFailed) {
            try await queue.result(of: job(setting))
        }
    }

    @Test("Hashing threads are at SCHED_IDLE, everybody else is not")
    func policy() async throws {
        let reports = Mutex<[String]>([])
        let queue = try queue(concurrency: 2, isIdle: true) { reason in
            reports.withLock { $0.append(reason) }
        }
        defer { queue.close() }
        _ = try await queue.result(of: job())
        let policies = try Self.policies()
        #expect(policies["password-hash"] != nil)
        for (name, found) in policies {
            // Other tests have theirs at the usual policy.
            if name == "password-hash" {
                #expect(found.count { $0 == 5 } >= 2, "\(found)")
            } else {
                #expect(!found.contains(5), "\(name): \(found)")
            }
        }
        #expect(reports.withLock { $0 } == [])
    }

    @Test("Its threads end when it is closed")
    func end() async throws {
        func count() throws -> Int {
            let policies = try Self.policies()
            return ["password-hash", "password-queue"].reduce(0) {
                $0 + (policies[$1]?.count ?? 0)
            }
        }
        // Far more than what other tests have at the same time.
        for _ in 0..<100 {
            let queue = try queue(concurrency: 3)
            _ = try await queue.result(of: job())
            queue.close()
        }
        #expect(eventually { (try? count()) ?? .max < 200 })
    }

    @Test("Nobody waits for more than the timeout, in the queue or for the computation")
    func timeout() async throws {
        let queue = try queue(timeout: .milliseconds(100))
        defer { queue.close() }
        let running = Task { try await queue.result(of: job(Self.endless, for: .user(1))) }
        #expect(eventually { queue.statistics.running == 1 })
        await #expect(throws: CryptographyError.hashingQueueFull) {
            try await queue.result(of: job())
        }
        await #expect(throws: CryptographyError.hashingQueueFull) { try await running.value }
        #expect(queue.statistics.running == 1 && queue.statistics.waiting == 0)
        #expect(queue.statistics.refused == 2)
        #expect(!queue.accepts(.user(1)), "its check still runs")
    }

    @Test("A caller that is cancelled goes at once, waiting or running")
    func cancellation() async throws {
        let queue = try queue()
        defer { queue.close() }
        let running = Task { try await queue.result(of: job(Self.endless, for: .user(1))) }
        #expect(eventually { queue.statistics.running == 1 })
        let waiting = Task { try await queue.result(of: job(for: .user(2))) }
        #expect(eventually { queue.statistics.waiting == 1 })
        for task in [waiting, running] {
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        #expect(queue.statistics.waiting == 0 && queue.statistics.running == 1)
        #expect(queue.accepts(.user(2)))
        #expect(!queue.accepts(.user(1)), "its check still runs")
        let before = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await queue.result(of: job(for: .user(3)))
        }
        await #expect(throws: CancellationError.self) { try await before.value }
        #expect(queue.accepts(.user(3)) && queue.statistics.waiting == 0)
    }

    @Test("Closed, it finishes what runs and refuses the others")
    func close() async throws {
        let queue = try queue()
        // Given without a suspension, so that the first one still runs when the other one waits.
        let (running, waiting) = (job(Self.slow), job())
        queue.submit(running)
        queue.submit(waiting)
        #expect(eventually { queue.statistics.running == 1 })
        queue.close()
        await #expect(throws: CryptographyError.hashingQueueFull) { try await waiting.result }
        await #expect(throws: CryptographyError.hashingQueueFull) {
            try await queue.result(of: job())
        }
        #expect(try await running.result.hasPrefix("$2y$14$"))
    }

    @Test("The caller's executor does other things while a password is hashed")
    func executor() async throws {
        let queue = try queue()
        defer { queue.close() }
        let loop = OneThread()
        let turns = Mutex(0)
        let ticking = Task.detached(executorPreference: loop) { @Sendable in
            while !Task.isCancelled {
                turns.withLock { $0 += 1 }
                await Task.yield()
            }
        }
        let result = try await Task.detached(executorPreference: loop) { @Sendable in
            let before = turns.withLock { $0 }
            let result = try await queue.result(of: job(Self.slow))
            #expect(loop.isCurrent, "it goes on where it was")
            #expect(turns.withLock { $0 } > before + 100)
            return result
        }.value
        ticking.cancel()
        #expect(result.hasPrefix("$2y$14$"))
    }

    /// The scheduling policies of this process's threads, by their names.
    private static func policies() throws -> [String: [Int]] {
        var policies: [String: [Int]] = [:]
        for thread in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task") {
            let path = "/proc/self/task/\(thread)/stat"
            // It may have ended meanwhile.
            guard let text = try? String(contentsOfFile: path, encoding: .utf8),
                let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")")
            else { continue }
            // Field 41; the third comes after the name.
            let fields = text[close...].dropFirst(2).split(separator: " ")
            let policy = try #require(Int(fields[38]))
            policies[String(text[text.index(after: open)..<close]), default: []].append(policy)
        }
        return policies
    }

    private func eventually(_ condition: () -> Bool) -> Bool {
        let end = ContinuousClock.now + .seconds(30)
        while ContinuousClock.now < end {
            if condition() { return true }
            usleep(1000)
        }
        return false
    }
}

extension HashingJob {
    /// Of a job that was given to a queue.
    var result: String {
        get async throws {
            try await withCheckedThrowingContinuation { continuation in
                onFinish { continuation.resume(with: $0) }
            }
        }
    }
}

/// An executor of one thread, such as an event loop.
private final class OneThread: TaskExecutor {
    private let queue = DispatchQueue(label: "one")
    private static let key = DispatchSpecificKey<Bool>()

    init() { queue.setSpecific(key: Self.key, value: true) }

    var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.key) == true }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        queue.async { job.runSynchronously(on: executor) }
    }
}
