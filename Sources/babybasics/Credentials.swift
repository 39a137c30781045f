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
        let files = try directoryFiles(FilePath(String(cString: directory)))
        return ConfigReader(providers: [files, environment])
    }

    /// The provider reads its files asynchronously. Once, and before anything else runs, so this may wait.
    private static func directoryFiles(_ path: FilePath) throws -> DirectoryFilesProvider {
        let reading = Reading()
        Task.detached { await reading.run(path) }
        return try reading.wait()
    }
}

private final class Reading: Sendable {
    private let result = Mutex<Result<DirectoryFilesProvider, any Error>?>(nil)
    private let isDone = DispatchSemaphore(value: 0)

    func run(_ path: FilePath) async {
        let outcome: Result<DirectoryFilesProvider, any Error>
        do {
            outcome = .success(try await DirectoryFilesProvider(directoryPath: path))
        } catch {
            outcome = .failure(error)
        }
        result.withLock { $0 = outcome }
        isDone.signal()
    }

    func wait() throws -> DirectoryFilesProvider {
        isDone.wait()
        guard let outcome = result.withLock({ $0 }) else {
            throw ConfigurationError("the credentials could not be read")
        }
        return try outcome.get()
    }
}
