import FastCGI
import Glibc

/// Several connections at once whose bytes come in pieces of any size, in any order: each gets its own answers, in its own order,
/// and nobody else's, whoever hangs up in the middle.
enum ConnectionsTarget {
    /// Answers who asked, and sometimes later than others who asked after it.
    private static let peer = Peer { request in
        for _ in 0..<((request.bytes(of: "PAUSES")?.first).map(Int.init) ?? 0) % 8 { await Task.yield() }
        return Response(status: 200, body: Array(request.bytes(of: "WHO") ?? []) + request.body)
    }

    private struct Line {
        let descriptor: CInt
        /// Requests to come, cut into pieces.
        var pieces: [[ArraySlice<UInt8>]]
        var expected: [[UInt8]]
        /// Sent whole.
        var requests = 0
        var received: [UInt8] = []
    }

    @Sendable static func run(_ bytes: [UInt8]) {
        var input = Input(bytes)
        let before = peer.worker.statistics
        // As many large requests as are read at a time: one more would wait for the others.
        var lines = (0..<(2 + Int(input.byte() % 3))).map { line($0, &input) }
        while let index = lines.indices.filter({ !lines[$0].pieces.isEmpty }).nilIfEmpty.map({ input.choice($0) }) {
            if input.byte() == 77 {
                hangUp(&lines[index])
                continue
            }
            let piece = lines[index].pieces[0].removeFirst()
            check(peer.send(piece, lines[index].descriptor), "a piece cannot be sent")
            if lines[index].pieces[0].isEmpty {
                // As web servers do: the next request comes after the answer.
                lines[index].pieces.removeFirst()
                lines[index].requests += 1
                peer.receive(lines[index].requests, from: lines[index].descriptor, after: &lines[index].received)
            } else if input.bool() {
                peer.settle()
            }
        }
        for line in lines where line.descriptor >= 0 { compare(line) }
        for line in lines where line.descriptor >= 0 { close(line.descriptor) }
        peer.waitForConnections(0)
        check(peer.worker.statistics.refused == before.refused, "a good request was refused")
        check(peer.worker.statistics.timedOut == before.timedOut, "a peer was too slow")
    }

    private static func line(_ number: Int, _ input: inout Input) -> Line {
        var line = Line(descriptor: peer.connect(), pieces: [], expected: [])
        for request in 0..<(1 + Int(input.byte() % 3)) {
            let who = Array("\(number).\(request)".utf8)
            let body = Array(repeatElement(input.bytes(), count: input.byte() < 250 ? 1 : 400).joined())
            let parameters = [
                ("WHO", who), ("PAUSES", [input.byte() | 1]), ("CONTENT_LENGTH", Array("\(body.count)".utf8)),
            ]
            var bytes = record(1, [0, 1, 1, 0, 0, 0, 0, 0])
            for (name, value) in parameters {
                bytes += record(4, [UInt8(name.utf8.count), UInt8(value.count)] + Array(name.utf8) + value)
            }
            bytes += record(4, [])
            for start in stride(from: 0, to: body.count, by: 60_000) {
                bytes += record(5, Array(body[start..<min(start + 60_000, body.count)]))
            }
            bytes += record(5, [])
            line.pieces.append(cut(bytes, &input))
            line.expected.append(who + body)
        }
        return line
    }

    private static func cut(_ bytes: [UInt8], _ input: inout Input) -> [ArraySlice<UInt8>] {
        var rest = bytes[...]
        var pieces: [ArraySlice<UInt8>] = []
        // The kernel accounts for each piece by itself: a few at most fit before they are read.
        while !rest.isEmpty, pieces.count < 20 {
            let size = input.byte()
            let piece = rest.prefix(size == 0 ? rest.count : size < 200 ? Int(size) : Int(size) * 300)
            pieces.append(piece)
            rest = rest.dropFirst(piece.count)
        }
        if !rest.isEmpty { pieces.append(rest) }
        return pieces
    }

    private static func hangUp(_ line: inout Line) {
        close(line.descriptor)
        line = Line(descriptor: -1, pieces: [], expected: [])
    }

    private static func compare(_ line: Line) {
        let answers = ReferenceAnswer.all(in: line.received) ?? []
        check(answers.map(\.body) == line.expected, "another's answers, or too few: \(answers.count)")
    }

    private static func record(_ type: UInt8, _ content: [UInt8]) -> [UInt8] {
        [1, type, 0, 1, UInt8(content.count >> 8), UInt8(content.count & 255), 0, 0] + content
    }
}

extension Array {
    fileprivate var nilIfEmpty: Self? { isEmpty ? nil : self }
}
