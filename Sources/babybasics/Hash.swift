import ArgumentParser
import Cryptography
import Glibc

/// What a worker starts for itself, see `HashingProcesses`; nobody else has a use for it.
struct Hash: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Hash passwords for a worker.", shouldDisplay: false)

    static let command = HashingCommand(arguments: ["babybasics", "hash"])

    func run() {
        setName("babybasics-hash")
        HashingService.run()
    }

    /// Of the process, as `ps -e` shows it: it would be that of the link in /proc. 15 bytes at most.
    private func setName(_ name: String) {
        let file = open("/proc/self/comm", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        _ = write(file, name, name.utf8.count)
        close(file)
    }
}
