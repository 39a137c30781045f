/// An answer as the web server reads it.
struct ReferenceAnswer {
    var status: Int
    var body: [UInt8]

    /// All answers of a connection; nil unless every byte belongs to one.
    static func all(in bytes: [UInt8]) -> [ReferenceAnswer]? {
        var rest = bytes[...]
        var answers: [ReferenceAnswer] = []
        var output: [UInt8] = []
        while !rest.isEmpty {
            let header = Array(rest.prefix(8))
            guard header.count == 8, header[0] == 1 else { return nil }
            let size = Int(header[4]) << 8 | Int(header[5])
            let content = rest.dropFirst(8).prefix(size)
            guard rest.count >= 8 + size + Int(header[6]) else { return nil }
            rest = rest.dropFirst(8 + size + Int(header[6]))
            switch (header[1], content.count) {
            case (6, _): output += content
            // Nothing is ever written there; libfcgi ends it all the same.
            case (7, 0): break
            case (3, 8):
                // FCGI_CANT_MPX_CONN answers what libfcgi does not take beside the request in hand.
                if content[content.startIndex + 4] == 1 { continue }
                guard content[content.startIndex + 4] == 0, let answer = ReferenceAnswer(output)
                else { return nil }
                answers.append(answer)
                output = []
            // FCGI_UNKNOWN_TYPE, to a management record.
            case (11, 8) where header[2] == 0 && header[3] == 0: break
            default: return nil
            }
        }
        return output.isEmpty ? answers : nil
    }

    /// The CGI form: `Status`, headers, an empty line, as many bytes as `Content-Length` says.
    private init?(_ output: [UInt8]) {
        let separator = Array("\r\n\r\n".utf8)
        guard let end = output.indices.first(where: { output[$0...].starts(with: separator) }),
            let head = String(validating: output[..<end], as: UTF8.self)
        else { return nil }
        let lines = head.unicodeScalars.split(separator: "\r\n".unicodeScalars).map(String.init)
        guard let first = lines.first, first.hasPrefix("Status: "),
            let status = Int(first.dropFirst(8).prefix(3))
        else { return nil }
        body = Array(output[(end + 4)...])
        self.status = status
        let length = lines.first { $0.hasPrefix("Content-Length: ") }?.dropFirst(16)
        guard length.map({ Int($0) == body.count }) ?? body.isEmpty else { return nil }
    }
}
