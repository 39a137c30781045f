import Foundation

extension HTTPAnswer {
    /// Reads what `curl --include` writes: the head of the answer, after those of interim ones, an empty line, the body.
    init?(fromCurl bytes: Data) {
        var rest = bytes[...]
        while true {
            guard let end = rest.range(of: Data("\r\n\r\n".utf8)) else { return nil }
            let lines = String(decoding: rest[..<end.lowerBound], as: UTF8.self)
                .components(separatedBy: "\r\n")
            rest = rest[end.upperBound...]
            let words = lines[0].split(separator: " ")
            guard words.count >= 2, words[0].hasPrefix("HTTP/"), let status = Int(words[1]) else {
                return nil
            }
            if (100..<200).contains(status) { continue }
            let headers = lines.dropFirst().compactMap { line -> (name: String, value: String)? in
                guard let colon = line.firstIndex(of: ":") else { return nil }
                let value = line[line.index(after: colon)...]
                return (String(line[..<colon]), value.trimmingCharacters(in: .whitespaces))
            }
            self.init(status: status, headers: headers, body: Data(rest))
            return
        }
    }
}
