import Dispatch
import Synchronization

/// Runs hashing jobs on threads of their own, in the order of `HashingLanes`.
///
/// A thread at the usual priority hands out the jobs, ends those that have waited too long and resumes the callers, so that the hashing
/// threads touch nothing that anybody else may wait for.
final class HashingQueue: Sendable {
    private typealias Running = (job: HashingJob, since: ContinuousClock.Instant)

    private let lanes: Mutex<HashingLanes>
    private let timeout: Duration
    private let threads: [HashingThread]
    /// Something has come, ended or closed.
    private let change = DispatchSemaphore(value: 0)

    init(
        concurrency: Int, limit: Int, timeout: Duration, isIdle: Bool = true,
        report: @escaping @Sendable (String) -> Void
    ) throws(CryptographyError) {
        lanes = Mutex(HashingLanes(concurrency: concurrency, limit: limit, timeout: timeout))
        self.timeout = timeout
        var threads: [HashingThread] = []
        for index in 0..<concurrency {
            // They are refused it all alike: once is enough.
            threads.append(
                try HashingThread(isIdle: isIdle, done: change) { if index == 0 { report($0) } })
        }
        self.threads = threads
        try startThread("password-queue") { [self] in run() }
    }

    var statistics: HashingStatistics { lanes.withLock { $0.statistics } }

    func accepts(_ caller: PasswordCaller) -> Bool { lanes.withLock { $0.accepts(caller) } }

    func countRefusal() { lanes.withLock { $0.countRefusal() } }

    /// Waits for its turn and its result; the caller's thread is free meanwhile.
    func result(of job: HashingJob) async throws -> String {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                job.onFinish { continuation.resume(with: $0) }
                submit(job)
            }
        } onCancel: {
            job.finish(.failure(CancellationError()))
            lanes.withLock { $0.cancel(job) }
        }
    }

    /// Has the job run at its turn, or finishes it by a refusal at once.
    func submit(_ job: HashingJob) {
        guard lanes.withLock({ $0.add(job, at: .now) }) else {
            return job.finish(.failure(CryptographyError.hashingQueueFull))
        }
        change.signal()
        // Cancelled before it was there to be taken out.
        if job.isFinished { lanes.withLock { $0.cancel(job) } }
    }

    /// Refuses the jobs that wait and all that come later. Those that run are finished.
    func close() {
        for job in lanes.withLock({ $0.close() }) {
            job.finish(.failure(CryptographyError.hashingQueueFull))
        }
        change.signal()
    }

    private func run() {
        var running: [Running?] = threads.map { _ in nil }
        while true {
            for (index, thread) in threads.enumerated() {
                guard let (job, since) = running[index], let result = thread.takeResult() else {
                    continue
                }
                running[index] = nil
                lanes.withLock { $0.end(job, after: .now - since) }
                job.finish(result)
            }
            for job in lanes.withLock({ $0.expire(at: .now) }) {
                job.finish(.failure(CryptographyError.hashingQueueFull))
            }
            giveUp(running)
            for (index, thread) in threads.enumerated() where running[index] == nil {
                guard let job = lanes.withLock({ $0.start() }) else { break }
                running[index] = (job, .now)
                thread.start(job.secret, setting: job.setting)
            }
            let (isClosed, deadline) = lanes.withLock { ($0.isClosed, $0.nextDeadline) }
            if isClosed, running.allSatisfy({ $0 == nil }) {
                for thread in threads { thread.stop() }
                return
            }
            let unfinished = running.compactMap { $0 }.filter { !$0.job.isFinished }
            let deadlines = unfinished.map { $0.since + timeout } + [deadline].compactMap { $0 }
            wait(until: deadlines.min())
        }
    }

    /// Refuses the callers of jobs that get no processor: they learn of it before nginx loses patience. The computation goes on.
    private func giveUp(_ running: [Running?]) {
        for (job, since) in running.compactMap({ $0 })
        where since + timeout <= .now && !job.isFinished {
            lanes.withLock { $0.countRefusal() }
            job.finish(.failure(CryptographyError.hashingQueueFull))
        }
    }

    private func wait(until deadline: ContinuousClock.Instant?) {
        guard let deadline else { return change.wait() }
        let nanoseconds = max(0, (deadline - .now) / .nanoseconds(1))
        _ = change.wait(timeout: .now() + .nanoseconds(Int(nanoseconds) + 1))
    }
}
