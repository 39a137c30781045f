public import BabyBasicsAPI
import Foundation

/// The value of one field of an entry, as the wire has it. Times and choices are text.
public enum FieldValue: Hashable, Sendable {
    /// Words, a choice, a time in RFC 3339, an id.
    case text(String)
    /// A number with one decimal at most.
    case number(Tenths)

    /// The text, if it is one.
    public var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The number, if it is one.
    public var number: Tenths? {
        if case .number(let number) = self { number } else { nil }
    }

    /// The time, if the text is one.
    public var time: Timestamp? { text.flatMap { Timestamp($0) } }
}

extension FieldValue: Codable {
    /// Reads a string or a number.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self = .text(text)
        } else {
            self = .number(try container.decode(Tenths.self))
        }
    }

    /// Writes a string or a number.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .number(let number): try container.encode(number)
        }
    }
}

/// The fields of an entry by their names on the wire; what is absent has no value.
public typealias Fields = [String: FieldValue]

/// A merge patch of an entry's fields: nil takes a value away.
public typealias FieldChanges = [String: FieldValue?]

extension Fields {
    /// The fields after a merge patch. What belongs to another type alone goes with a change of type.
    func applying(_ changes: FieldChanges, kind: EventKind?) -> Fields {
        var fields = self
        for (name, value) in changes { fields[name] = value }
        guard let kind, let type = kind.type.map({ kind.fields[$0].name }),
            let word = fields[type]?.text, self[type]?.text != word
        else { return fields }
        for field in kind.fields where field.types?.contains(word) == false {
            fields[field.name] = nil
        }
        return fields
    }

    /// What makes these fields of the others.
    func changes(from others: Fields) -> FieldChanges {
        var changes: FieldChanges = [:]
        for name in Set(keys).union(others.keys) where self[name] != others[name] {
            changes.updateValue(self[name], forKey: name)
        }
        return changes
    }
}

/// JSON in the store's columns: keys sorted, so that equal values are equal texts.
enum StoredJSON {
    static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    static func value<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        try JSONDecoder().decode(type, from: Data(text.utf8))
    }
}
