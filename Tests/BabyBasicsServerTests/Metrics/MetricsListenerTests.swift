import Foundation
import Testing

@testable import BabyBasicsServer

struct MetricsListenerTests {
    private func listener(_ text: @escaping @Sendable () -> String = { "some 1\n" }) throws
        -> MetricsListener
    {
        try MetricsListener(LoopbackAddress("127.0.0.1:0").required(), text: text)
    }

    @Test("GET /metrics is answered, nothing else")
    func answers() throws {
        let listener = try listener()
        defer { listener.close() }
        let answer = try exchange("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n", listener)
        #expect(answer.hasPrefix("HTTP/1.0 200 OK\r\n"))
        #expect(answer.contains("\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n"))
        #expect(answer.contains("\r\nContent-Length: 7\r\n"))
        #expect(answer.hasSuffix("\r\n\r\nsome 1\n"))
        for (request, status) in [
            ("GET / HTTP/1.0", "404"), ("GET /metrics/x HTTP/1.0", "404"),
            ("POST /metrics HTTP/1.1", "405"), ("nonsense", "400"), ("GET /metrics FTP/1.0", "400"),
        ] {
            #expect(try exchange("\(request)\r\n\r\n", listener).hasPrefix("HTTP/1.0 \(status) "))
        }
    }

    @Test("A long text goes out whole to a slow reader")
    func long() throws {
        let body = String(repeating: "0123456789\n", count: 200_000)
        let listener = try listener { body }
        defer { listener.close() }
        #expect(try exchange("GET /metrics HTTP/1.0\r\n\r\n", listener).hasSuffix(body))
    }

    @Test("A client that says nothing, or says it bit by bit, does not keep others out for long")
    func silence() throws {
        let listener = try listener()
        defer { listener.close() }
        let silent = try connect(listener)
        defer { close(silent) }
        let slow = try connect(listener)
        defer { close(slow) }
        _ = send(slow, "GET /m", 6, 0)
        let answer = try exchange("GET /metrics HTTP/1.0\r\n\r\n", listener)
        #expect(answer.hasSuffix("some 1\n"))
    }

    @Test("It can be had again at once on the same port")
    func again() throws {
        let first = try listener()
        let port = first.port
        _ = try exchange("GET /metrics HTTP/1.0\r\n\r\n", first)
        let address = try LoopbackAddress("127.0.0.1:\(port)").required()
        #expect(throws: ConfigurationError.self) { try MetricsListener(address) { "" } }
        first.close()
        var second: MetricsListener?
        for _ in 0..<500 where second == nil {
            usleep(10_000)
            second = try? MetricsListener(address) { "other 2\n" }
        }
        let answer = try exchange("GET /metrics HTTP/1.0\r\n\r\n", second.required())
        #expect(answer.hasSuffix("other 2\n"))
        second?.close()
    }

    @Test("Its descriptor's number is nobody else's while it can still be closed by it")
    func descriptor() throws {
        let listener = try listener()
        listener.close()
        // Its thread ends within this time.
        var others: [Int32] = []
        for _ in 0..<100 {
            others.append(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
            usleep(2000)
        }
        defer { for other in others { close(other) } }
        #expect(!others.contains(listener.descriptor))
        #expect(throws: Missing.self) { try connect(listener) }
    }

    @Test(
        "Only addresses of this machine are taken",
        arguments: ["127.0.0.1:9101", "127.0.0.1:65535", "127.0.0.1:0"])
    func loopback(_ text: String) { #expect(LoopbackAddress(text) != nil) }

    @Test(
        "Any other is refused",
        arguments: [
            "0.0.0.0:9101", "10.0.0.1:9101", "[::]:9101", "[::2]:9101", "localhost:9101", "9101",
            "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "127.1:9101", ":9101", "",
            "128.0.0.1:1", "127.9.8.7:1", "[::1]:9101", "::1:9101", "[::ffff:127.0.0.1]:9101",
        ])
    func elsewhere(_ text: String) { #expect(LoopbackAddress(text) == nil) }

    private func connect(_ listener: MetricsListener) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = listener.port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Missing() }
        var patience = timeval(tv_sec: 30, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
        return descriptor
    }

    private func exchange(_ request: String, _ listener: MetricsListener) throws -> String {
        let descriptor = try connect(listener)
        defer { close(descriptor) }
        _ = send(descriptor, request, request.utf8.count, 0)
        var answer: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &piece, piece.count, 0)
            guard count > 0 else { return String(decoding: answer, as: UTF8.self) }
            answer += piece.prefix(count)
        }
    }
}
