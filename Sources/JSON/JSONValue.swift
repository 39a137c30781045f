/// One value of a JSON text (RFC 8259), read where it stands and only when somebody asks.
public struct JSONValue: Sendable {
    let tree: Tree
    let index: Int

    init(tree: Tree, index: Int) {
        self.tree = tree
        self.index = index
    }

    /// - Parameter bytes: UTF-8. Nil unless they are one JSON text.
    public init?(_ bytes: [UInt8]) {
        guard let tree = Tree(bytes) else { return nil }
        self.init(tree: tree, index: 0)
    }

    private var kind: Tree.Kind { tree.nodes[index].kind }

    public var isObject: Bool { kind == .object }
    public var isNull: Bool { kind == .null }

    /// A string's text; nil for anything else, and for half a surrogate pair.
    public var string: String? {
        switch kind {
        case .string: String(decoding: tree.text(of: index), as: UTF8.self)
        case .escapedString: Escapes.text(of: tree.text(of: index))
        default: nil
        }
    }

    /// Of true and false.
    public var bool: Bool? {
        kind == .bool ? tree.bytes[Int(tree.nodes[index].start)] == UInt8(ascii: "t") : nil
    }

    /// A number as it is written.
    public var number: ArraySlice<UInt8>? { kind == .number ? tree.text(of: index) : nil }

    /// An object's member: of several with one name the first.
    public func member(_ name: String) -> JSONValue? {
        guard kind == .object else { return nil }
        let end = tree.next(after: index)
        var at = index + 1
        while at < end {
            if isName(name, at) { return JSONValue(tree: tree, index: at + 1) }
            at = tree.next(after: at + 1)
        }
        return nil
    }

    /// Byte by byte: what Unicode takes for equivalent is another name.
    private func isName(_ name: String, _ index: Int) -> Bool {
        let node = tree.nodes[index]
        if node.kind == .escapedString {
            let text = Escapes.text(of: tree.text(of: index))
            return text.map { $0.utf8.elementsEqual(name.utf8) } ?? false
        }
        guard Int(node.end - node.start) == name.utf8.count else { return false }
        var at = Int(node.start)
        for byte in name.utf8 {
            if tree.bytes[at] != byte { return false }
            at += 1
        }
        return true
    }

    /// An array's elements; nil for anything else.
    public var elements: [JSONValue]? {
        guard kind == .array else { return nil }
        let end = tree.next(after: index)
        var elements: [JSONValue] = []
        var at = index + 1
        while at < end {
            elements.append(JSONValue(tree: tree, index: at))
            at = tree.next(after: at)
        }
        return elements
    }
}
