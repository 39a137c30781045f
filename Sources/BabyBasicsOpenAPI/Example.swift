import BabyBasicsAPI

extension Schemas {
    /// A value that a schema allows, made of the examples of its parts.
    func example(of schema: JSON) -> JSON {
        if let reference = schema["$ref"]?.text {
            let name = reference.split(separator: "/").last.map(String.init)
            return components.first { $0.name == name }.map { example(of: $0.value) } ?? nil
        }
        if let example = schema["examples"]?.elements.first { return example }
        if schema["properties"] == nil, let branch = (schema["oneOf"] ?? schema["anyOf"])?.elements.first {
            return example(of: branch)
        }
        if let items = schema["items"] {
            var count = 1
            if case .integer(let least) = schema["minItems"] { count = least }
            return .array(Array(repeating: example(of: items), count: count))
        }
        if let values = schema["additionalProperties"] { return ["name": example(of: values)] }
        guard let properties = schema["properties"] else { return nil }
        let required = schema["required"]?.elements ?? []
        let shown = properties.members.filter {
            $0.value["type"] != "null" || required.contains(.string($0.name))
        }
        return .object(shown.map { .init(name: $0.name, value: example(of: $0.value)) })
    }
}
