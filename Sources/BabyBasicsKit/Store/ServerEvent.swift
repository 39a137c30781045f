import BabyBasicsAPI
import Foundation

/// An event as the server has it, of any kind, with `child_id` among its fields: a move is a change like any other.
struct ServerEvent: Hashable, Sendable {
    var id: UUID
    var kind: String
    var fields: Fields
    var author: Author
    var createdAt: Timestamp
    var updatedAt: Timestamp
    var revision: Int64

    init(_ event: any AnyEventValue) throws {
        func read<Value: AnyEventValue>(_ event: Value) throws -> Fields {
            let bytes = try JSONEncoder.contract.encode(event)
            return try JSONDecoder().decode([String: Lenient].self, from: bytes)
                .compactMapValues(\.value)
        }
        kind = type(of: event).kind.name
        id = event.anyID.uuid
        author = event.createdBy
        createdAt = event.createdAt
        updatedAt = event.updatedAt
        revision = event.revision
        fields = try read(event)
        for name in Self.own { fields[name] = nil }
    }

    /// What every event has and nobody edits.
    private static let own = ["id", "created_by", "created_at", "updated_at", "revision"]

    /// A field's value, or what is none.
    private struct Lenient: Decodable {
        let value: FieldValue?

        init(from decoder: any Decoder) throws {
            value = try? FieldValue(from: decoder)
        }
    }
}
