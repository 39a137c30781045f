/// Finds transaction control in a text of SQL statements: a COMMIT in the middle of a migration
/// would leave half of it behind when the other half fails.
///
/// It looks at the first word of each statement, past comments, quoted text and dollar quotes.
/// A function body in `BEGIN ATOMIC … END` is not understood and so refused; dollar quotes are.
enum TransactionControl {
    private static let words: Set<String> = [
        "begin", "start", "commit", "end", "rollback", "abort", "savepoint", "release",
    ]

    static func first(in text: String) -> String? {
        var scanner = Scanner(bytes: Array(text.utf8))
        while let word = scanner.nextFirstWord() {
            if words.contains(word.lowercased()) { return word }
        }
        return nil
    }

    private struct Scanner {
        let bytes: [UInt8]
        var position = 0
        var isAtStart = true

        init(bytes: [UInt8]) { self.bytes = bytes }

        func byte(_ offset: Int = 0) -> UInt8 {
            position + offset < bytes.count ? bytes[position + offset] : 0
        }

        mutating func nextFirstWord() -> String? {
            while position < bytes.count {
                switch byte() {
                case UInt8(ascii: "-") where byte(1) == UInt8(ascii: "-"):
                    skip { $0 != UInt8(ascii: "\n") }
                case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"): skipComment()
                case UInt8(ascii: "'"): skipQuoted(backslash: false)
                case UInt8(ascii: "\""): skipQuoted(backslash: false)
                case UInt8(ascii: "$"): skipDollarQuoted()
                case UInt8(ascii: ";"):
                    isAtStart = true
                    position += 1
                case let letter where Self.isWord(letter):
                    let word = takeWord()
                    if isAtStart {
                        isAtStart = false
                        return word
                    }
                    // E'…' alone knows backslashes.
                    if word == "E" || word == "e", byte() == UInt8(ascii: "'") {
                        skipQuoted(backslash: true)
                    }
                case let other:
                    if other > 0x20 { isAtStart = false }
                    position += 1
                }
            }
            return nil
        }

        static func isWord(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
                true
            default: false
            }
        }

        mutating func skip(while condition: (UInt8) -> Bool) {
            while position < bytes.count, condition(bytes[position]) { position += 1 }
        }

        mutating func takeWord() -> String {
            let start = position
            // A $ inside a name opens no dollar quote.
            skip { Self.isWord($0) || $0 == UInt8(ascii: "$") }
            return String(decoding: bytes[start..<position], as: UTF8.self)
        }

        mutating func skipQuoted(backslash: Bool) {
            let quote = byte()
            position += 1
            while position < bytes.count {
                if backslash, byte() == UInt8(ascii: "\\") {
                    position += 2
                } else if byte() == quote, byte(1) == quote {
                    position += 2
                } else if byte() == quote {
                    position += 1
                    return
                } else {
                    position += 1
                }
            }
        }

        mutating func skipComment() {
            var depth = 0
            while position < bytes.count {
                if byte() == UInt8(ascii: "/"), byte(1) == UInt8(ascii: "*") {
                    depth += 1
                    position += 2
                } else if byte() == UInt8(ascii: "*"), byte(1) == UInt8(ascii: "/") {
                    depth -= 1
                    position += 2
                    if depth == 0 { return }
                } else {
                    position += 1
                }
            }
        }

        mutating func skipDollarQuoted() {
            let start = position
            position += 1
            skip(while: Self.isWord)
            guard byte() == UInt8(ascii: "$") else { return }
            position += 1
            let tag = bytes[start..<position]
            while position < bytes.count {
                if byte() == UInt8(ascii: "$"), bytes[position...].starts(with: tag) {
                    position += tag.count
                    return
                }
                position += 1
            }
        }
    }
}
