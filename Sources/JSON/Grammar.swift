/// Whether bytes that are UTF-8 are one JSON text (RFC 8259), and where its values stand.
///
/// What lies in each other more than 512 deep is refused. Half a surrogate pair is grammatical: the member that has it is at fault, and is
/// named.
struct Grammar {
    private let bytes: [UInt8]
    private var index = 0
    private var nodes: [Tree.Node] = []
    /// The places of the objects and arrays that are open, outermost first.
    private var open: [Int] = []

    /// Nil for anything but one JSON text.
    static func nodes(of bytes: [UInt8]) -> [Tree.Node]? {
        var grammar = Grammar(bytes: bytes)
        return grammar.text() ? grammar.nodes : nil
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
        nodes.reserveCapacity(32)
    }

    /// Without recursion: how deep it goes is the sender's choice, and the stack is not.
    private mutating func text() -> Bool {
        while true {
            skipSpace()
            guard let first = peek() else { return false }
            if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
                guard begin(first == UInt8(ascii: "{") ? .object : .array) else { return false }
                skipSpace()
                // In ASCII both closing signs come two after the opening ones.
                if peek() != first + 2 {
                    guard first == UInt8(ascii: "[") || name() else { return false }
                    continue
                }
            } else if !scalar(first) {
                return false
            }
            skipSpace()
            while let container = open.last, take(closingSign(of: container)) {
                nodes[container].end = Int32(nodes.count)
                open.removeLast()
                skipSpace()
            }
            guard let container = open.last else { return index == bytes.count }
            guard take(UInt8(ascii: ",")) else { return false }
            skipSpace()
            if nodes[container].kind != .array {
                guard name() else { return false }
            }
        }
    }

    private mutating func begin(_ kind: Tree.Kind) -> Bool {
        guard open.count < 512 else { return false }
        open.append(nodes.count)
        note(kind, from: index)
        index += 1
        return true
    }

    private func closingSign(of container: Int) -> UInt8 {
        nodes[container].kind == .array ? UInt8(ascii: "]") : UInt8(ascii: "}")
    }

    /// A value from there up to here.
    private mutating func note(_ kind: Tree.Kind, from start: Int) {
        nodes.append(Tree.Node(kind: kind, start: Int32(start), end: Int32(index)))
    }

    /// A member's name, with its colon.
    private mutating func name() -> Bool {
        guard string() else { return false }
        if let name = nodes.last, name.kind == .escapedString, let container = open.last,
            Escapes.text(of: bytes[Int(name.start)..<Int(name.end)]) == nil
        {
            nodes[container].kind = .misnamedObject
        }
        skipSpace()
        return take(UInt8(ascii: ":"))
    }

    private mutating func scalar(_ first: UInt8) -> Bool {
        switch first {
        case UInt8(ascii: "\""): string()
        case UInt8(ascii: "t"): word("true", .bool)
        case UInt8(ascii: "f"): word("false", .bool)
        case UInt8(ascii: "n"): word("null", .null)
        default: number()
        }
    }

    private mutating func number() -> Bool {
        let start = index
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
        note(.number, from: start)
        return true
    }

    private mutating func digits() -> Bool {
        let start = index
        while let byte = peek(), (48...57).contains(byte) { index += 1 }
        return index > start
    }

    private mutating func string() -> Bool {
        guard take(UInt8(ascii: "\"")) else { return false }
        let start = index
        var kind = Tree.Kind.string
        while let byte = peek(), byte >= 0x20 {
            if byte == UInt8(ascii: "\"") {
                note(kind, from: start)
                index += 1
                return true
            }
            index += 1
            if byte == UInt8(ascii: "\\") {
                guard escape() else { return false }
                kind = .escapedString
            }
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

    private mutating func word(_ word: String, _ kind: Tree.Kind) -> Bool {
        guard bytes[index...].starts(with: word.utf8) else { return false }
        let start = index
        index += word.utf8.count
        note(kind, from: start)
        return true
    }
}
