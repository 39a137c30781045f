import Synchronization

/// The processes that compute hashes for this one: as many as were ever needed at once, started when they are.
///
/// Linux shares the processors among sessions (autogroup) before it looks at the priority of a thread. So a thread of this process, however
/// low, takes from PostgreSQL and nginx what a process of another session leaves to them.
public final class HashingProcesses: Sendable {
    private let command: HashingCommand
    private let patience: Duration
    private let report: @Sendable (String) -> Void
    private let idle = Mutex<[HashingProcess]>([])

    /// - Parameters:
    ///   - patience: the longest wait for an answer, which is long in coming where others want all processors.
    ///   - report: told why a hash had to be computed in this process.
    public init(
        _ command: HashingCommand, patience: Duration = .seconds(10),
        report: @escaping @Sendable (String) -> Void
    ) {
        self.command = command
        self.patience = patience
        self.report = report
    }

    /// Nobody is refused for want of a process: the work is then done here.
    func result(of job: HashingJob) throws(CryptographyError) -> String {
        do throws(HashingProcessError) {
            return try ask(job)
        } catch {
            report("\(error)")
            return try job.result()
        }
    }

    /// Ends those that have nothing to do.
    public func endIdle() {
        // Outside of the lock: each is waited for.
        _ = idle.withLock { idle in
            defer { idle = [] }
            return idle
        }
    }

    private func ask(_ job: HashingJob) throws(HashingProcessError) -> String {
        do throws(HashingProcessError) {
            // The one that worked last has the warmest caches, and may have died since.
            if let process = takeIdle() { return try ask(process, job) }
            return try ask(start(), job)
        } catch {
            if error.isTimeout { throw error }
            return try ask(start(), job)
        }
    }

    private func takeIdle() -> HashingProcess? { idle.withLock { $0.popLast() } }

    private func start() throws(HashingProcessError) -> HashingProcess {
        try HashingProcess(command, patience: patience)
    }

    private func ask(
        _ process: HashingProcess, _ job: HashingJob
    ) throws(HashingProcessError) -> String {
        let answer = try process.answer(job)
        idle.withLock { $0.append(process) }
        return answer
    }
}
