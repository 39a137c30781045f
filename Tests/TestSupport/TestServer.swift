import Foundation
import Synchronization

/// The postmaster of a test cluster and its data directory.
///
/// A shell waits at the other end of a pipe that this process holds open. When the pipe closes,
/// because the cluster is let go or the process ended in whatever way, it stops PostgreSQL and
/// removes the directory.
final class TestServer: Sendable {
    static let port = "5432"

    let directory: String
    private let programs: String
    /// Held open; see above.
    private let lifeline: Int32

    init(settings: [String: String]) throws {
        programs = try Self.findPrograms()
        // Short: the path of a unix socket has at most 107 bytes.
        var template = Array("\(Self.place())/bbpg.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw TestClusterError("mkdtemp failed") }
        directory = String(
            decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        if Self.isRoot, let account = getpwnam("postgres") {
            chown(directory, account.pointee.pw_uid, account.pointee.pw_gid)
        }
        lifeline = try Self.spawning.withLock { [directory, programs] _ in
            try Self.startWatchdog(directory: directory, programs: programs)
        }
        do {
            try run([
                "\(programs)/initdb", "--pgdata", "\(directory)/data", "--username", "postgres",
                "--auth", "trust", "--encoding", "UTF8", "--locale", "C.UTF-8", "--no-sync",
            ])
            try configure(settings)
            try start()
        } catch {
            close(lifeline)
            throw error
        }
    }

    deinit { close(lifeline) }

    private func configure(_ settings: [String: String]) throws {
        var all = [
            "listen_addresses": "''", "unix_socket_directories": "'\(directory)'",
            "port": Self.port, "fsync": "off", "full_page_writes": "off",
            "synchronous_commit": "on", "shared_buffers": "32MB", "max_connections": "300",
            "autovacuum": "off", "log_min_messages": "fatal", "max_wal_size": "256MB",
            "wal_level": "replica", "max_wal_senders": "2",
        ]
        all.merge(settings) { $1 }
        let lines = all.map { "\($0.key) = \($0.value)\n" }.sorted().joined()
        let file = try FileHandle(
            forWritingTo: URL(fileURLWithPath: "\(directory)/data/postgresql.conf"))
        defer { try? file.close() }
        try file.seekToEnd()
        try file.write(contentsOf: Data(lines.utf8))
    }

    func start() throws {
        try run([
            "\(programs)/pg_ctl", "start", "-w", "-t", "60", "-s", "-D", "\(directory)/data",
            "-l", "\(directory)/log",
        ])
    }

    func stop(_ mode: TestCluster.StopMode) throws {
        try run([
            "\(programs)/pg_ctl", "stop", "-w", "-s", "-D", "\(directory)/data",
            "-m", mode.rawValue,
        ])
    }

    /// In memory where there is room: hundreds of databases are made, each a copy of some 300 files and 9 MB.
    private static func place() -> String {
        var memory = statvfs()
        guard statvfs("/dev/shm", &memory) == 0, access("/dev/shm", W_OK) == 0 else { return "/tmp" }
        return memory.f_bavail * memory.f_frsize > 6 << 30 ? "/dev/shm" : "/tmp"
    }

    private static var isRoot: Bool { geteuid() == 0 }

    /// PostgreSQL refuses to run as root.
    private static var prefix: [String] {
        isRoot
            ? ["/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] : []
    }

    private static func findPrograms() throws -> String {
        let base = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: base)) ?? []
        let newest = versions.filter {
            FileManager.default.isExecutableFile(atPath: "\(base)/\($0)/bin/initdb")
        }.max { (Int($0) ?? 0) < (Int($1) ?? 0) }
        guard let newest else { throw TestClusterError("no initdb in \(base)/*/bin") }
        return "\(base)/\(newest)/bin"
    }

    private func run(_ arguments: [String]) throws {
        guard try Self.spawning.withLock({ _ in try Self.spawn(Self.prefix + arguments) })() == 0
        else {
            let log = try? String(contentsOfFile: "\(directory)/log", encoding: .utf8)
            throw TestClusterError("\(arguments[0]) failed\n\(log ?? "")")
        }
    }

    /// Between `pipe` and `fcntl` no other cluster may start a program.
    private static let spawning = Mutex(())

    /// Starts a program; the result waits for its end and gives its status.
    ///
    /// `Process` of Foundation waits until every process that inherited its socket has ended: with
    /// `pg_ctl start` that is PostgreSQL itself. And it leaves what has ended unreaped until then,
    /// for which swift-testing's exit tests wait without end.
    private static func spawn(_ command: [String], input: Int32? = nil) throws -> () -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor: Int32 in 0...2 {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        if let input { posix_spawn_file_actions_adddup2(&actions, input, 0) }
        var words = command.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var child = pid_t()
        let result = posix_spawn(&child, command[0], &actions, nil, &words, environ)
        guard result == 0 else { throw TestClusterError("\(command[0]): \(result)") }
        return { [child] in
            var status: Int32 = 0
            while waitpid(child, &status, 0) == -1, errno == EINTR {}
            return status
        }
    }

    private static func startWatchdog(directory: String, programs: String) throws -> Int32 {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw TestClusterError("pipe failed") }
        defer { close(ends[0]) }
        // A copy of the writing end in another child would keep the pipe open for ever.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let drop = prefix.joined(separator: " ")
        let script = """
            trap '' INT TERM HUP
            cd /
            read -r line
            if [ -f "$1/data/postmaster.pid" ]; then
                \(drop) "$2/pg_ctl" stop -w -t 20 -m immediate -D "$1/data"
            fi
            rm -rf "$1"
            """
        let command = ["/usr/bin/setsid", "--fork", "/bin/sh", "-c", script, "watchdog"]
        guard try spawn(command + [directory, programs], input: ends[0])() == 0 else {
            throw TestClusterError("setsid failed")
        }
        return ends[1]
    }
}
