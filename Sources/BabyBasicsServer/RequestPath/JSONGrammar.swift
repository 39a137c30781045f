/// Whether bytes that are UTF-8 are one JSON text (RFC 8259).
///
/// Foundation's decoder lets pass what is none: a comma before a closing brace, anything at all in members that nobody asks for. Found by
/// fuzzing. Besides, what lies in each other more than 512 deep is refused. Half a surrogate pair is grammatical: the member that has it
/// is the one at fault, and is named.
struct JSONGrammar {
    private let bytes: [UInt8]
    private var index = 0

    static func accepts(_ bytes: [UInt8]) -> Bool {
        var grammar = JSONGrammar(bytes: bytes)
        return grammar.text()
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Without recursion: how deep it goes is the sender's choice, and the stack is not.
    private mutating func text() -> Bool {
        // What closes each object and array that is open.
        var open: [UInt8] = []
        while true {
            skipSpace()
            guard let first = peek() else { return false }
            if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
                guard open.count < 512 else { return false }
                // In ASCII both closing signs come two after the opening ones.
                open.append(first + 2)
                index += 1
                skipSpace()
                if peek() != first + 2 {
                    guard first == UInt8(ascii: "[") || name() else { return false }
                    continue
                }
            } else if !scalar(first) {
                return false
            }
            skipSpace()
            while let close = open.last, take(close) {
                open.removeLast()
                skipSpace()
            }
            guard let close = open.last else { return index == bytes.count }
            guard take(UInt8(ascii: ",")) else { return false }
            skipSpace()
            if close == UInt8(ascii: "}") {
                guard name() else { return false }
            }
        }
    }

    /// A member's name, with its colon.
    private mutating func name() -> Bool {
        guard string() else { return false }
        skipSpace()
        return take(UInt8(ascii: ":"))
    }

    private mutating func scalar(_ first: UInt8) -> Bool {
        switch first {
        case UInt8(ascii: "\""): string()
        case UInt8(ascii: "t"): take("true")
        case UInt8(ascii: "f"): take("false")
        case UInt8(ascii: "n"): take("null")
        default: number()
        }
    }

    private mutating func number() -> Bool {
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) {
            guard digits() else { return false }
        }
        if take(UInt8(ascii: ".")) {
            guard digits() else { return false }
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            _ = take(UInt8(ascii: "+")) || take(UInt8(ascii: "-"))
            guard digits() else { return false }
        }
        return true
    }

    private mutating func digits() -> Bool {
        let start = index
        while let byte = peek(), (48...57).contains(byte) { index += 1 }
        return index > start
    }

    private mutating func string() -> Bool {
        guard take(UInt8(ascii: "\"")) else { return false }
        while let byte = peek(), byte >= 0x20 {
            index += 1
            if byte == UInt8(ascii: "\"") { return true }
            if byte == UInt8(ascii: "\\"), !escape() { return false }
        }
        return false
    }

    /// What follows a backslash.
    private mutating func escape() -> Bool {
        guard let byte = peek() else { return false }
        index += 1
        guard byte == UInt8(ascii: "u") else { return #""\/bfnrt"#.utf8.contains(byte) }
        return hexadecimal(4)
    }

    private mutating func hexadecimal(_ count: Int) -> Bool {
        for _ in 0..<count {
            guard let byte = peek(), (48...57).contains(byte) || (97...102).contains(byte | 0x20)
            else { return false }
            index += 1
        }
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek(), byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 {
            index += 1
        }
    }

    private func peek() -> UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek() == byte else { return false }
        index += 1
        return true
    }

    private mutating func take(_ word: String) -> Bool {
        guard bytes[index...].starts(with: word.utf8) else { return false }
        index += word.utf8.count
        return true
    }
}
