import BabyBasicsAPI

/// A JSON value whose members keep the order in which they were written, so that a document reads as it was meant to.
enum JSON: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([Member])

    struct Member: Hashable, Sendable {
        let name: String
        var value: JSON
    }
}

extension JSON: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    init(stringLiteral value: String) { self = .string(value) }
    init(integerLiteral value: Int) { self = .integer(value) }
    init(floatLiteral value: Double) { self = .number(value) }
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(nilLiteral: ()) { self = .null }
    init(arrayLiteral elements: JSON...) { self = .array(elements) }
    init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(elements.map { Member(name: $0.0, value: $0.1) })
    }

    static func strings(_ texts: some Sequence<String>) -> JSON { .array(texts.map(JSON.string)) }
}

extension JSON {
    init(_ number: Tenths) {
        self = number.isWhole ? .integer(number.tenths / 10) : .number(number.double)
    }

    var members: [Member] { if case .object(let members) = self { members } else { [] } }
    var elements: [JSON] { if case .array(let elements) = self { elements } else { [] } }
    var text: String? { if case .string(let text) = self { text } else { nil } }

    /// A member of an object. Setting nil takes it out, setting another adds it at the end.
    subscript(_ name: String) -> JSON? {
        get { members.first { $0.name == name }?.value }
        set {
            var members = members
            let index = members.firstIndex { $0.name == name }
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(name: name, value: value))
            case (nil, nil): break
            }
            self = .object(members)
        }
    }

    /// An object with the members of another one, which win.
    func merging(_ other: JSON) -> JSON {
        other.members.reduce(into: self) { $0[$1.name] = $1.value }
    }
}

extension JSON: CustomStringConvertible {
    /// Indented by two spaces, one member or element a line.
    var description: String {
        var text = ""
        write(to: &text, indentation: "\n")
        return text
    }

    private func write(to text: inout String, indentation: String) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .integer(let value): text += String(value)
        case .number(let value): text += "\(value)"
        case .string(let value): Self.write(value, to: &text)
        case .array(let elements):
            let inner = indentation + "  "
            for (index, element) in elements.enumerated() {
                text += (index == 0 ? "[" : ",") + inner
                element.write(to: &text, indentation: inner)
            }
            text += elements.isEmpty ? "[]" : indentation + "]"
        case .object(let members):
            let inner = indentation + "  "
            for (index, member) in members.enumerated() {
                text += (index == 0 ? "{" : ",") + inner
                Self.write(member.name, to: &text)
                text += ": "
                member.value.write(to: &text, indentation: inner)
            }
            text += members.isEmpty ? "{}" : indentation + "}"
        }
    }

    private static func write(_ value: String, to text: inout String) {
        text += "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case "\n": text += "\\n"
            // Control characters, and the separators that JavaScript once took for line ends.
            case "\0"..."\u{1f}", "\u{7f}"..."\u{9f}", "\u{2028}", "\u{2029}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
