import Foundation
import Glibc

/// One connection as a web server would hold it. Reading gives up after half a minute.
final class Client {
    struct Answer: Equatable {
        var status: Int
        var headers: [String]
        var body: [UInt8]

        var text: String { String(decoding: body, as: UTF8.self) }
    }

    struct Failure: Error { var reason: String }

    private(set) var descriptor: Int32

    /// A socket that is not connected yet.
    init() {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var time = timeval(tv_sec: 30, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, size)
    }

    convenience init(path: String) throws {
        self.init()
        try connect(path: path)
    }

    func connect(path: String) throws {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, size)
            }
        }
        guard result == 0 else { throw Failure(reason: "connect: \(errno)") }
    }

    deinit { close() }

    func close() {
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
    }

    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure(reason: "send: \(errno)") }
            sent += count
        }
    }

    /// Reads one answer to its FCGI_END_REQUEST.
    func answer() throws -> Answer {
        var output: [UInt8] = []
        while true {
            let header = try read(8)
            let content = try read(Int(header[4]) << 8 | Int(header[5]))
            _ = try read(Int(header[6]))
            switch Records.Kind(rawValue: header[1]) {
            case .standardOutput: output += content
            case .endRequest: return try Client.parse(output)
            default: throw Failure(reason: "record of type \(header[1])")
            }
        }
    }

    func exchange(_ bytes: [UInt8]) throws -> Answer {
        try send(bytes)
        return try answer()
    }

    /// Waits until the other side closes; false if it sends something instead, or nothing.
    func isClosedByServer() -> Bool {
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, 0)
        return count == 0 || (count < 0 && errno == ECONNRESET)
    }

    private func read(_ size: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: size)
        var count = 0
        while count < size {
            let result = bytes[count...].withUnsafeMutableBytes {
                recv(descriptor, $0.baseAddress, $0.count, 0)
            }
            guard result > 0 else { throw Failure(reason: result == 0 ? "closed" : "\(errno)") }
            count += result
        }
        return bytes
    }

    private static func parse(_ output: [UInt8]) throws -> Answer {
        let separator = Array("\r\n\r\n".utf8)
        let end = output.indices.first { output[$0...].starts(with: separator) }
        guard let end else { throw Failure(reason: "no header") }
        let head = String(decoding: output[..<end], as: UTF8.self)
        let headers = head.components(separatedBy: "\r\n")
        guard headers[0].hasPrefix("Status: "), let status = Int(headers[0].dropFirst(8).prefix(3))
        else { throw Failure(reason: "no status") }
        return Answer(
            status: status, headers: Array(headers.dropFirst()), body: Array(output[(end + 4)...]))
    }
}
