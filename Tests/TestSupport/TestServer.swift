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
        var template = Array("/tmp/bbpg.XXXXXX".utf8CString)
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
            "synchronous_commit": "on", "shared_buffers": "32MB", "max_connections": "60",
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

    /// Between `pipe` and `fcntl` no other cluster may start a program.
    private static let spawning = Mutex(())

    private func run(_ arguments: [String]) throws {
        let command = Self.prefix + arguments
        let process = Process()
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        process.currentDirectoryURL = URL(fileURLWithPath: directory)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try Self.spawning.withLock { _ in try process.run() }
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            let log = try? String(contentsOfFile: "\(directory)/log", encoding: .utf8)
            throw TestClusterError("\(arguments[0]) failed\n\(log ?? "")")
        }
    }

    private static func startWatchdog(directory: String, programs: String) throws -> Int32 {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw TestClusterError("pipe failed") }
        // A copy of the writing end in another child would keep the pipe open for ever.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let drop = prefix.joined(separator: " ")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/setsid")
        process.arguments = [
            "/bin/sh", "-c",
            """
            trap '' INT TERM HUP
            cd /
            read -r line
            if [ -f "$1/data/postmaster.pid" ]; then
                \(drop) "$2/pg_ctl" stop -w -t 20 -m immediate -D "$1/data"
            fi
            rm -rf "$1"
            """,
            "watchdog", directory, programs,
        ]
        process.standardInput = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return ends[1]
    }
}
