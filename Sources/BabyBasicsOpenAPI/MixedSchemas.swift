import BabyBasicsAPI

// The schemas of what holds things of several kinds: which one it is stands in a member beside it.

extension Schemas {
    /// One object for each kind of event: `{type, event}` and whatever else.
    fileprivate mutating func oneOfKinds(
        _ item: (any EventDetails.Type, inout Schemas) -> JSON
    ) -> JSON {
        ["oneOf": .array(EventKind.allDetails.map { item($0, &self) })]
    }

    /// A schema that only this word satisfies.
    static func only(_ word: String) -> JSON {
        ["const": .string(word), "examples": [.string(word)]]
    }
}

extension TimelineItem: SchemaComposed {
    static func schema(_ use: SchemaUse, _ schemas: inout Schemas) -> JSON {
        func event<Details: EventDetails>(_ type: Details.Type, _ schemas: inout Schemas) -> JSON {
            schemas.reference(to: Event<Details>.self, use)
        }
        return schemas.oneOfKinds { details, schemas in
            [
                "title": .string(details.kind.name),
                "type": "object",
                "properties": [
                    "type": Schemas.only(details.kind.name),
                    "at": Timestamp.schema.merging(["description": "When it began or happened."]),
                    "event": event(details, &schemas),
                    "warnings": schemas.reference(to: [EventWarning].self, use).merging([
                        "description":
                            "Of a batch’s answers, where there is something that may not be meant."
                    ]),
                ],
                "required": ["type", "at", "event"],
            ]
        }
    }
}

extension EventBatchAnswer.Place: SchemaComposed {
    static func schema(_ use: SchemaUse, _ schemas: inout Schemas) -> JSON {
        let words = JSON.strings(EventKind.all.map(\.name))
        let deleted: JSON = [
            "title": "deleted",
            "type": "object",
            "description": "Somebody has deleted the event with this id, and it stays so.",
            "properties": [
                "type": ["type": "string", "enum": words, "examples": words],
                "id": Identifier<AnyEvent>.schema,
                "event": ["type": "null"],
                "deleted": ["const": true, "examples": [true]],
            ],
            "required": ["type", "id", "event", "deleted"],
        ]
        let kept = schemas.reference(to: TimelineItem.self, use)
        return ["oneOf": [kept, deleted]]
    }
}

extension EventBatch.Item: SchemaComposed {
    static func schema(_ use: SchemaUse, _ schemas: inout Schemas) -> JSON {
        func draft<Details: EventDetails>(_ type: Details.Type, _ schemas: inout Schemas) -> JSON {
            schemas.reference(to: EventDraft<Details>.self, use)
        }
        return schemas.oneOfKinds { details, schemas in
            [
                "title": .string(details.kind.name),
                "type": "object",
                "properties": [
                    "type": Schemas.only(details.kind.name), "event": draft(details, &schemas),
                ],
                "required": ["type", "event"],
            ]
        }
    }
}

extension EventBatch: Described {
    static let remarks: [String: Remark] = [
        "events": Remark(schema: ["minItems": 1, "maxItems": 500, "description": "1 to 500."])
    ]
}

extension EventBatchAnswer: Described {
    static let remarks: [String: Remark] = [
        "events": "In the order of the request.", "count": .count,
    ]
}

extension Timeline: Described {
    static let remarks: [String: Remark] = [
        "events": "By `at`, then by id, both descending.", "count": .count,
        "next_cursor": .nextCursor,
    ]
}

extension Change: SchemaComposed {
    static func schema(_ use: SchemaUse, _ schemas: inout Schemas) -> JSON {
        func event<Details: EventDetails>(_ type: Details.Type) -> any Decodable.Type {
            Event<Details>.self
        }
        let things: [(Entity, any Decodable.Type)] =
            [(.family, Family.self), (.familyMember, Member.self), (.child, SyncedChild.self), (.plan, Plan.self)]
            + EventKind.allDetails.map { (.event($0.kind), event($0)) }
        let variants = things.map { entity, type -> JSON in
            [
                "title": .string(entity.rawValue),
                "type": "object",
                "properties": [
                    "revision": Int64.schema,
                    "entity": Schemas.only(entity.rawValue),
                    "id": Identifier<Change>.schema.merging(
                        entity == .familyMember ? ["description": "The user’s."] : [:]),
                    "op": Operation.schema.merging([
                        "description":
                            "`upsert`: make it, or replace it. `delete`: forget it, if it was ever known."
                    ]),
                    "data": schemas.reference(to: type, use).nullable.merging([
                        "description": "Null for what was deleted."
                    ]),
                ],
                "required": ["revision", "entity", "id", "op", "data"],
            ]
        }
        return ["oneOf": .array(variants)]
    }
}
