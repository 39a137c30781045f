import BabyBasicsAPI
import Postgres

/// Changes what the body names of an event: a merge patch (RFC 7396).
func updateEvent(
    _ context: RequestContext, _ membership: ChildMembership, in table: EventTable
) async throws -> Reply<EventReply> {
    try await change(context, membership, table) { event, fields in
        fields.values(of: table.kind, onto: event.values, now: context.now)
    }
}

/// Replaces all that can be changed of an event.
func replaceEvent(
    _ context: RequestContext, _ membership: ChildMembership, in table: EventTable
) async throws -> Reply<EventReply> {
    try await change(context, membership, table) { _, fields in
        fields.values(of: table.kind, now: context.now)
    }
}

private func change(
    _ context: RequestContext, _ membership: ChildMembership, _ table: EventTable,
    _ read: (StoredEvent, Fields) -> [FieldValue]?
) async throws -> Reply<EventReply> {
    let event = try await context.event(of: membership, in: table)
    let expected = try context.ifMatch()
    let fields = try context.fields()
    let values = try fields.all(read(event, fields))
    try expected.require(event.revision)
    var changed = event
    changed.values = values
    let database = context.database
    guard values != event.values else {
        return try await database.reply(event)
    }
    try await context.keep(&changed, insteadOf: event, .update, membership)
    return try await database.reply(changed)
}

/// Takes an event away, for 30 days to be restored.
func deleteEvent(
    _ context: RequestContext, _ membership: ChildMembership, in table: EventTable
) async throws -> Reply<Empty> {
    let event = try await context.event(of: membership, in: table)
    try context.ifMatch().require(event.revision)
    var deleted = event
    deleted.deletedAt = context.now
    try await context.keep(&deleted, insteadOf: event, .delete, membership)
    return .nothing
}

/// Brings back an event that was deleted in the last 30 days. One that is not deleted stays as it is.
func restoreEvent(
    _ context: RequestContext, _ membership: ChildMembership, in table: EventTable
) async throws -> Reply<EventReply> {
    let event = try await context.event(of: membership, in: table, deletedToo: true)
    let database = context.database
    if let deletedAt = event.deletedAt, context.now.since(deletedAt) > .seconds(30 * 86_400) {
        throw APIError.notFound
    }
    try context.ifMatch().require(event.revision)
    guard event.deletedAt != nil else {
        return try await database.reply(event)
    }
    var restored = event
    restored.deletedAt = nil
    try await context.keep(&restored, insteadOf: event, .update, membership)
    return try await database.reply(restored)
}

extension RequestContext {
    /// Writes a changed event, under the family's next number and with an entry in the audit log.
    fileprivate func keep(
        _ event: inout StoredEvent, insteadOf before: StoredEvent, _ action: AuditedAction,
        _ membership: ChildMembership
    ) async throws {
        event.revision = try takeRevisions(of: membership.familyID)
        event.updatedAt = now
        try database.enqueue(event.table.update(event))
        var changes = AuditChanges.none
        if action == .delete {
            for (field, value) in zip(event.kind.fields, before.values) {
                changes.note(field.name, from: value, to: .nothing)
            }
        } else {
            for (index, field) in event.kind.fields.enumerated() {
                changes.note(field.name, from: before.values[index], to: event.values[index])
            }
            changes.note("deleted_at", from: before.deletedAt, to: event.deletedAt)
        }
        try await audit(
            action, .event(event.kind), event.id.uuid, by: membership.caller.userID,
            family: membership.familyID, changes: changes)
    }
}
