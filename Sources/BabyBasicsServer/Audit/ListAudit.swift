import BabyBasicsAPI
import FoundationEssentials
import JSON
import Postgres

/// What was done to the family, newest first.
func listAuditEntries(_ context: RequestContext, membership: FamilyMembership) async throws
    -> Reply<AuditList>
{
    let query = context.query
    let (limit, cursor) = try query.all(query.limit(), query.auditCursor())
    let after: SQL =
        cursor.map { "and (a.created_at, a.id) < (\($0.at), \($0.id))" } ?? ""
    let entries = try await context.database.rows(
        """
        select a.id, a.created_at, a.entity_type, a.entity_id, a.action, a.changes,
            a.user_id is not null, case when u.deleted_at is null then u.id end, coalesce(u.name, ''), a.token_name
        from audit_logs a left join users u on u.id = a.user_id
        where a.family_id = \(membership.family.id) \(fragment: after)
        order by a.created_at desc, a.id desc limit \(Int64(limit + 1))
        """
    ) { try AuditRow(&$0) }
    let page = Array(entries.prefix(limit))
    let last = entries.count > limit ? page.last : nil
    return Reply(
        AuditPage(
            entries: page, nextCursor: last.map { EventCursor(at: $0.createdAt, id: $0.id).text }))
}

extension QueryParameters {
    /// The place after an entry. Nil notes a problem.
    fileprivate func auditCursor() -> EventCursor?? {
        optional("cursor", "must be a next_cursor of this list") { EventCursor($0) }
    }
}

/// An entry as the database has it.
private struct AuditRow: JSONWritable {
    let id: UUID
    let createdAt: Timestamp
    let entityType: String
    let entityID: UUID
    let action: String
    let changes: JSONText
    let user: Author?
    /// Its name.
    let token: String?

    init(_ row: inout Row) throws {
        id = try row.next()
        createdAt = try row.next()
        entityType = try row.next()
        entityID = try row.next()
        action = try row.next()
        changes = try row.next()
        let wasUser: Bool = try row.next()
        let author = Author(userId: try row.next(), name: try row.next())
        user = wasUser ? author : nil
        token = try row.next()
    }

    func write(to json: inout JSONWriter) {
        json.object {
            $0.member("id", Identifier<AuditEntry>(id))
            $0.member("user", user)
            if let token { $0.member("token", token) }
            $0.member("entity_type", entityType)
            $0.member("entity_id", Identifier<AnyEvent>(entityID))
            $0.member("action", action)
            $0.member("changes", StoredJSON(text: changes))
            $0.member("created_at", createdAt)
        }
    }
}

/// A page of the log as the server has it: what `AuditList` is to a client.
private struct AuditPage: WrittenFor {
    typealias Answer = AuditList

    let entries: [AuditRow]
    let nextCursor: String?

    func write(to json: inout JSONWriter) {
        json.object {
            $0.member("entries", entries)
            $0.member("count", entries.count)
            $0.member("next_cursor", nextCursor)
        }
    }
}

/// JSON that the database made.
private struct StoredJSON: JSONWritable {
    let text: JSONText

    func write(to json: inout JSONWriter) { json.raw(text.bytes) }
}
