public import BabyBasicsAPI
import Foundation

/// The value of one field of an entry, as the wire has it. Times and choices are text: a word that this version does
/// not know is kept as it is.
public enum EntryValue: Hashable, Sendable {
    /// Words, a choice, a time in RFC 3339, an id.
    case text(String)
    /// A number with one decimal at most.
    case number(Tenths)
    /// Yes or no.
    case flag(Bool)
    /// Several texts: the times of a plan.
    case list([String])

    /// The text, if it is one.
    public var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The texts, if they are several.
    public var list: [String]? {
        if case .list(let list) = self { list } else { nil }
    }

    /// The number, if it is one.
    public var number: Tenths? {
        if case .number(let number) = self { number } else { nil }
    }

    /// The time, if the text is one.
    public var time: Timestamp? { text.flatMap { Timestamp($0) } }
}

extension EntryValue: Codable {
    /// Reads a string, a number, a truth or several strings.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let list = try? container.decode([String].self) {
            self = .list(list)
        } else {
            self = .number(try container.decode(Tenths.self))
        }
    }

    /// Writes a string, a number, a truth or several strings.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .number(let number): try container.encode(number)
        case .flag(let flag): try container.encode(flag)
        case .list(let list): try container.encode(list)
        }
    }
}

/// The fields of an entry by their names on the wire.
public typealias Fields = [String: EntryValue]

/// A merge patch of an entry's fields: nil takes a value away.
public typealias FieldChanges = [String: EntryValue?]

extension Fields {
    /// The fields after a merge patch. A change of type removes the other types' fields.
    func applying(_ changes: FieldChanges, kind: EventKind?) -> Fields {
        var fields = self
        for (name, value) in changes { fields[name] = value }
        guard let kind, let type = kind.typeField, let word = fields[type]?.text, self[type]?.text != word
        else { return fields }
        for field in kind.fields where field.types?.contains(word) == false {
            fields[field.name] = nil
        }
        return fields
    }

    /// Changes with which a dose that moves to another child leaves its plan: that one is of the child it was logged for.
    func leavingPlan(_ changes: FieldChanges) -> FieldChanges {
        guard self["plan_id"] != nil, !changes.keys.contains("plan_id"), let child = changes["child_id"] ?? nil,
            child != self["child_id"]
        else { return changes }
        var changes = changes
        changes.updateValue(nil, forKey: "plan_id")
        return changes
    }

    /// The changes that make these fields of the others.
    func changes(from others: Fields) -> FieldChanges {
        var changes: FieldChanges = [:]
        for name in Set(keys).union(others.keys) where self[name] != others[name] {
            changes.updateValue(self[name], forKey: name)
        }
        return changes
    }
}

extension EventKind {
    /// The description of a kind; nil for one that this version does not know.
    static func named(_ name: String) -> EventKind? { details(named: name)?.kind }

    /// The name of the field that other fields belong to.
    var typeField: String? { type.map { fields[$0].name } }

    /// Whether the kind's description has the word that an entry has as its type. A later server may have others.
    func knowsType(of entry: Fields) -> Bool {
        guard let type, case .choice(let words) = fields[type].form, let word = entry[fields[type].name]?.text
        else { return true }
        return words.contains(word)
    }
}

/// JSON in preferences and requests: keys sorted, so that equal values are equal texts.
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
