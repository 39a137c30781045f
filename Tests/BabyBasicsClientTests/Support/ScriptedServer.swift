import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A server that answers one connection after the other as its script says, and remembers what it was asked.
final class ScriptedServer: Sendable {
    enum Reply: Sendable {
        case answer(Int, headers: [String: String] = [:], body: String = "")
        /// Reads the request and closes the connection.
        case hangUp
        /// Reads the request and says nothing until the server ends.
        case silence

        static func refusal(
            _ status: Int, _ code: String, details: String = "", headers: [String: String] = [:]
        ) -> Reply {
            .answer(
                status, headers: headers,
                body: #"{"error":{"code":"\#(code)","message":"No","details":[\#(details)]}}"#)
        }
    }

    struct Received: Sendable {
        var line: String
        var headers: [String: String]
        var body: String
    }

    let url: URL
    private let listener: Int32
    private let memory = Mutex<[Received]>([])

    /// - Throws: where this machine has no port to give.
    init(_ script: [Reply]) throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && listen(descriptor, 16) == 0
                    && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard isListening, let url = URL(string: "http://127.0.0.1:\(address.sin_port.bigEndian)")
        else { throw POSIXError(.EADDRNOTAVAIL) }
        self.url = url
        Thread.detachNewThread { [weak self] in
            var held: [Int32] = []
            for reply in script {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else { break }
                let received = read(from: connection)
                self?.memory.withLock { $0.append(received) }
                switch reply {
                case .silence: held.append(connection)
                case .hangUp: close(connection)
                case .answer(let status, let headers, let body):
                    write(answer(status, headers, body), to: connection)
                    close(connection)
                }
            }
            // Nobody is refused while the server lives: what comes after the script waits in vain, and is seen to.
            while accept(descriptor, nil, nil) >= 0 {
                self?.memory.withLock { $0.append(Received(line: "", headers: [:], body: "")) }
            }
            for connection in held { close(connection) }
            close(descriptor)
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
    }

    var received: [Received] {
        memory.withLock { $0 }
    }
}

private func answer(_ status: Int, _ headers: [String: String], _ body: String) -> String {
    let lines = headers.map { "\($0): \($1)\r\n" }.joined()
    let length = status == 204 ? "" : "Content-Length: \(body.utf8.count)\r\n"
    return "HTTP/1.1 \(status) Something\r\n\(length)Connection: close\r\n\(lines)\r\n\(body)"
}

private func write(_ text: String, to connection: Int32) {
    let bytes = Array(text.utf8)
    _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
}

private func read(from connection: Int32) -> ScriptedServer.Received {
    var bytes = Data()
    var buffer = [UInt8](repeating: 0, count: 65_536)
    func more() -> Bool {
        let count = recv(connection, &buffer, buffer.count, 0)
        if count > 0 { bytes.append(contentsOf: buffer[..<count]) }
        return count > 0
    }
    let separator = Data("\r\n\r\n".utf8)
    while bytes.range(of: separator) == nil, more() {}
    let end = bytes.range(of: separator)?.lowerBound ?? bytes.endIndex
    let lines = String(decoding: bytes[..<end], as: UTF8.self).components(separatedBy: "\r\n")
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
        let parts = line.split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else { continue }
        headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
    }
    let total = end + 4 + (headers["content-length"].flatMap(Int.init) ?? 0)
    while bytes.count < total, more() {}
    let body = String(decoding: bytes.dropFirst(end + 4), as: UTF8.self)
    return ScriptedServer.Received(line: lines[0], headers: headers, body: body)
}
