import BabyBasicsServer
import Configuration
import EventLoop
import Glibc
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
        let files = try EventLoop.run { _ in try await DirectoryFilesProvider(directoryPath: path) }
        return ConfigReader(providers: [files, environment])
    }
}
