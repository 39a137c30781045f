import BabyBasicsAPI

// The schemas of events: their members come from the Swift types, their limits and what belongs to which type from the kind's description.

extension Event: SchemaNamed, SchemaComposed {
    static var schemaName: String { Details.kind.name.capitalizedFirst }

    static func schema(_ use: SchemaUse, _ schemas: inout Schemas) -> JSON {
        schemas.event(of: Details.self, members: Self.self, use)
    }
}

extension EventDraft: SchemaNamed, SchemaComposed {
    static var schemaName: String { Details.kind.name.capitalizedFirst + "Draft" }

    static func schema(_ use: SchemaUse, _ schemas: inout Schemas) -> JSON {
        schemas.event(of: Details.self, members: Self.self, use)
    }
}

extension EventAnswer: SchemaNamed, Described {
    static var schemaName: String { Details.kind.name.capitalizedFirst + "Answer" }
    static var remarks: [String: Remark] {
        ["warnings": ("Where there is something that may not be meant." as Remark).orAbsent]
    }
}

extension EventList: SchemaNamed, Described {
    static var schemaName: String { Details.kind.name.capitalizedFirst + "List" }
    static var remarks: [String: Remark] { ["count": .count, "next_cursor": .nextCursor] }
}

extension Author: Described {
    static let remarks: [String: Remark] = [
        "user_id": "Null once the account is gone.",
        "name": Remark("Empty where nobody knows it any more.", example: "Maria"),
    ]
}

extension EventWarning: Described {
    static let remarks: [String: Remark] = [
        "code":
            "`OVERLAP`: another event of the kind was going on at the same time. `TOO_SOON`: another dose of the plan is nearer than its hours, by more than 15 minutes. `TOO_MANY`: the plan allows no more doses in the caller’s day. There may be others in time.",
        "event_id": "The other event, of the same kind.",
    ]
}

/// The body that makes one event: a draft that may leave out its time.
enum EventToLog<Details: EventDetails>: SchemaNamed, SchemaComposed, Decodable {
    static var schemaName: String { Details.kind.name.capitalizedFirst + "ToLog" }

    static func schema(_ use: SchemaUse, _ schemas: inout Schemas) -> JSON {
        let time = Details.kind.fields[Details.kind.time].name
        func withoutTime(_ schema: JSON) -> JSON {
            var schema = schema
            schema["required"] = schema["required"].map { .array($0.elements.filter { $0 != .string(time) }) }
            let property = schema["properties"]?[time]?.nullable.merging([
                "description":
                    "The server’s now where absent. Not before 1900, not more than 5 minutes ahead of the server."
            ])
            schema["properties"]?[time] = property
            return schema
        }
        let draft = schemas.event(of: Details.self, members: EventDraft<Details>.self, use)
        guard let variants = draft["oneOf"]?.elements else { return withoutTime(draft) }
        return ["oneOf": .array(variants.map(withoutTime))]
    }

    init(from decoder: any Decoder) throws { throw MemberRecorder.NoFixedMembers() }
}

/// The merge patch (RFC 7396) of one kind of event, which Swift's `EventChanges` leaves open.
enum EventPatch<Details: EventDetails>: SchemaNamed, SchemaComposed, Decodable {
    static var schemaName: String { Details.kind.name.capitalizedFirst + "Patch" }

    static func schema(_ use: SchemaUse, _ schemas: inout Schemas) -> JSON {
        let members = schemas.members(of: EventDraft<Details>.self).filter { $0.name != "id" }
        var object = schemas.object(members, use) { name in
            let field = Details.kind.field(name)
            var note = Details.note(name)
            note.isNeverNull = field.map { $0.isRequired && $0.types == nil } ?? false
            return note
        }
        object["required"] = nil
        object["properties"]?["child_id"] = ChildID.schema.merging([
            "description": "Moves it to another child of the same family."
        ])
        let needed = Details.kind.atLeastOneOf.map { Details.kind.fields[$0].name }
        let rule =
            needed.isEmpty
            ? "A change of type takes away what belongs to the old type alone."
            : "One of \(needed.joined(separator: ", ")) has to stay."
        object["description"] =
            .string("A merge patch (RFC 7396): what is absent stays, null takes away. \(rule)")
        return object
    }

    init(from decoder: any Decoder) throws { throw MemberRecorder.NoFixedMembers() }
}

