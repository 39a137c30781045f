import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// `babybasics-phone` with some arguments. Spawned and reaped by hand: swift-testing's exit tests spin on children that
/// Foundation leaves.
struct PhoneProcess {
    let identifier: pid_t

    /// - Parameter output: a descriptor for what it says; nowhere where absent.
    init(_ arguments: [String], output: Int32? = nil) throws {
        let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "babybasics-phone").path
        try #require(FileManager.default.isExecutableFile(atPath: program))
        #if canImport(Glibc)
            var actions = posix_spawn_file_actions_t()
        #else
            var actions: posix_spawn_file_actions_t?
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let output { posix_spawn_file_actions_adddup2(&actions, output, 1) }
        var pid: pid_t = 0
        let words = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        try #require(posix_spawn(&pid, program, &actions, nil, words, environ) == 0)
        identifier = pid
    }

    /// Its exit status; 255 for one that a signal ended.
    func wait() -> Int32 {
        var ended: Int32 = 0
        waitpid(identifier, &ended, 0)
        return ended & 0x7f == 0 ? ended >> 8 & 0xff : 255
    }
}
