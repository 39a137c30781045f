import Glibc

/// Where the log goes.
public enum LogOutput: Sendable {
    /// Lines, whole ones with each write.
    case lines(descriptor: Int32)
    /// journald's socket, a datagram an event, each field by itself.
    case journal(path: String)

    public static let standardError = LogOutput.lines(descriptor: STDERR_FILENO)

    /// journald where standard error leads there, and so its reader would be journald in any case; otherwise standard error.
    ///
    /// - Parameter journalStream: `$JOURNAL_STREAM`, device and inode of what systemd connected standard error to (systemd.exec(5)).
    ///   Something else may have been put in its place since.
    public static func chosen(journalStream: String?) -> LogOutput {
        var file = stat()
        guard let journalStream, fstat(STDERR_FILENO, &file) == 0,
            journalStream == "\(file.st_dev):\(file.st_ino)",
            access(journalSocket, W_OK) == 0
        else { return .standardError }
        return .journal(path: journalSocket)
    }

    private static let journalSocket = "/run/systemd/journal/socket"

    var form: LogRecord.Form {
        switch self {
        case .lines: .line
        case .journal: .journal
        }
    }
}

/// What has become of the lines given to a log.
public struct LogStatistics: Sendable, Equatable {
    public var lines: UInt64 = 0
    /// Of these, those that nobody will read.
    public var dropped: UInt64 = 0

    public init() {}
}

/// Records that go out together.
struct LogBatch {
    private(set) var bytes: [UInt8] = []
    /// Where each record ends.
    private(set) var ends: [Int] = []

    mutating func append(_ record: UnsafeBufferPointer<UInt8>) {
        bytes += record
        ends.append(bytes.count)
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }
}

/// The writing end, for one thread. Its calls block for as long as the reader pleases.
struct LogSink {
    private let output: LogOutput
    private var socket: Int32 = -1
    /// The most bytes of a write, but for a longer line: so many a pipe takes as one piece, so that the lines of several processes stay
    /// whole. A file takes any number.
    private let pieceBytes: Int

    init(_ output: LogOutput) {
        self.output = output
        var file = stat()
        if case .lines(let descriptor) = output, fstat(descriptor, &file) == 0,
            file.st_mode & S_IFMT == S_IFREG
        {
            pieceBytes = .max
        } else {
            pieceBytes = 4096
        }
    }

    /// Returns how many records were lost.
    mutating func write(_ batch: LogBatch) -> Int {
        switch output {
        case .lines(let descriptor): writeLines(batch, to: descriptor)
        case .journal(let path): sendRecords(batch, to: path)
        }
    }

    func close() { if socket >= 0 { Glibc.close(socket) } }

    private func writeLines(_ batch: LogBatch, to descriptor: Int32) -> Int {
        var start = 0
        var lost = 0
        var next = 0
        while next < batch.ends.count {
            let first = next
            next += 1
            while next < batch.ends.count, batch.ends[next] - start <= pieceBytes { next += 1 }
            let end = batch.ends[next - 1]
            if !writeAll(batch.bytes[start..<end], to: descriptor) { lost += next - first }
            start = end
        }
        return lost
    }

    private func writeAll(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
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

    private mutating func sendRecords(_ batch: LogBatch, to path: String) -> Int {
        var start = 0
        var lost = 0
        for end in batch.ends {
            let record = batch.bytes[start..<end]
            // Once more on a new socket: journald may have been restarted with a new one of its own.
            if !send(record, to: path), !send(record, to: path) { lost += 1 }
            start = end
        }
        return lost
    }

    private mutating func send(_ record: ArraySlice<UInt8>, to path: String) -> Bool {
        guard connect(to: path) else { return false }
        while true {
            let count = record.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count >= 0 { return true }
            if errno == EINTR { continue }
            if errno == EMSGSIZE { return false }
            Glibc.close(socket)
            socket = -1
            return false
        }
    }

    private mutating func connect(to path: String) -> Bool {
        if socket >= 0 { return true }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let type = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = Glibc.socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else { return false }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else {
            Glibc.close(descriptor)
            return false
        }
        socket = descriptor
        return true
    }
}
