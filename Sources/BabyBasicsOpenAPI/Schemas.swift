import BabyBasicsAPI

/// What a body is for: what an absent member means depends on it.
enum SchemaUse: Hashable, Sendable {
    /// Absent and null are the same, unless a member can only be kept or changed.
    case request
    /// A request whose path names the thing, so that its own id is not read.
    case replacement
    /// Every member is there, null where there is nothing, unless a note says otherwise.
    case answer
}

/// The schemas of the types that bodies are made of, each once and under its name.
struct Schemas {
    private(set) var components: [JSON.Member] = []
    /// Types that cannot be described, with what went wrong: none, as a test shows.
    private(set) var failures: [String] = []
    private var uses: [String: SchemaUse] = [:]

    /// The schema where it is small, otherwise a reference to it.
    mutating func reference(to type: any Decodable.Type, _ use: SchemaUse) -> JSON {
        if let described = type as? any SchemaDescribed.Type {
            let composed = (type as? any SchemaComposed.Type)?.schema(use, &self)
            return composed ?? described.schema
        }
        let name = Self.name(of: type, use)
        if uses.updateValue(use, forKey: name) == nil {
            // Its place comes before those of the types that it is made of.
            components.append(.init(name: name, value: .null))
            let schema = (type as? any SchemaComposed.Type)?.schema(use, &self)
            let place = components.firstIndex { $0.name == name }
            let whole = schema ?? object(type, use)
            if let place { components[place].value = whole }
        }
        return ["$ref": "#/components/schemas/\(name)"]
    }

    /// The schema of a type's members.
    mutating func object(_ type: any Decodable.Type, _ use: SchemaUse) -> JSON {
        let remarks = (type as? any Described.Type)?.remarks ?? [:]
        return object(members(of: type), use) { remarks[$0] }
    }

    mutating func object(
        _ members: [MemberRecorder.Member], _ use: SchemaUse, _ note: (String) -> Remark?
    ) -> JSON {
        var properties: JSON = [:]
        var required: [String] = []
        for member in members where use != .replacement || member.name != "id" {
            let note = note(member.name) ?? Remark()
            var schema = reference(to: member.type, use).merging(note.schema)
            let isAlwaysThere = use == .answer && !note.mayBeAbsent
            if member.isOptional, !note.isNeverNull, use != .answer || isAlwaysThere {
                schema = schema.nullable
            }
            if !member.isOptional || isAlwaysThere { required.append(member.name) }
            properties[member.name] = schema
        }
        var object: JSON = ["type": "object", "properties": properties]
        if !required.isEmpty { object["required"] = .strings(required) }
        return object
    }

    mutating func members(of type: any Decodable.Type) -> [MemberRecorder.Member] {
        do {
            return try MemberRecorder.members(of: type)
        } catch {
            failures.append("\(type): \(error)")
            return []
        }
    }

    /// `SignedIn.Session` is SignedInSession to clients.
    static func name(of type: any Decodable.Type, _ use: SchemaUse) -> String {
        let name =
            (type as? any SchemaNamed.Type)?.schemaName
            ?? String(reflecting: type).split(separator: ".").dropFirst().joined()
        guard use == .replacement else { return name }
        let thing = name.hasPrefix("New") ? name.dropFirst(3) : name.dropLast("Draft".count)
        return thing + "Replacement"
    }
}

extension JSON {
    /// A schema that null satisfies too. What a format means for null is not agreed upon, so that null stands beside it.
    var nullable: JSON {
        var schema = self
        guard self["$ref"] == nil, self["format"] == nil else {
            var around: JSON = [:]
            for name in ["description", "default", "examples"] {
                around[name] = schema[name]
                schema[name] = nil
            }
            return (["anyOf": [schema, ["type": "null"]]] as JSON).merging(around)
        }
        if let type = self["type"] { schema["type"] = [type, "null"] }
        if let words = self["enum"] { schema["enum"] = .array(words.elements + [.null]) }
        return schema
    }
}
