import Cryptography

/// Texts as they stand in a mail's header (RFC 5322, RFC 2047). Whatever comes in, one header comes out: what is not plain ASCII is
/// encoded, the ends of lines and NUL included.
enum MailHeader {
    /// A subject.
    static func text(_ text: String) -> String {
        // Two signs that begin an encoded word must not come from outside.
        isPlain(text) && !text.contains("=?") && text.utf8.count <= 66 ? text : encodedWords(text)
    }

    /// A name before an address.
    static func phrase(_ name: String) -> String {
        let isAtoms = name.wholeMatch(of: /[A-Za-z0-9!#$%&'*+\/^_`{|}~-]+(?: [A-Za-z0-9!#$%&'*+\/^_`{|}~-]+)*/) != nil
        if isAtoms, name.utf8.count <= 70 { return name }
        if isPlain(name), !name.contains("=?"), name.utf8.count <= 60 {
            let escaped = name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            return "\"\(escaped)\""
        }
        return encodedWords(name)
    }

    private static func isPlain(_ text: String) -> Bool { text.utf8.allSatisfy { (0x20..<0x7f).contains($0) } }

    /// In words of at most 75 characters, each on a line of its own, none of which ends inside a character.
    private static func encodedWords(_ text: String) -> String {
        var words: [[UInt8]] = [[]]
        for scalar in text.unicodeScalars {
            let bytes = Array(String(scalar).utf8)
            if words[words.count - 1].count + bytes.count > 39 { words.append([]) }
            words[words.count - 1] += bytes
        }
        return words.map { "=?utf-8?B?\(Encoding.paddedBase64($0))?=" }.joined(separator: "\r\n ")
    }
}

extension Encoding {
    /// RFC 4648 section 4.
    static func paddedBase64(_ bytes: [UInt8]) -> String {
        let text = base64(bytes)
        return text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    }
}
