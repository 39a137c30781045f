#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Endpoints {
    /// Takes `limit` and `cursor` in the query. Newest first.
    public static let listAuditEntries = Endpoint<Empty, AuditList>(
        .get, "\(base)/families/:familyId/audit",
        access: .family(.parent(otherwise: "Only parents can read the audit log")))

    static let audit = [listAuditEntries.description]
}

/// One thing that somebody did to a family.
public struct AuditEntry: Decodable, Hashable, Sendable {
    public var id: UUID
    /// Who did it; nil for the administrator and for what the server did by itself. Of a deleted account only the name is left.
    public var user: Author?
    /// The name of the other program's token that it was done by; nil where a person did it.
    public var token: String?
    /// `family`, `family_member`, `share_link`, `child`, `plan`, `token`, `webhook` or a kind of event.
    public var entityType: String
    /// Of a member it is the user's.
    public var entityId: UUID
    /// `create`, `update` or `delete`.
    public var action: String
    /// Old and new values of what changed, by name.
    public var changes: [String: Value]
    public var createdAt: Timestamp

    /// Any JSON value.
    public enum Value: Hashable, Sendable {
        case null
        case bool(Bool)
        case number(Double)
        case text(String)
        case list([Value])
        case object([String: Value])
    }

    public init(
        id: UUID, user: Author?, token: String? = nil, entityType: String, entityId: UUID, action: String,
        changes: [String: Value], createdAt: Timestamp
    ) {
        self.id = id
        self.user = user
        self.token = token
        self.entityType = entityType
        self.entityId = entityId
        self.action = action
        self.changes = changes
        self.createdAt = createdAt
    }
}

public struct AuditList: Decodable, Hashable, Sendable {
    public var entries: [AuditEntry]
    public var count: Int
    /// What to ask for the next page with; nil at the end.
    public var nextCursor: String?

    public init(entries: [AuditEntry], nextCursor: String?) {
        self.entries = entries
        count = entries.count
        self.nextCursor = nextCursor
    }
}

extension AuditEntry.Value: Decodable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self =
            if container.decodeNil() {
                .null
            } else if let value = try? container.decode(Bool.self) {
                .bool(value)
            } else if let value = try? container.decode(Double.self) {
                .number(value)
            } else if let value = try? container.decode(String.self) {
                .text(value)
            } else if let value = try? container.decode([Self].self) {
                .list(value)
            } else {
                .object(try container.decode([String: Self].self))
            }
    }
}
