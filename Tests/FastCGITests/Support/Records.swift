/// FastCGI 1.0 as a web server writes it.
enum Records {
    enum Kind: UInt8 {
        case beginRequest = 1
        case abortRequest = 2
        case endRequest = 3
        case parameters = 4
        case standardInput = 5
        case standardOutput = 6
        case standardError = 7
        case getValues = 9
    }

    static func record(
        _ kind: Kind, id: UInt16 = 1, _ content: [UInt8] = [], padding: Int = 0
    ) -> [UInt8] {
        let length = UInt16(content.count)
        let header = [
            1, kind.rawValue, UInt8(id >> 8), UInt8(id & 0xff), UInt8(length >> 8),
            UInt8(length & 0xff), UInt8(padding), 0,
        ]
        return header + content + [UInt8](repeating: 0xaa, count: padding)
    }

    static func begin(keep: Bool, role: UInt8 = 1, padding: Int = 0) -> [UInt8] {
        record(.beginRequest, [0, role, keep ? 1 : 0, 0, 0, 0, 0, 0], padding: padding)
    }

    static func pair(_ name: [UInt8], _ value: [UInt8]) -> [UInt8] {
        length(name.count) + length(value.count) + name + value
    }

    private static func length(_ count: Int) -> [UInt8] {
        guard count > 127 else { return [UInt8(count)] }
        return [
            UInt8(count >> 24 & 0x7f | 0x80), UInt8(count >> 16 & 0xff), UInt8(count >> 8 & 0xff),
            UInt8(count & 0xff),
        ]
    }

    /// A stream cut into records of at most `size` bytes, and its end.
    static func stream(
        _ kind: Kind, _ content: [UInt8], size: Int = 32_768, padding: Int = 0
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: content.count, by: size) {
            let part = Array(content[start..<min(start + size, content.count)])
            bytes += record(kind, part, padding: padding)
        }
        return bytes + record(kind)
    }

    /// A whole request; padded are the records with content of a stream, as libfcgi cannot take
    /// others. `CONTENT_LENGTH` is the body's, unless given otherwise.
    static func request(
        _ parameters: [(String, String)] = [("REQUEST_METHOD", "POST")], body: [UInt8] = [],
        contentLength: String? = nil, keep: Bool = false, size: Int = 32_768, padding: Int = 0
    ) -> [UInt8] {
        let length = [("CONTENT_LENGTH", contentLength ?? String(body.count))]
        let content = (length + parameters).flatMap { pair(Array($0.0.utf8), Array($0.1.utf8)) }
        return begin(keep: keep)
            + stream(.parameters, content, size: size, padding: padding)
            + stream(.standardInput, body, size: size, padding: padding)
    }
}
