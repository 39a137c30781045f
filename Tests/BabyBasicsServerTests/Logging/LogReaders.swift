import Foundation

/// The reading end of a pipe whose other end a log writes to.
final class LinePipe: Sendable {
    let input: Int32
    private let output: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Missing() }
        (output, input) = (ends[0], ends[1])
    }

    deinit {
        close(output)
        close(input)
    }

    /// Whatever has been written, without waiting for more.
    func text() -> String {
        _ = fcntl(output, F_SETFL, O_NONBLOCK)
        var all: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(output, &piece, piece.count)
            if count <= 0 { return String(decoding: all, as: UTF8.self) }
            all += piece.prefix(count)
        }
    }

    var lines: [String] { text().split(separator: "\n").map(String.init) }
}

/// A file that a log writes to: it takes any number of lines.
final class LineFile: Sendable {
    let descriptor: Int32
    private let path: String

    init() throws {
        path = "/tmp/bbl-\(UUID().uuidString)"
        descriptor = open(path, O_CREAT | O_WRONLY | O_APPEND, 0o600)
        guard descriptor >= 0 else { throw Missing() }
    }

    deinit {
        close(descriptor)
        unlink(path)
    }

    /// All that was written since the last time.
    func lines() throws -> [String] {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        truncate(path, 0)
        return text.split(separator: "\n").map(String.init)
    }
}

/// A socket such as journald's.
final class JournalStandIn: Sendable {
    let path: String
    private let socket: Int32

    init(path: String = "/tmp/bbj-\(UUID().uuidString.prefix(13)).sock") throws {
        self.path = path
        socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw Missing() }
    }

    deinit {
        close(socket)
        unlink(path)
    }

    /// One datagram as it came; nil when none does within 5 s.
    func datagram() -> [UInt8]? {
        var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, 5000) == 1 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = recv(socket, &bytes, bytes.count, 0)
        return count >= 0 ? Array(bytes.prefix(count)) : nil
    }

    /// The fields of the next event, read as systemd documents its native protocol.
    func event() throws -> [String: String] {
        var rest = try datagram().required()[...]
        var fields: [String: String] = [:]
        while !rest.isEmpty {
            let line = rest.prefix { $0 != 10 }
            rest = rest.dropFirst(line.count + 1)
            if let equals = line.firstIndex(of: UInt8(ascii: "=")) {
                fields[String(decoding: line[..<equals], as: UTF8.self)] =
                    String(decoding: line[(equals + 1)...], as: UTF8.self)
            } else {
                let size = rest.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
                guard rest.count >= 8 + size + 1, rest.dropFirst(8 + size).first == 10 else {
                    throw Missing()
                }
                fields[String(decoding: line, as: UTF8.self)] =
                    String(decoding: rest.dropFirst(8).prefix(size), as: UTF8.self)
                rest = rest.dropFirst(8 + size + 1)
            }
        }
        return fields
    }
}
