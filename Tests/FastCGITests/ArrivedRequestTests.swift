import Glibc
import Testing

@testable import FastCGI

/// What is given to libfcgi is a whole request and nothing else.
struct ArrivedRequestTests {
    private func look(_ bytes: [UInt8]) -> ArrivedRequest { ArrivedRequest(bytes.span.bytes) }

    /// Requests as web servers write them, and as the specification lets them.
    static let good: [[UInt8]] = [
        Records.request(),
        Records.request([], contentLength: ""),
        Records.request(body: Array("some body".utf8), keep: true),
        Records.request([("A", ""), ("LONG", String(repeating: "x", count: 140))], body: [1], size: 40, padding: 3),
        Records.request([(String(repeating: "N", count: 130), "v")], body: [UInt8](repeating: 9, count: 9), size: 50),
        Records.request([("A", "1")], body: [1, 2, 3], size: 1),
        Records.begin(keep: true) + Records.stream(.parameters, []) + Records.stream(.standardInput, []),
    ]

    @Test(arguments: good)
    func `a good request is whole, and incomplete before its last byte`(request: [UInt8]) {
        #expect(look(request) == .whole)
        let wrong = request.indices.filter { look(Array(request[..<$0])) != .incomplete }
        #expect(wrong == [])
    }

    @Test func `what follows a whole request changes nothing`() {
        let request = Records.request(body: [1, 2, 3], keep: true)
        #expect(look(request + [0xff]) == .whole)
        #expect(look(request + request) == .whole)
    }

    /// Where a byte matters, changing it is seen; where it does not, libfcgi still has a whole request to read.
    @Test(arguments: good)
    func `one byte changed is never a request that libfcgi would wait for`(request: [UInt8]) throws {
        try Library.initialize()
        let reader = RequestReader()
        var wrong: [String] = []
        for position in request.indices {
            for change: UInt8 in [1, 2, 4, 8, 16, 32, 64, 128, 255] {
                var changed = request
                changed[position] ^= change
                let isWhole = look(changed) == .whole
                let isRight = try isWhole == Reference.isWhole(changed) && (!isWhole || isRead(changed, by: reader))
                if !isRight { wrong.append("byte \(position) by \(change)") }
            }
        }
        #expect(wrong == [])
    }

    /// Whether libfcgi finds a request in these bytes, without waiting for more.
    private func isRead(_ bytes: [UInt8], by reader: RequestReader) throws -> Bool {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        // Whoever waits finds an error instead.
        var time = timeval(tv_sec: 0, tv_usec: 50_000)
        setsockopt(ends[1], SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        defer { close(ends[0]) }
        try #require(send(ends[0], bytes, bytes.count, 0) == bytes.count)
        let outcome = reader.read(from: ends[1], maximumBodyBytes: 1 << 20)
        if case .broken(let isClosed) = outcome {
            if !isClosed { close(ends[1]) }
            return false
        }
        close(ends[1])
        return true
    }

    @Test(arguments: [
        Records.record(.getValues, id: 0, [UInt8](repeating: 0, count: 16)),
        Records.record(.abortRequest, [0, 0, 0, 0, 0, 0, 0, 0]),
        Records.begin(keep: true, role: 2), Records.begin(keep: true, role: 3), Records.begin(keep: true, padding: 8),
        Records.record(.beginRequest, id: 0, [0, 1, 0, 0, 0, 0, 0, 0]),
        Records.record(.beginRequest, [0, 1, 0, 0, 0, 0, 0]),
        Records.record(.beginRequest, [0, 1, 0, 0, 0, 0, 0, 0, 0]),
        Records.begin(keep: true) + Records.begin(keep: true),
        Records.begin(keep: true) + Records.record(.standardInput, [1]),
        Records.begin(keep: true) + Records.record(.parameters, id: 2, [1]),
        Records.begin(keep: true) + Records.stream(.parameters, [4, 0, 0x41]),
        Records.begin(keep: true) + Records.stream(.parameters, [0x80, 0]),
        Records.begin(keep: true) + Records.stream(.parameters, [1]),
        Records.begin(keep: true) + Records.stream(.parameters, []) + Records.record(.parameters, [1]),
        Records.begin(keep: true) + Records.stream(.parameters, []) + Records.record(.abortRequest),
        Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8), [UInt8](repeating: 0, count: 64),
    ])
    func `garbage is told at once`(bytes: [UInt8]) {
        #expect(look(bytes) == .garbage)
        #expect(look(bytes + Records.request()) == .garbage)
    }

    /// An empty pair (`\0\0`) is a pair.
    @Test func `pairs without a name or a value`() {
        for content: [UInt8] in [[0, 0], [0, 1, 0x41], [1, 0, 0x41], [0x80, 0, 0, 0, 0x80, 0, 0, 0]] {
            let bytes =
                Records.begin(keep: false) + Records.stream(.parameters, content)
                + Records.stream(.standardInput, [])
            #expect(look(bytes) == .whole)
        }
    }
}

/// A reading of the specification that is as plain as can be: all of a request at once.
private enum Reference {
    static func isWhole(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        guard let begin = record(&rest), begin.type == 1, begin.content.count == 8, begin.padding == 0,
            begin.id != 0, begin.content[0] == 0, begin.content[1] == 1
        else { return false }
        var parameters: [UInt8] = []
        while true {
            guard let next = record(&rest), next.type == 4, next.id == begin.id else { return false }
            if next.content.isEmpty, next.padding > 0 { return false }
            if next.content.isEmpty { break }
            parameters += next.content
        }
        guard arePairs(parameters) else { return false }
        while true {
            guard let next = record(&rest), next.type == 5, next.id == begin.id else { return false }
            if next.content.isEmpty { return next.padding == 0 }
        }
    }

    private struct Record {
        let type: UInt8
        let id: Int
        let content: [UInt8]
        let padding: Int
    }

    private static func record(_ bytes: inout ArraySlice<UInt8>) -> Record? {
        let header = Array(bytes.prefix(8))
        guard header.count == 8, header[0] == 1 else { return nil }
        let (size, padding) = (Int(header[4]) << 8 | Int(header[5]), Int(header[6]))
        guard bytes.count >= 8 + size + padding else { return nil }
        let content = Array(bytes.dropFirst(8).prefix(size))
        bytes = bytes.dropFirst(8 + size + padding)
        return Record(type: header[1], id: Int(header[2]) << 8 | Int(header[3]), content: content, padding: padding)
    }

    private static func arePairs(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard let name = length(&rest), let value = length(&rest), rest.count >= name + value else { return false }
            rest = rest.dropFirst(name + value)
        }
        return true
    }

    private static func length(_ bytes: inout ArraySlice<UInt8>) -> Int? {
        guard let first = bytes.popFirst() else { return nil }
        if first < 128 { return Int(first) }
        guard bytes.count >= 3 else { return nil }
        let more = bytes.prefix(3)
        bytes = bytes.dropFirst(3)
        return more.reduce(Int(first & 127)) { $0 << 8 | Int($1) }
    }
}
