import Dispatch
import Synchronization

// The names of before, for callers that still block a thread of their own. This file goes with the last of them.

extension PasswordHasher {
    public convenience init(
        cost: Int = 12, concurrency: Int, queue: Int, patience: Duration, places: HostPlaces? = nil,
        processes: HashingProcesses? = nil
    ) throws {
        let report = processes?.report
        try self.init(
            cost: cost, concurrency: concurrency, limit: queue, timeout: patience
        ) { reason in report?(reason) }
    }

    public func hash(_ password: String) throws -> String {
        let secret = PasswordSecret(password)
        let setting = try Bcrypt.setting(cost: cost, salt: SecureRandom.bytes(16))
        return try secret.mark
            + wait(HashingJob(secret.bytes, setting: setting, for: .newDevice))
    }

    public func verify(
        _ password: String, against stored: String?, isPreferred: Bool = false
    ) throws -> Verdict {
        let check = PasswordCheck(password, stored: stored, dummyHash: dummyHash)
        let computed = try wait(check.job(for: isPreferred ? .knownDevice : .newDevice))
        return check.verdict(computed, cost: cost)
    }

    public func turnAwayIfFull(isPreferred: () throws -> Bool) throws {
        guard isFull(for: .newDevice), try !isPreferred() else { return }
        queue.countRefusal()
        throw CryptographyError.hashingQueueFull
    }

    private func wait(_ job: HashingJob) throws -> String {
        let outcome = Outcome()
        job.onFinish { outcome.set($0) }
        queue.submit(job)
        return try outcome.get()
    }

    private final class Outcome: Sendable {
        private let result = Mutex<Result<String, any Error>?>(nil)
        private let isSet = DispatchSemaphore(value: 0)

        func set(_ result: Result<String, any Error>) {
            self.result.withLock { $0 = result }
            isSet.signal()
        }

        func get() throws -> String {
            isSet.wait()
            guard let result = result.withLock({ $0 }) else { throw CancellationError() }
            return try result.get()
        }
    }
}

/// Of no effect any more.
public struct HostPlaces: Sendable {
    public init(directory: String) {}
}

/// Of no effect any more.
public struct HashingCommand: Sendable {
    public init(arguments: [String]) {}
}

/// Of no effect any more, but that it is told why hashing threads cannot be at SCHED_IDLE.
public struct HashingProcesses: Sendable {
    let report: @Sendable (String) -> Void

    public init(_ command: HashingCommand, report: @escaping @Sendable (String) -> Void) {
        self.report = report
    }
}
