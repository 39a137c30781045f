import BabyBasicsAPI

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A type that is one value on the wire, or whose schema does not follow from its members.
protocol SchemaDescribed: Decodable {
    /// JSON Schema (2020-12), with an example.
    static var schema: JSON { get }
}

/// A type whose schema is made of other types' schemas.
protocol SchemaComposed {
    static func schema(_ use: SchemaUse, _ schemas: inout Schemas) -> JSON
}

/// A type that is not known to clients by its Swift name.
protocol SchemaNamed {
    static var schemaName: String { get }
}

/// What a type's members are beyond their Swift types, by their names on the wire.
protocol Described {
    static var remarks: [String: Remark] { get }
}

extension SchemaDescribed where Self: RawRepresentable<String> & CaseIterable {
    static var schema: JSON {
        let words = JSON.strings(allCases.map(\.rawValue))
        return ["type": "string", "enum": words, "examples": words]
    }
}

extension Role: SchemaDescribed {}
extension SharingPolicy: SchemaDescribed {}
extension SessionCarrier: SchemaDescribed {}
extension ErrorCode: SchemaDescribed {}
extension FeedingDetails.Method: SchemaDescribed {}
extension FeedingDetails.Side: SchemaDescribed {}
extension FeedingDetails.LastSide: SchemaDescribed {}
extension FeedingDetails.Content: SchemaDescribed {}
extension DiaperDetails.Finding: SchemaDescribed {}
extension DiaperDetails.Color: SchemaDescribed {}
extension SleepDetails.Time: SchemaDescribed {}

extension String: SchemaDescribed {
    static var schema: JSON { ["type": "string", "examples": ["text"]] }
}

extension Bool: SchemaDescribed {
    static var schema: JSON { ["type": "boolean", "examples": [true]] }
}

/// Counts and minutes, all of them.
extension Int: SchemaDescribed {
    static var schema: JSON { ["type": "integer", "minimum": 0, "examples": [2]] }
}

/// Revisions and positions in a family's changes.
extension Int64: SchemaDescribed {
    static var schema: JSON {
        ["type": "integer", "format": "int64", "minimum": 0, "examples": [42]]
    }
}

extension Tenths: SchemaDescribed {
    static var schema: JSON {
        ["type": "number", "examples": [120.5]]
    }
}

extension Identifier: SchemaDescribed {
    static var schema: JSON { uuidSchema }
}

extension UUID: SchemaDescribed {
    static var schema: JSON { uuidSchema }
}

private let uuidSchema: JSON = [
    "type": "string", "format": "uuid", "examples": ["0199c3a5-7d7a-7c3e-9a51-2f6b8a1d4e70"],
]

extension Timestamp: SchemaDescribed {
    static var schema: JSON {
        ["type": "string", "format": "date-time", "examples": ["2026-02-25T12:00:00.000Z"]]
    }
}

extension CalendarDate: SchemaDescribed {
    static var schema: JSON {
        ["type": "string", "format": "date", "examples": ["2026-02-25"]]
    }
}

extension AuditEntry.Value: SchemaDescribed {
    static var schema: JSON { ["description": "Any value.", "examples": ["Johnny’s Family"]] }
}

extension Change.Entity: SchemaDescribed {
    static var schema: JSON {
        let known: [Change.Entity] =
            [.family, .familyMember, .child, .plan] + EventKind.all.map(Change.Entity.event)
        return ["type": "string", "examples": .strings(known.map(\.rawValue))]
    }
}

extension Change.Operation: SchemaDescribed {
    static var schema: JSON {
        ["type": "string", "enum": ["upsert", "delete"], "examples": ["upsert"]]
    }
}

extension EventWarning.Code: SchemaDescribed {
    static var schema: JSON {
        ["type": "string", "examples": .strings([Self.overlap, .tooSoon, .tooMany].map(\.rawValue))]
    }
}

extension ErrorBody.Detail.Reason: SchemaDescribed {
    static var schema: JSON {
        let words = JSON.strings(all.map(\.rawValue))
        return ["type": "string", "enum": words, "examples": words]
    }
}

extension Array: SchemaDescribed where Element: Decodable {
    static var schema: JSON { ["type": "array", "examples": [[]]] }
}

extension Array: SchemaComposed where Element: Decodable {
    static func schema(_ use: SchemaUse, _ schemas: inout Schemas) -> JSON {
        ["type": "array", "items": schemas.reference(to: Element.self, use)]
    }
}

extension Dictionary: SchemaDescribed where Key == String, Value: Decodable {
    static var schema: JSON { ["type": "object", "examples": [[:]]] }
}

extension Dictionary: SchemaComposed where Key == String, Value: Decodable {
    static func schema(_ use: SchemaUse, _ schemas: inout Schemas) -> JSON {
        ["type": "object", "additionalProperties": schemas.reference(to: Value.self, use)]
    }
}
