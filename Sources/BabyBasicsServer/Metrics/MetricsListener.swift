import EventLoop
import Glibc
import Synchronization

/// Answers `GET /metrics` on a loopback address, to one client at a time, on a thread of its own: whatever its clients do,
/// the event loop does not notice.
public final class MetricsListener: Sendable {
    /// Closed in `deinit`, when neither the thread nor a caller of `close` can still mean it by its number.
    let descriptor: Int32
    private let text: @Sendable () -> String
    private let isClosed = Atomic(false)

    /// - Throws: `ConfigurationError` that names the address when it cannot be listened on.
    public init(_ address: LoopbackAddress, text: @escaping @Sendable () -> String) throws {
        guard let descriptor = address.listen() else {
            let reason = String(cString: strerror(errno))
            throw ConfigurationError("metrics on port \(address.port): \(reason)")
        }
        self.descriptor = descriptor
        self.text = text
        try DedicatedThread(stackBytes: 256 << 10) { self.run() }.detach()
    }

    deinit { Glibc.close(descriptor) }

    /// Stops listening; a request under way is still answered.
    public func close() {
        if !isClosed.exchange(true, ordering: .relaxed) { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }

    /// The port it listens on.
    public var port: UInt16 {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) {
            _ = $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(descriptor, $0, &size)
            }
        }
        return UInt16(bigEndian: address.sin_port)
    }

    private func run() {
        while !isClosed.load(ordering: .relaxed) {
            let client = accept(descriptor, nil, nil)
            guard client >= 0 else {
                // Out of descriptors, most likely; others will close some.
                if errno != EINTR { usleep(50_000) }
                continue
            }
            _ = fcntl(client, F_SETFD, FD_CLOEXEC)
            serve(client)
            Glibc.close(client)
        }
    }

    private func serve(_ client: Int32) {
        let ends = Self.now + 2_000_000_000
        var request: [UInt8] = []
        while !request.contains(end) {
            guard request.count < 8192, wait(client, POLLIN, until: ends) else { return }
            var piece = [UInt8](repeating: 0, count: 2048)
            let count = recv(client, &piece, piece.count, Int32(MSG_DONTWAIT))
            guard count > 0 else { return }
            request += piece.prefix(count)
        }
        send(Self.answer(request, text), to: client)
    }

    private let end = Array("\r\n\r\n".utf8)

    private static func answer(_ request: [UInt8], _ text: () -> String) -> [UInt8] {
        let words = String(decoding: request.prefix { $0 != 13 }, as: UTF8.self).split(
            separator: " ")
        guard words.count == 3, words[2].hasPrefix("HTTP/1.") else {
            return response("400 Bad Request", "")
        }
        guard words[1] == "/metrics" else { return response("404 Not Found", "") }
        guard words[0] == "GET" else { return response("405 Method Not Allowed", "") }
        return response("200 OK", text())
    }

    private static func response(_ status: String, _ body: String) -> [UInt8] {
        let head = """
            HTTP/1.0 \(status)\r
            Content-Type: text/plain; version=0.0.4; charset=utf-8\r
            Content-Length: \(body.utf8.count)\r
            Connection: close\r
            \r

            """
        return Array(head.utf8) + Array(body.utf8)
    }

    private func send(_ bytes: [UInt8], to client: Int32) {
        let ends = Self.now + 5_000_000_000
        let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(client, $0.baseAddress, $0.count, flags) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EAGAIN || !wait(client, POLLOUT, until: ends) {
                return
            }
        }
        shutdown(client, Int32(SHUT_WR))
    }

    private func wait(_ client: Int32, _ event: Int32, until ends: UInt64) -> Bool {
        let now = Self.now
        guard now < ends else { return false }
        var entry = pollfd(fd: client, events: Int16(event), revents: 0)
        return poll(&entry, 1, Int32((ends - now) / 1_000_000) + 1) == 1
    }

    private static var now: UInt64 { Monotonic.now }
}
