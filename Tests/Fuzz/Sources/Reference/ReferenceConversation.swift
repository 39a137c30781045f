/// What a worker has to make of the bytes of one connection, as far as they are FastCGI 1.0 in the form that a web server speaks.
struct ReferenceConversation {
    struct Exchange {
        var id: UInt16
        /// Its own bytes among all.
        var bytes: Range<Int>
        /// As `name=value` up to the first NUL, in the order sent; libfcgi puts the role before them.
        var variables: [[UInt8]]
        /// Nil where the worker refuses the request.
        var body: [UInt8]?
        var refusal: Int?
        /// Whether the connection is for another request after this one.
        var isKept: Bool
    }

    private(set) var exchanges: [Exchange] = []
    /// Whether there was nothing else, so that these are all.
    private(set) var isWhole = false

    init(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while let exchange = Self.exchange(&rest) {
            exchanges.append(exchange)
            if !exchange.isKept {
                isWhole = true
                return
            }
        }
        isWhole = rest.isEmpty
    }

    private struct Record {
        let type: UInt8
        let id: UInt16
        let content: ArraySlice<UInt8>
        let padding: Int
    }

    private static func record(_ rest: inout ArraySlice<UInt8>) -> Record? {
        let header = Array(rest.prefix(8))
        guard header.count == 8, header[0] == 1 else { return nil }
        let size = Int(header[4]) << 8 | Int(header[5])
        let padding = Int(header[6])
        guard rest.count >= 8 + size + padding else { return nil }
        let content = rest.dropFirst(8).prefix(size)
        rest = rest.dropFirst(8 + size + padding)
        return Record(
            type: header[1], id: UInt16(header[2]) << 8 | UInt16(header[3]), content: content,
            padding: padding)
    }

    private static func exchange(_ rest: inout ArraySlice<UInt8>) -> Exchange? {
        var ahead = rest
        guard let begin = record(&ahead), begin.type == 1, begin.id != 0, begin.padding == 0,
            begin.content.count == 8, begin.content.prefix(2).elementsEqual([0, 1]),
            let parameters = stream(4, begin.id, &ahead),
            let variables = variables(parameters),
            let body = stream(5, begin.id, &ahead)
        else { return nil }
        var exchange = Exchange(
            id: begin.id, bytes: rest.startIndex..<ahead.startIndex, variables: variables,
            body: body, isKept: begin.content[begin.content.startIndex + 2] & 1 == 1)
        rest = ahead
        let prefix = Array("CONTENT_LENGTH=".utf8)
        let announced = variables.first { $0.starts(with: prefix) }?.dropFirst(prefix.count)
        let length = announced.map(length(of:)) ?? 0
        if length == nil {
            exchange.refusal = 400
        } else if let length, length > 1 << 20 {
            exchange.refusal = 413
        } else if length != body.count {
            exchange.refusal = 400
        }
        if exchange.refusal != nil {
            exchange.body = nil
            exchange.isKept = false
        }
        return exchange
    }

    /// The content of a stream's records up to its empty one. Padding there is libfcgi's own trouble.
    private static func stream(
        _ type: UInt8, _ id: UInt16, _ rest: inout ArraySlice<UInt8>
    ) -> [UInt8]? {
        var content: [UInt8] = []
        while let record = record(&rest) {
            guard record.type == type, record.id == id else { return nil }
            if record.content.isEmpty { return record.padding == 0 ? content : nil }
            content += record.content
        }
        return nil
    }

    private static func variables(_ content: [UInt8]) -> [[UInt8]]? {
        var rest = content[...]
        var variables = [Array("FCGI_ROLE=RESPONDER".utf8)]
        while !rest.isEmpty {
            guard let name = size(&rest), let value = size(&rest), rest.count >= name + value else {
                return nil
            }
            let pair = rest.prefix(name) + [UInt8(ascii: "=")] + rest.dropFirst(name).prefix(value)
            variables.append(Array(pair.prefix { $0 != 0 }))
            rest = rest.dropFirst(name + value)
        }
        return variables
    }

    private static func size(_ rest: inout ArraySlice<UInt8>) -> Int? {
        guard let first = rest.popFirst() else { return nil }
        if first < 128 { return Int(first) }
        guard rest.count >= 3 else { return nil }
        let bytes = rest.prefix(3)
        rest = rest.dropFirst(3)
        return bytes.reduce(Int(first & 127)) { $0 << 8 | Int($1) }
    }

    private static func length(of digits: ArraySlice<UInt8>) -> Int? {
        guard digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
        // Past the eighth digit it only has to stay too large.
        return digits.drop { $0 == 48 }.prefix(8).reduce(0) { $0 * 10 + Int($1 - 48) }
    }
}
