import BabyBasicsServer
import Configuration
import Dispatch
import Glibc
import Synchronization
import SystemPackage

extension ConfigReader {
    /// The environment's variables and, before them, the secrets that systemd hands to a service as files (`LoadCredential=`): `INVITE_KEY`
    /// is the file `invite-key`.
    ///
    /// - Throws: what is wrong with the directory, if the environment names one.
    static func ofThisProcess() throws -> ConfigReader {
        let environment = EnvironmentVariablesProvider()
        guard let directory = getenv("CREDENTIALS_DIRECTORY") else {
            return ConfigReader(provider: environment)
        }
        let path = FilePath(String(cString: directory))
        let files = try CallingThread.run { try await DirectoryFilesProvider(directoryPath: path) }
        return ConfigReader(providers: [files, environment])
    }
}

/// Runs one task in the thread that asks for it. The concurrency pool would start threads for it, whose priorities it
/// sets, which a service in a sandbox must not.
private final class CallingThread: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])
    private let hasJob = DispatchSemaphore(value: 0)

    static func run<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) throws -> Value {
        let executor = CallingThread()
        let box = Box<Value>()
        Task.detached(executorPreference: executor) { await box.fill(body) }
        while true {
            if let result = box.result { return try result.get() }
            executor.runNext()
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        hasJob.signal()
    }

    private func runNext() {
        hasJob.wait()
        let job = jobs.withLock { $0.removeFirst() }
        job.runSynchronously(on: asUnownedTaskExecutor())
    }
}

private final class Box<Value: Sendable>: Sendable {
    private let outcome = Mutex<Result<Value, any Error>?>(nil)

    var result: Result<Value, any Error>? { outcome.withLock { $0 } }

    func fill(_ body: @Sendable () async throws -> Value) async {
        let value: Result<Value, any Error>
        do {
            value = .success(try await body())
        } catch {
            value = .failure(error)
        }
        outcome.withLock { $0 = value }
    }
}