extension Schemas {
    /// One object, or one of several where fields belong to types.
    fileprivate mutating func event<Details: EventDetails>(
        of details: Details.Type, members type: any Decodable.Type, _ use: SchemaUse
    ) -> JSON {
        let kind = Details.kind
        var object = object(members(of: type), use) { Details.note($0) }
        object.require(atLeastOneOf: kind.atLeastOneOf.map { kind.fields[$0].name })
        guard let types = kind.typeField, kind.fields.contains(where: { $0.types != nil }),
            case .choice(let words) = types.form
        else { return object }
        let variants = words.map { word -> JSON in
            var variant: JSON = ["title": .string(word)]
            variant = variant.merging(object)
            for field in kind.fields where field.types != nil {
                variant.settle(field, for: word, use)
            }
            let isWord: JSON = ["const": .string(word), "examples": [.string(word)]]
            let property = variant["properties"]?[types.name]?.merging(isWord).without("enum")
            variant["properties"]?[types.name] = property
            return variant
        }
        return ["oneOf": .array(variants)]
    }
}

extension JSON {
    /// Not all of these members are absent or null.
    fileprivate mutating func require(atLeastOneOf names: [String]) {
        guard !names.isEmpty else { return }
        self["description"] = .string("Has at least one of \(names.joined(separator: ", ")).")
        self["anyOf"] = .array(
            names.map { name in
                var branch: JSON = ["properties": [:], "required": [.string(name)]]
                branch["properties"]?[name] = self["properties"]?[name]?.neverNull["type"].map { ["type": $0] }
                return branch
            })
    }

    /// What a field is in an event of this type.
    fileprivate mutating func settle(_ field: EventField, for type: String, _ use: SchemaUse) {
        var required = self["required"]?.elements ?? []
        if field.types?.contains(type) == false {
            self["properties"]?[field.name] = [
                "type": "null",
                "description": .string(
                    "Belongs to the type \(field.types?.sorted().joined(separator: ", ") ?? "") only."
                ),
            ]
        } else if field.isRequired {
            if !required.contains(.string(field.name)) { required.append(.string(field.name)) }
            let property = self["properties"]?[field.name]?.neverNull
            self["properties"]?[field.name] = property
        }
        self["required"] = .array(required)
    }

    private var neverNull: JSON {
        var schema = self
        if let types = self["type"]?.elements.first { schema["type"] = types }
        if let words = self["enum"] { schema["enum"] = .array(words.elements.filter { $0 != nil }) }
        return schema
    }

    fileprivate func without(_ name: String) -> JSON {
        var copy = self
        copy[name] = nil
        return copy
    }
}

extension EventKind {
    fileprivate func field(_ name: String) -> EventField? { fields.first { $0.name == name } }
    fileprivate var typeField: EventField? { type.map { fields[$0] } }
}

extension EventDetails {
    /// What the kind's description says of a member, and what is written beside its Swift type.
    fileprivate static func note(_ name: String) -> Remark {
        let common: [String: Remark] = [
            "id": .clientID, "revision": .revision,
            "created_by": "Who logged it. What a person logged outlives the account.",
            "updated_by": "Who changed it last; null where nobody has.",
            "notes": Remark("At most 2000 characters after trimming.", example: "Slept well"),
        ]
        var note = common[name] ?? Remark()
        if let own = (self as? any Described.Type)?.remarks[name] { note = own }
        if let field = kind.field(name) {
            note.schema = field.schema.merging(note.schema)
        }
        return note
    }
}

extension EventField {
    /// The limits of the form.
    fileprivate var schema: JSON {
        switch form {
        case .choice: [:]
        case .line(let max):
            ["pattern": .string(isRequired ? Pattern.name(max: max) : Pattern.line(max: max))]
        case .text(let max):
            ["pattern": .string(Pattern.text(max: max, orEmpty: !isRequired))]
        case .time: ["description": "Since 1900, and not more than 5 minutes ahead of the server."]
        case .number(let range):
            // What is kept is in the range; what rounds to it may be a little outside.
            [
                "minimum": .number(range.lowerBound.double - 0.05),
                "exclusiveMaximum": .number(range.upperBound.double + 0.05),
            ]
        case .whole(let range):
            ["minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)]
        case .flag, .identifier: [:]
        }
    }
}
