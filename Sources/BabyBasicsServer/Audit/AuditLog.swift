import BabyBasicsAPI
import FoundationEssentials
import JSON
import Postgres

/// What an audit entry is about.
struct AuditedEntity: RawRepresentable {
    let rawValue: String

    static let user = AuditedEntity(rawValue: "user")
    static let session = AuditedEntity(rawValue: "session")
    static let family = AuditedEntity(rawValue: "family")
    static let familyMember = AuditedEntity(rawValue: "family_member")
    static let shareLink = AuditedEntity(rawValue: "share_link")
    static let child = AuditedEntity(rawValue: "child")
    static let plan = AuditedEntity(rawValue: "plan")
    static let token = AuditedEntity(rawValue: "token")
    static let webhook = AuditedEntity(rawValue: "webhook")

    /// An event of a kind.
    static func event(_ kind: EventKind) -> AuditedEntity { AuditedEntity(rawValue: kind.name) }
}

enum AuditedAction: String {
    case create
    case update
    case delete
}

/// Old and new values of what changed, by the name that the field has on the wire. Never a password, a token, a hash or an email.
struct AuditChanges: Sendable {
    private var members: [(name: String, old: (any Encodable & Sendable)?, new: (any Encodable & Sendable)?)] = []
    private var facts: [String] = []

    static let none = AuditChanges()
    /// Passwords and emails themselves are in no log.
    static let passwordChanged = AuditChanges(fact: "password_changed")
    static let emailChanged = AuditChanges(fact: "email_changed")
    static let passwordReset = AuditChanges(fact: "password_reset")
    static let emailVerified = AuditChanges(fact: "email_verified")
    static let disabled = AuditChanges(fact: "disabled")
    static let enabled = AuditChanges(fact: "enabled")
    static let resetLinkMade = AuditChanges(fact: "reset_link_made")

    private init(fact: String? = nil) {
        if let fact { facts = [fact] }
    }

    /// Notes a field unless it stayed as it was.
    mutating func note<Value: Encodable & Equatable & Sendable>(
        _ name: String, from old: Value?, to new: Value?
    ) {
        if old != new { members.append((name, old, new)) }
    }

    var isEmpty: Bool { members.isEmpty && facts.isEmpty }

    var json: JSONText {
        var json = JSONWriter()
        json.object { json in
            for fact in facts { json.member(fact, true) }
            for member in members {
                json.member(
                    member.name,
                    object: {
                        $0.member("old", value: member.old)
                        $0.member("new", value: member.new)
                    })
            }
        }
        return JSONText(String(decoding: json.bytes, as: UTF8.self))
    }
}

extension RequestContext {
    /// Writes one row of the audit log, in the transaction of what it records.
    /// - Parameters:
    ///   - actor: who did it; nil for the administrator.
    ///   - entityID: of a member it is the user's.
    func audit(
        _ action: AuditedAction, _ entity: AuditedEntity, _ entityID: UUID, by actor: UserID?,
        family: FamilyID? = nil, changes: AuditChanges = .none
    ) async throws {
        let id: Identifier<AuditedEntity> = try newIdentifier()
        // An account's own entry has the column's default: a table that is spread by family has no NULL there.
        let (column, value): (SQL, SQL) = family.map { (", family_id", ", \($0)") } ?? ("", "")
        let entry: SQL = """
            insert into audit_logs (
                id, user_id, token_name, entity_type, entity_id, action, changes, created_at\(fragment: column)
            ) values (
                \(id), \(actor), \(caller?.token?.name), \(entity.rawValue), \(entityID), \(action.rawValue),
                \(changes.json), \(now)\(fragment: value)
            )
            """
        let database = database
        if database.isInTransaction {
            try database.enqueue(entry)
        } else {
            try await database.execute(entry)
        }
    }
}
