/// A JSON text taken apart: where each of its values stands among the bytes.
///
/// Nothing is made of a value before somebody asks for it: of most bodies every member is read once, and of a hostile one nearly none.
final class Tree: Sendable {
    enum Kind: UInt8, Sendable {
        case object
        /// With half a surrogate pair in a member's name, so that nobody can say which members it has.
        case misnamedObject
        case array
        /// As it stands between its quotation marks.
        case string
        /// With a backslash somewhere.
        case escapedString
        case number, bool, null
    }

    struct Node: Sendable {
        var kind: Kind
        /// The value's first byte; of a string the one behind its quotation mark.
        let start: Int32
        /// Behind the value's last byte; of an object or array the place of the next node that is not within it.
        var end: Int32
    }

    let bytes: [UInt8]
    /// In the order of the text. A member's name is a string before its value.
    let nodes: [Node]

    /// - Parameter bytes: UTF-8. Nil unless they are one JSON text.
    init?(_ bytes: [UInt8]) {
        guard let nodes = Grammar.nodes(of: bytes) else { return nil }
        self.bytes = bytes
        self.nodes = nodes
    }

    /// The place of the node behind this one and all that is within it.
    func next(after index: Int) -> Int {
        switch nodes[index].kind {
        case .object, .misnamedObject, .array: Int(nodes[index].end)
        case .string, .escapedString, .number, .bool, .null: index + 1
        }
    }

    /// The bytes of a string or a number.
    func text(of index: Int) -> ArraySlice<UInt8> {
        bytes[Int(nodes[index].start)..<Int(nodes[index].end)]
    }
}
