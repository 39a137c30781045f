import Glibc

/// Where the log goes.
public struct LogOutput: Sendable {
    let form: LogRecord.Form
    private let descriptor: Int32
    private let address: sockaddr_un

    public static let standardError = lines(descriptor: STDERR_FILENO)

    static func lines(descriptor: Int32) -> LogOutput {
        LogOutput(form: .line, descriptor: descriptor, address: sockaddr_un())
    }

    /// journald's socket, a datagram an event.
    static func journal(path: String) -> LogOutput {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { room in
            room.copyBytes(from: path.utf8.prefix(room.count - 1))
        }
        let type = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        return LogOutput(
            form: .journal, descriptor: socket(AF_UNIX, type, 0), address: address)
    }

    /// journald's socket if standard error is connected to journald, otherwise standard error.
    ///
    /// - Parameter journalStream: `$JOURNAL_STREAM`, device and inode of what systemd connected standard error to (systemd.exec(5)).
    ///   Something else may have been put in its place since.
    public static func chosen(journalStream: String?) -> LogOutput {
        let path = "/run/systemd/journal/socket"
        var file = stat()
        guard let journalStream, fstat(STDERR_FILENO, &file) == 0,
            journalStream == "\(file.st_dev):\(file.st_ino)", access(path, W_OK) == 0
        else { return .standardError }
        return .journal(path: path)
    }

    /// What a pipe takes as a whole (PIPE_BUF).
    private static let whole = 4096

    /// Records that are written together: lines as far as a pipe takes them as a whole, a datagram alone.
    func batches(of records: [[UInt8]]) -> [(bytes: [UInt8], count: UInt64)] {
        guard form == .line else { return records.map { ($0, 1) } }
        return records.reduce(into: []) { batches, record in
            if let last = batches.last, last.bytes.count + record.count <= Self.whole {
                batches[batches.count - 1].bytes += record
                batches[batches.count - 1].count += 1
            } else {
                batches.append((record, 1))
            }
        }
    }

    /// Waits for as long as the reader pleases. A line of up to 4096 bytes stays whole, whoever else writes to the same pipe.
    /// - Returns: false where the record is lost.
    func write(_ record: [UInt8]) -> Bool {
        var rest = record[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { form == .line ? writeLine($0) : send($0) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                // Somebody shares the description and made it non-blocking.
                var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&entry, 1, 1000)
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    private func writeLine(_ bytes: UnsafeRawBufferPointer) -> Int {
        Glibc.write(descriptor, bytes.baseAddress, bytes.count)
    }

    /// To the path each time: journald may have been restarted with a new socket.
    private func send(_ bytes: UnsafeRawBufferPointer) -> Int {
        withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                let size = socklen_t(MemoryLayout<sockaddr_un>.size)
                return sendto(
                    descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL), $0, size)
            }
        }
    }
}
