import CSpawn
import Glibc

/// How a program is started that runs `HashingService`.
public struct HashingCommand: Sendable {
    private let program: String
    private let arguments: [String]

    /// - Parameters:
    ///   - program: a path. Usually this program as it runs, whatever has come to lie at its place by now.
    ///   - arguments: its name first.
    public init(program: String = "/proc/self/exe", arguments: [String]) {
        self.program = program
        self.arguments = arguments
    }

    /// Starts it with `socket` as its input and output, nothing else that is open here but standard error, and no environment: there are
    /// secrets in ours.
    func start(speakingTo socket: CInt) throws(HashingProcessError) -> pid_t {
        var files = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&files)
        defer { unsafe posix_spawn_file_actions_destroy(&files) }
        for end in [STDIN_FILENO, STDOUT_FILENO] {
            unsafe posix_spawn_file_actions_adddup2(&files, socket, end)
        }
        unsafe posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1)

        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        // A session of its own is what Linux shares the processors among (autogroup).
        let flags = POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
        var signals = sigset_t()
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        // It ends with us. Who tells all of us to stop still waits for the answers that we have in hand.
        unsafe sigemptyset(&signals)
        for signal in [SIGTERM, SIGINT, SIGHUP] { unsafe sigaddset(&signals, signal) }
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)

        var words = unsafe arguments.map { unsafe strdup($0) } + [nil]
        defer { for index in unsafe words.indices { unsafe free(words[index]) } }
        var environment: [UnsafeMutablePointer<CChar>?] = unsafe [nil]
        var identifier: pid_t = 0
        let code = unsafe posix_spawn(
            &identifier, program, &files, &attributes, &words, &environment)
        guard code == 0 else { throw HashingProcessError("posix_spawn", code) }
        return identifier
    }
}
