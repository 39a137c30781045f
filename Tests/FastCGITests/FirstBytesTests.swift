import Glibc
import Testing

@testable import FastCGI

@Suite struct FirstBytesTests {
    /// A connection and its peer.
    private let ends: [CInt]
    private var connection: Connection { Connection(descriptor: ends[0]) }

    init() throws {
        try Library.initialize()
        var ends: [CInt] = [-1, -1]
        let type = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        try #require(socketpair(AF_UNIX, type, 0, &ends) == 0)
        self.ends = ends
    }

    @Test func `nobody waits for a connection that is silent`() {
        #expect(Exchange().take(connection) == .nothingYet)
        for end in ends { close(end) }
    }

    @Test func `the end of a connection is no request`() {
        close(ends[1])
        #expect(Exchange().take(connection) == .closed)
        close(ends[0])
    }

    /// Its number would be another connection's the next moment, and the worker would close that one.
    @Test func `libfcgi does not close a connection that it gives up`() {
        // A name of five bytes, of which there is one.
        let broken = Records.begin(keep: true) + Records.stream(.parameters, [5, 0, 65])
        #expect(send(ends[1], broken, broken.count, 0) == broken.count)
        let exchange = Exchange()
        #expect(exchange.take(connection) == .request)
        #expect(!exchange.begin(connection))
        _ = exchange.end()
        var byte: UInt8 = 0
        #expect(recv(ends[1], &byte, 1, CInt(MSG_DONTWAIT)) == -1 && errno == EAGAIN)
        for end in ends { close(end) }
    }
}
