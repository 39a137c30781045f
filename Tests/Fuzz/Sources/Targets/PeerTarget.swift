/// Anything that a peer can send on one connection, through libfcgi and the worker to the server and back.
///
/// libfcgi 2.4.2 has faults of its own that some of it would find: it overflows a buffer on its stack for enough values asked for, and
/// allocates what a parameter's lengths announce. `ArrivedRequest` keeps all that from it.
enum PeerTarget {
    @Sendable static func run(_ bytes: [UInt8]) { Peer.shared.converse(bytes) }
}

/// Requests as a web server makes them, however their records are cut and padded: each arrives as it was sent.
enum RequestsTarget {
    @Sendable static func run(_ bytes: [UInt8]) {
        var input = Input(bytes)
        var sent: [UInt8] = []
        var count = 0
        var isLast = false
        while !isLast, count < 8 {
            let (request, isKept) = request(&input)
            sent += request
            count += 1
            isLast = !isKept
        }
        let expected = ReferenceConversation(sent)
        check(expected.isWhole && expected.exchanges.count <= count, "the reference reads less")
        Peer.shared.converse(sent)
    }

    private static func request(_ input: inout Input) -> (bytes: [UInt8], isKept: Bool) {
        let isKept = !input.isEmpty && input.bool()
        let id = max(1, UInt16(input.byte()))
        let body = body(&input)
        var parameters: [(name: [UInt8], value: [UInt8])] = []
        if !body.isEmpty || input.bool() {
            let length = input.byte() < 8 ? input.bytes() : Array(String(body.count).utf8)
            parameters.append((Array("CONTENT_LENGTH".utf8), length))
        }
        for _ in 0..<(input.byte() % 16) {
            let known = ["REQUEST_METHOD", "REQUEST_URI", "CONTENT_TYPE", "HTTP_AUTHORIZATION", ""]
            let name = input.choice(known)
            let value = Array(repeating: input.bytes(), count: input.byte() < 250 ? 1 : 700)
            parameters.append(
                (name.isEmpty ? input.bytes() : Array(name.utf8), value.flatMap { $0 }))
        }
        let pairs = parameters.flatMap { parameter in
            length(parameter.name.count, &input) + length(parameter.value.count, &input)
                + parameter.name + parameter.value
        }
        let bytes =
            record(1, id, [0, 1, isKept ? 1 : 0, 0, 0, 0, 0, 0])
            + stream(4, id, pairs, &input) + stream(5, id, body, &input)
        return (bytes, isKept)
    }

    private static func body(_ input: inout Input) -> [UInt8] {
        let part = input.bytes()
        // libfcgi reads 8 KiB at a time: some bodies go far beyond.
        return Array(repeatElement(part, count: input.byte() < 240 ? 1 : 100).joined())
    }

    /// Lengths under 128 have two forms.
    private static func length(_ count: Int, _ input: inout Input) -> [UInt8] {
        if count < 128, input.byte() < 230 { return [UInt8(count)] }
        return [24, 16, 8, 0].map {
            UInt8(truncatingIfNeeded: count >> $0) | ($0 == 24 ? 0x80 : 0)
        }
    }

    private static func stream(
        _ type: UInt8, _ id: UInt16, _ content: [UInt8], _ input: inout Input
    ) -> [UInt8] {
        var rest = content[...]
        var bytes: [UInt8] = []
        while !rest.isEmpty {
            let size = input.byte()
            let part = Array(rest.prefix(size == 0 ? 65_535 : size < 128 ? Int(size) : 8192))
            rest = rest.dropFirst(part.count)
            bytes += record(type, id, part, padding: input.byte() < 128 ? 0 : input.byte())
        }
        return bytes + record(type, id, [])
    }

    private static func record(
        _ type: UInt8, _ id: UInt16, _ content: [UInt8], padding: UInt8 = 0
    ) -> [UInt8] {
        [
            1, type, UInt8(id >> 8), UInt8(id & 255), UInt8(content.count >> 8),
            UInt8(content.count & 255), padding, 0,
        ] + content + [UInt8](repeating: 1, count: Int(padding))
    }
}
